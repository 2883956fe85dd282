/** The console's own API with an API token: the command line can do nothing that the API cannot. */
import type { z } from 'zod';
import { errorBody } from '@/lib/protocol/api';
import type { CliIo } from './io';
import { CliProblem, EXIT, usageProblem, type ExitCode } from './problem';
import { visible } from './text';

export const DEFAULT_URL = 'http://127.0.0.1:4600';
const TOKEN_SHAPE = /^rcl_u_[0-9A-Za-z]{20,64}$/;

export type Api = {
  get<S extends z.ZodType>(path: string, answer: S): Promise<z.output<S>>;
  post<S extends z.ZodType>(path: string, body: unknown, answer: S): Promise<z.output<S>>;
};

function baseUrl(environment: CliIo['environment']): URL {
  const text = environment['RECLOSER_URL'] ?? DEFAULT_URL;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw usageProblem('RECLOSER_URL must be the address of the console, like https://host:4600.');
  }
  return url;
}

/** [S-18] From the environment or a file, never from the command line, which every user can list. */
function tokenOf({ environment, readFile }: CliIo): string {
  const { RECLOSER_TOKEN: direct, RECLOSER_TOKEN_FILE: file } = environment;
  let token = direct?.trim();
  if (token === undefined && file !== undefined) {
    try {
      token = readFile(file).trim();
    } catch {
      throw usageProblem(`RECLOSER_TOKEN_FILE cannot be read: ${visible(file)}`);
    }
  }
  if (token === undefined || token === '') {
    throw usageProblem(
      'Set RECLOSER_TOKEN or RECLOSER_TOKEN_FILE to an API token; you make one on your profile page.',
    );
  }
  if (!TOKEN_SHAPE.test(token)) {
    throw usageProblem('The token is not an API token: those start with rcl_u_.');
  }
  return token;
}

const exitByCode: Readonly<Record<string, ExitCode>> = { conflict: EXIT.conflict };

const hints: Readonly<Record<string, string>> = {
  not_signed_in: ' The token is unknown, expired or revoked.',
  step_up_needed: ' It needs a fresh sign-in factor, which only a person in the console can give.',
};

async function problemOf(response: Response): Promise<CliProblem> {
  const parsed = errorBody.safeParse(await response.json().catch(() => null));
  if (!parsed.success) {
    return new CliProblem(`The server answered ${response.status} without saying why.`);
  }
  const { code, message, requestId } = parsed.data.error;
  const reference = requestId === undefined ? '' : ` (${requestId})`;
  return new CliProblem(
    `${visible(message)}${hints[code] ?? ''}${reference}`,
    exitByCode[code] ?? EXIT.failed,
  );
}

export function createApi(io: CliIo): Api {
  const base = baseUrl(io.environment);
  const token = tokenOf(io);

  async function call<S extends z.ZodType>(
    path: string,
    { headers, ...init }: { method: string; headers?: Record<string, string>; body?: string },
    answer: S,
  ): Promise<z.output<S>> {
    let response: Response;
    try {
      response = await io.fetch(new URL(path, base), {
        ...init,
        headers: { ...headers, authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(30_000),
      });
    } catch {
      throw new CliProblem(`No answer from ${base.origin}.`);
    }
    if (!response.ok) throw await problemOf(response);
    const parsed = answer.safeParse(await response.json().catch(() => null));
    if (parsed.success) return parsed.data;
    throw new CliProblem('The answer is not understood: command and server differ in version.');
  }

  return {
    get: (path, answer) => call(path, { method: 'GET' }, answer),
    post: (path, body, answer) =>
      call(
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        answer,
      ),
  };
}
