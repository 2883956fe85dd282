import { z } from 'zod';
import { commandKind } from '../protocol/breaker-state';
import { label, name } from '../protocol/primitives';
import { AGENT_PATH } from '../protocol/version';
import { RecloserConfigError } from './config-error';
import { DEFAULT_KINDS, MAX_LEASE_MS, type LocalPolicy } from './overrides/policy';
import type { AgentLogger } from './ports';

export type RecloserOptions = {
  /** Name of this service, 1 to 128 visible characters. */
  readonly service: string;
  /** Where it runs, for example `production`. */
  readonly environment: string;
  /** Address of the console: `http(s)://host:port` or `ws(s)://host:port`. */
  readonly url: string;
  /** Agent token of the console, `rcl_a_…`. */
  readonly token: string;
  /** Stable id of this copy; a random one per process when left out. */
  readonly instance?: string;
  /** Label of a replica that outlives restarts, for example a pod ordinal. */
  readonly replica?: string;
  /** Default: the host name of the machine. */
  readonly host?: string;
  /** Version of the service. */
  readonly version?: string;
  /** Who answers for the service: a team, a channel, a pager. On the page of each breaker. */
  readonly owner?: string;
  /** What the console may do here. Default `['force_open', 'reset']`; `[]` allows nothing. */
  readonly allowRemote?: readonly ('force_open' | 'force_closed' | 'reset')[];
  /** Longest lease accepted, in ms. Default 4 h; `force_closed` never more than 30 min. */
  readonly maxLeaseMs?: number;
  /** Ids of the keys of the console that may sign commands; left out: commands need no signature. */
  readonly commandKeys?: readonly string[];
  /** PEM files of a client certificate, for a console that wants one; read at each connection. */
  readonly clientCertificate?: { readonly certFile: string; readonly keyFile: string };
  /** Default: standard error, and only when the console is lost, back, or refuses the agent. */
  readonly logger?: AgentLogger;
  /** False: breakers work, nothing is sent or obeyed. */
  readonly enabled?: boolean;
};

export type Settings = {
  readonly service: string;
  readonly environment: string;
  readonly url: string;
  readonly token: string;
  readonly instance: string | undefined;
  readonly replica: string | undefined;
  readonly host: string | undefined;
  readonly version: string | undefined;
  readonly owner: string | undefined;
  readonly policy: LocalPolicy;
  readonly commandKeys: readonly string[];
  readonly clientCertificate: RecloserOptions['clientCertificate'];
  readonly logger: AgentLogger | undefined;
};

function socketUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  if (!secure && url.protocol !== 'http:' && url.protocol !== 'ws:') return null;
  // Credentials belong in the token, not in an address that ends up in logs.
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return null;
  }
  const base = url.pathname.replace(/\/+$/, '');
  const path = base.endsWith(AGENT_PATH) ? base : `${base}${AGENT_PATH}`;
  return `${secure ? 'wss' : 'ws'}://${url.host}${path}`;
}

const url = z.string().transform((text, context) => {
  const result = socketUrl(text);
  if (result !== null) return result;
  context.addIssue('must be http(s)://host:port or ws(s)://host:port, without user or query');
  return z.NEVER;
});

const logger = z.custom<AgentLogger>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'info') === 'function' &&
    typeof Reflect.get(value, 'error') === 'function',
  'must have the methods info and error',
);

const token = z
  .string()
  .regex(/^[\x21-\x7e]{1,512}$/, 'must be 1 to 512 printable ASCII characters without spaces');

const keyId = z
  .string()
  .regex(
    /^[0-9a-f]{64}$/,
    'must be the id of a key: 64 hex digits, as `recloser command-key` says',
  );

const common = {
  service: name,
  environment: name,
  instance: name.optional(),
  replica: label.min(1).optional(),
  host: label.min(1).optional(),
  version: label.min(1).optional(),
  owner: label.min(1).optional(),
  allowRemote: z.array(commandKind).readonly().optional(),
  maxLeaseMs: z.number().min(1000).max(MAX_LEASE_MS).optional(),
  commandKeys: z.array(keyId).min(1).max(8).readonly().optional(),
  clientCertificate: z
    .strictObject({ certFile: z.string().min(1), keyFile: z.string().min(1) })
    .readonly()
    .optional(),
  logger: logger.optional(),
  enabled: z.boolean().optional(),
};

const connected = z.strictObject({ ...common, url, token });
// A switched-off agent needs no console, so a missing address must not stop the service.
const switchedOff = z.strictObject({
  ...common,
  url: z.unknown().optional(),
  token: z.unknown().optional(),
});

function problemOf(error: z.ZodError): RecloserConfigError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    return new RecloserConfigError(issue.keys[0] ?? 'options', 'is not an option');
  }
  const option = issue?.path.map(String).join('.') ?? '';
  return new RecloserConfigError(option === '' ? 'options' : option, issue?.message ?? 'invalid');
}

function settingsOf(options: z.infer<typeof connected>): Settings {
  return {
    service: options.service,
    environment: options.environment,
    url: options.url,
    token: options.token,
    instance: options.instance,
    replica: options.replica,
    host: options.host,
    version: options.version,
    owner: options.owner,
    policy: {
      kinds: [...new Set(options.allowRemote ?? DEFAULT_KINDS)],
      maxLeaseMs: options.maxLeaseMs ?? MAX_LEASE_MS,
    },
    commandKeys: options.commandKeys ?? [],
    clientCertificate: options.clientCertificate,
    logger: options.logger,
  };
}

/** Throws, naming the option, for anything that could not work. Null: switched off. */
export function readOptions(
  options: RecloserOptions,
  killSwitch: string | undefined,
): Settings | null {
  const off = options?.enabled === false || killSwitch === '1' || killSwitch === 'true';
  if (off) {
    const checked = switchedOff.safeParse(options);
    if (!checked.success) throw problemOf(checked.error);
    return null;
  }
  const result = connected.safeParse(options);
  if (!result.success) throw problemOf(result.error);
  return settingsOf(result.data);
}
