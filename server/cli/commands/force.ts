import type { ArgsDef } from 'citty';
import { commandBody, commandPreview } from '@/lib/protocol/command-views';
import type { CommandPreview, CommandView } from '@/lib/protocol/command-views';
import { DEFAULT_LEASE_MS, type CommandScope } from '@/lib/protocol/commands';
import { createApi, type Api } from '../api';
import { parseDuration } from '../duration';
import { findBreaker, findService, findTarget, loadFleet } from '../find';
import type { CliIo } from '../io';
import { CliProblem, EXIT, usageProblem, type ExitCode } from '../problem';
import { json, percent, table, utc, visible } from '../text';

const KINDS = { open: 'force_open', closed: 'force_closed', reset: 'reset' } as const;
const POLL_MS = 500;

export const forceArgs = {
  state: { type: 'positional', description: 'open, closed or reset', required: true },
  breaker: {
    type: 'positional',
    required: false,
    description: 'environment/service/breaker, or its end',
  },
  service: { type: 'string', description: 'every breaker of this service' },
  target: { type: 'string', description: 'every breaker to this target' },
  reason: { type: 'string', description: 'why, at least 10 characters' },
  lease: { type: 'string', description: 'how long, like 15m (default) or 1h' },
  'include-new': {
    type: 'boolean',
    description: 'also instances that register during the lease',
    default: false,
  },
  wait: { type: 'string', description: 'how long to wait for the instances', default: '30s' },
  yes: { type: 'boolean', description: 'do not ask', default: false },
  json: { type: 'boolean', description: 'print JSON', default: false },
} as const satisfies ArgsDef;

type Args = {
  readonly state: string;
  readonly breaker?: string | undefined;
  readonly service?: string | undefined;
  readonly target?: string | undefined;
  readonly reason?: string | undefined;
  readonly lease?: string | undefined;
  readonly 'include-new': boolean;
  readonly wait: string;
  readonly yes: boolean;
  readonly json: boolean;
};

function kindOf(state: string): (typeof KINDS)[keyof typeof KINDS] {
  if (state === 'open' || state === 'closed' || state === 'reset') return KINDS[state];
  throw usageProblem(`force takes open, closed or reset, not ${visible(state)}.`);
}

async function scopeOf(api: Api, { breaker, service, target }: Args): Promise<CommandScope> {
  const given = [breaker, service, target].filter((one) => one !== undefined);
  if (given.length !== 1) throw usageProblem('Name one breaker, or give --service or --target.');
  const fleet = await loadFleet(api);
  if (breaker !== undefined) {
    return { kind: 'breaker', breakerId: findBreaker(fleet, breaker).id };
  }
  if (service !== undefined) return { kind: 'service', serviceId: findService(fleet, service).id };
  return { kind: 'target', ...findTarget(fleet, target ?? '') };
}

/** What the server says it would hit; the same facts that the dialog of the console shows. */
function previewLines(preview: CommandPreview): string[] {
  const { instances, breakers, willRefuse, activeOverrides, risk, needs } = preview;
  const rows = breakers.map((one) => [
    `${one.service}/${one.name}`,
    one.state,
    String(one.instances.live),
    one.callsPerSecond.toFixed(1),
    percent(one.failureShare),
  ]);
  const old = instances.stale + instances.offline;
  return [
    `${preview.kind} in ${visible(preview.environment)}, risk ${risk}`,
    ...table([['BREAKER', 'STATE', 'LIVE', 'CALLS/S', 'FAILURES'], ...rows]),
    `${instances.live} live instances, ${old} not heard now; ${preview.callsPerSecond.toFixed(1)} calls/s.`,
    ...willRefuse.map((one) => `${visible(one.instance)} will refuse: ${visible(one.why)}`),
    ...activeOverrides.map(
      (one) => `Also in force: ${one.kind} by ${visible(one.actor)} until ${utc(one.endsAt)} UTC`,
    ),
    ...(needs.secondPerson ? ['A second person has to approve it.'] : []),
  ];
}

