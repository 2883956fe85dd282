/** A route is data: what it takes, what it answers, and a handler that only calls a service. */
import { z } from 'zod';
import type { Exchange } from '../auth/identity/exchange';
import type { Identity } from '../auth/identity/identity';
import type { AuditFile, Door } from '../services/contract';
import type { Screens } from '../services/screens/contract';
import { RecloserError } from '../services/errors';

export type RouteContext = {
  readonly identity: Identity;
  /** Who asks, and the cookies that the answer sets. */
  readonly exchange: Exchange;
  /** The CSRF token of the session; empty without one. */
  readonly csrf: string;
  /** Only what this caller may do, refused by the gate otherwise. */
  readonly services: Door;
  /** [S-44] What the token of a screen opens. */
  readonly screens: Screens;
  /** Browsers reach the console over TLS. */
  readonly isSecure: boolean;
  readonly now: () => number;
};

/** `open`: the ways in. Everything else needs a session that is still good. */
export type Access = 'open' | 'session';

export type RawInput = {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
};

export type Route = {
  readonly method: 'get' | 'post';
  /** With `{name}` for a part that varies. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** The store stays as it is, so that a damaged one does not stand in the way. */
  readonly writesNothing: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly params: z.ZodType;
  readonly query: z.ZodType;
  readonly body: z.ZodType | null;
  readonly status: 200 | 201 | 202;
  readonly response: z.ZodType;
  /** Media types of a route that answers with a file instead of JSON. */
  readonly files?: readonly string[];
  run(raw: RawInput, context: RouteContext): Promise<unknown>;
};

const nothing = z.object({});
type Nothing = typeof nothing;

/** `?active`, `?active=1` and `?active=true` mean the same. */
export const flag = z
  .enum(['', '1', 'true', '0', 'false'])
  .transform((text) => text !== '0' && text !== 'false');

export const idParams = z.object({ id: z.string().min(1).max(64) });

type Spec<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly summary: string;
  /** `session` when left out. */
  readonly access?: Access;
  /** Whatever gets; a post has to say so. */
  readonly writesNothing?: boolean;
  /** Of an answer that goes well. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly status?: 200 | 201 | 202;
  readonly response: R;
  readonly files?: readonly string[];
  handle(
    input: {
      readonly params: z.output<P>;
      readonly query: z.output<Q>;
      readonly body: z.output<B>;
    },
    context: RouteContext,
  ): Promise<z.input<R> | AuditFile> | z.input<R>;
};

const MAX_ISSUES = 5;

function parse<T extends z.ZodType>(where: string, schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: [where, ...issue.path.map(String)].join('.'),
    message: issue.message,
  }));
  const [first] = issues;
  const message = first === undefined ? `${where} is not valid` : `${first.path}: ${first.message}`;
  throw new RecloserError('invalid_input', message, { details: { issues } });
}

export function route<
  R extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(spec: Spec<P, Q, B, R>): Route {
  const { method, path, summary, response, status = 200, access = 'session', headers = {} } = spec;
  // A part that is left out takes anything and yields nothing.
  const params = spec.params ?? (nothing as z.ZodType as P);
  const query = spec.query ?? (nothing as z.ZodType as Q);
  const body = spec.body ?? (nothing as z.ZodType as B);
  return {
    method,
    path,
    summary,
    access,
    writesNothing: spec.writesNothing ?? method === 'get',
    headers,
    params,
    query,
    body: spec.body ?? null,
    status,
    response,
    ...(spec.files === undefined ? {} : { files: spec.files }),
    async run(raw, context) {
      const input = {
        params: parse('path', params, raw.params),
        query: parse('query', query, raw.query),
        body: parse('body', body, raw.body),
      };
      return spec.handle(input, context);
    },
  };
}
