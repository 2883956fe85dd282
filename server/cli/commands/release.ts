import type { ArgsDef } from 'citty';
import { overrideBody, overridesBody } from '@/lib/protocol/api';
import { commandBody } from '@/lib/protocol/command-views';
import { createApi, type Api } from '../api';
import { findBreaker, loadFleet, pathOf } from '../find';
import type { CliIo } from '../io';
import { EXIT, type ExitCode } from '../problem';
import { json, visible } from '../text';

export const releaseArgs = {
  what: {
    type: 'positional',
    required: true,
    description: 'environment/service/breaker or its end, or the id of a command or override',
  },
  reason: { type: 'string', description: 'why (may be left out: it is the safe direction)' },
  json: { type: 'boolean', description: 'print JSON', default: false },
} as const satisfies ArgsDef;

type Args = {
  readonly what: string;
  readonly reason?: string | undefined;
  readonly json: boolean;
};
type Done = { readonly said: string; readonly body: unknown };

const path = encodeURIComponent;

async function releaseOf(api: Api, { what, reason }: Args): Promise<Done> {
  const body = reason === undefined ? {} : { reason };
  if (what.startsWith('cmd_')) {
    const answer = await api.post(`/api/commands/${path(what)}/release`, body, commandBody);
    return { said: `command ${what}`, body: answer };
  }
  if (what.startsWith('ovr_')) {
    const answer = await api.post(`/api/overrides/${path(what)}/release`, body, overrideBody);
    return { said: `override ${what}`, body: answer };
  }
  const breaker = findBreaker(await loadFleet(api), what);
  const url = `/api/breakers/${path(breaker.id)}/release`;
  const answer = await api.post(url, body, overridesBody);
  if (answer.overrides.length === 0) {
    return { said: `${pathOf(breaker)} (it had no override)`, body: answer };
  }
  return { said: pathOf(breaker), body: answer };
}

/** Back to automatic, at once and without a question. */
export async function release(args: Args, io: CliIo): Promise<ExitCode> {
  const { said, body } = await releaseOf(createApi(io), args);
  io.out(args.json ? json(body) : `Returned to automatic: ${visible(said)}.`);
  return EXIT.done;
}