const GOOD = new Set(['applied', 'applied_late', 'superseded']);
const OPEN = new Set(['queued', 'sent', 'received']);

function targetsOf({ overrides }: CommandView) {
  return overrides.flatMap(({ targets }) => targets);
}

async function untilAnswered(
  api: Api,
  io: CliIo,
  first: CommandView,
  waitMs: number,
): Promise<CommandView> {
  const end = io.now() + waitMs;
  let view = first;
  while (
    view.status === 'issued' &&
    targetsOf(view).some(({ delivery }) => OPEN.has(delivery)) &&
    io.now() < end
  ) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    await io.wait(POLL_MS);
    // oxlint-disable-next-line no-await-in-loop -- the same
    ({ command: view } = await api.get(
      `/api/commands/${encodeURIComponent(view.id)}`,
      commandBody,
    ));
  }
  return view;
}

function exitOf(view: CommandView): ExitCode {
  if (view.status === 'pending_approval' || view.status === 'scheduled') return EXIT.waiting;
  const targets = targetsOf(view);
  const good = targets.filter(({ delivery }) => GOOD.has(delivery)).length;
  if (good === 0) return EXIT.nowhere;
  return good === targets.length ? EXIT.done : EXIT.partial;
}

/** Never stronger than the facts. [U-25] */
function outcomeLines(view: CommandView): string[] {
  if (view.status === 'pending_approval') {
    const ends = view.approvalEndsAt === null ? '' : `, until ${utc(view.approvalEndsAt)} UTC`;
    return [`${view.id} waits for a second person${ends}. Nothing is forced yet.`];
  }
  const targets = targetsOf(view);
  const good = targets.filter(({ delivery }) => GOOD.has(delivery)).length;
  const rows = targets.map((one) => [one.instance, one.delivery, one.reason ?? '']);
  return [
    ...table([['INSTANCE', 'DELIVERY', 'WHY'], ...rows]),
    `Applied on ${good} of ${targets.length}.` +
      (view.endsAt === null || view.kind === 'reset' ? '' : ` Ends ${utc(view.endsAt)} UTC.`),
    ...(view.kind === 'reset' ? [] : [`Return to automatic: recloser release ${view.id}`]),
  ];
}

async function confirm(io: CliIo, args: Args, preview: CommandPreview): Promise<void> {
  if (args.yes) return;
  if (io.ask === null) throw usageProblem('Nobody is there to ask: add --yes to go on.');
  for (const line of previewLines(preview)) io.error(line);
  const answer = await io.ask('Go on? Type yes: ');
  if (answer.trim().toLowerCase() !== 'yes') throw new CliProblem('Nothing was changed.');
}

export async function force(args: Args, io: CliIo): Promise<ExitCode> {
  const kind = kindOf(args.state);
  const { reason } = args;
  if (reason === undefined) throw usageProblem('Say why with --reason "…".');
  const leaseMs =
    args.lease === undefined ? DEFAULT_LEASE_MS : parseDuration(args.lease, '--lease');
  const waitMs = parseDuration(args.wait, '--wait');
  const api = createApi(io);
  const asked = {
    scope: await scopeOf(api, args),
    kind,
    includeNew: args['include-new'],
    ...(kind === 'reset' ? {} : { leaseMs }),
  };
  const preview = await api.post('/api/commands/preview', asked, commandPreview);
  await confirm(io, args, preview);
  const { command } = await api.post(
    '/api/commands',
    {
      ...asked,
      reason,
      expectedGenerations: preview.expectedGenerations,
      previewDigest: preview.digest,
      idempotencyKey: io.newKey(),
    },
    commandBody,
  );
  const view = await untilAnswered(api, io, command, waitMs);
  for (const line of args.json ? [json({ command: view })] : outcomeLines(view)) io.out(line);
  return exitOf(view);
}
