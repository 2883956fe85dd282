/** The only reader of the environment. Everything else gets a `Config`. */
import type { z } from 'zod';
import type { LogLevel } from './log';
import type { WebhookSettings } from './notices/webhook';
import { settings, type Setting } from './settings';

export type Config = {
  readonly port: number;
  readonly host: string;
  /** Where browsers reach the console; null means `http://localhost` and the port. */
  readonly publicUrl: string | null;
  /** Files, PEM. Null when this process does not speak TLS. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
  /** Files, PEM. Null when agents need no client certificate. */
  readonly agentCa: { readonly caFile: string; readonly crlFile: string | null } | null;
  /** Addresses of proxies that speak TLS in front of this process; their forwarded address is believed. */
  readonly trustedProxies: readonly string[];
  /** Empty: made once and kept in the data folder. */
  /** The one of now, and the one before it while it is changed. */
  readonly secret: readonly string[];
  readonly oidc: OidcSettings | null;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly allowedHosts: readonly string[];
  readonly sampleRetentionDays: number;
  /** Overrides a minute of one person, and of all together. */
  readonly overrideLimits: { readonly perPerson: number; readonly inAll: number };
  /** Where audit rows are copied to: a file, `stdout`, or null for nowhere. */
  readonly auditLog: string | null;
  /** Without the copy nothing is changed. */
  readonly auditLogRequired: boolean;
  /** Where notices are sent to; null for nowhere. */
  readonly webhook: WebhookSettings | null;
  readonly pages: 'on' | 'off';
  readonly mode: 'development' | 'production';
  /** Where `drizzle` and the built pages are: the folder that it is started in. */
  readonly rootDir: string;
};

export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly label: string;
  readonly defaultRole: 'viewer' | 'responder' | 'operator' | null;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export type Environment = Readonly<Record<string, string | undefined>>;

const MAX_ECHO = 60;

function read<T>(
  setting: Setting & { readonly schema: z.ZodType<T> },
  environment: Environment,
): T {
  const given = environment[setting.name];
  const text = given === undefined || given.trim() === '' ? setting.fallback : given.trim();
  const parsed = setting.schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const shown = setting.isSecret === true ? 'set' : JSON.stringify(text.slice(0, MAX_ECHO));
  throw new ConfigError(`${setting.name} is ${shown}, but must be ${setting.accepts}.`);
}

/** [S-26] Those of `RECLOSER_SECRET`, the one of now first; none when it is not set. Throws `ConfigError`. */
export const readSecret = (environment: Environment): readonly string[] =>
  read(settings.secret, environment);

function readTls(environment: Environment): Config['tls'] {
  const certFile = read(settings.tlsCert, environment);
  const keyFile = read(settings.tlsKey, environment);
  if (certFile === '' && keyFile === '') return null;
  if (certFile !== '' && keyFile !== '') return { certFile, keyFile };
  throw new ConfigError('RECLOSER_TLS_CERT and RECLOSER_TLS_KEY go together; set both or none.');
}

function readAgentCa(environment: Environment, tls: Config['tls']): Config['agentCa'] {
  const caFile = read(settings.agentCa, environment);
  const crlFile = read(settings.agentCrl, environment);
  if (caFile === '' && crlFile === '') return null;
  if (caFile === '') throw new ConfigError('RECLOSER_AGENT_CRL needs RECLOSER_AGENT_CA as well.');
  // What a proxy says of a certificate would be a header that anybody can send.
  if (tls === null) {
    throw new ConfigError('RECLOSER_AGENT_CA needs RECLOSER_TLS_CERT and RECLOSER_TLS_KEY.');
  }
  return { caFile, crlFile: crlFile === '' ? null : crlFile };
}

function readWebhook(environment: Environment): WebhookSettings | null {
  const url = read(settings.webhookUrl, environment);
  const secrets = read(settings.webhookSecret, environment);
  const allowed = read(settings.webhookAllow, environment);
  if (url === '' && secrets.length === 0) return null;
  if (url !== '' && secrets.length > 0) return { url, secrets, allowed };
  throw new ConfigError(
    'RECLOSER_WEBHOOK_URL and RECLOSER_WEBHOOK_SECRET go together; set both or none.',
  );
}

function readOidc(environment: Environment): OidcSettings | null {
  const issuer = read(settings.oidcIssuer, environment);
  const clientId = read(settings.oidcClientId, environment);
  const clientSecret = read(settings.oidcClientSecret, environment);
  if (issuer === '' && clientId === '' && clientSecret === '') return null;
  if (issuer === '' || clientId === '' || clientSecret === '') {
    throw new ConfigError(
      'RECLOSER_OIDC_ISSUER, _CLIENT_ID and _CLIENT_SECRET go together; set all or none.',
    );
  }
  const role = read(settings.oidcDefaultRole, environment);
  const label = read(settings.oidcLabel, environment);
  return { issuer, clientId, clientSecret, label, defaultRole: role === 'none' ? null : role };
}

/** [S-01] What others can reach is reached over TLS, and knows under which name. */
function checkExposure({ host, tls, trustedProxies, publicUrl }: Config): void {
  const hasTls = tls !== null || trustedProxies.length > 0;
  if (!LOOPBACK.test(host) && !hasTls) {
    throw new ConfigError(
      `HOST is ${JSON.stringify(host)}, which others reach: set RECLOSER_TLS_CERT and RECLOSER_TLS_KEY, or RECLOSER_BEHIND_TLS_PROXY.`,
    );
  }
  if (hasTls && publicUrl?.startsWith('https://') !== true) {
    throw new ConfigError('With TLS, RECLOSER_URL must say where browsers reach the console.');
  }
}

/** Throws `ConfigError` naming the first setting that is not usable. */
export function parseConfig(environment: Environment, rootDir: string): Config {
  const publicUrl = read(settings.publicUrl, environment).toLowerCase();
  const tls = readTls(environment);
  const config: Config = {
    port: read(settings.port, environment),
    host: read(settings.host, environment),
    publicUrl: publicUrl === '' ? null : publicUrl,
    tls,
    agentCa: readAgentCa(environment, tls),
    trustedProxies: read(settings.trustedProxies, environment),
    secret: readSecret(environment),
    oidc: readOidc(environment),
    dataDir: read(settings.dataDir, environment),
    logLevel: read(settings.logLevel, environment),
    allowedHosts: read(settings.allowedHosts, environment),
    sampleRetentionDays: read(settings.sampleRetentionDays, environment),
    overrideLimits: {
      perPerson: read(settings.overridesPerPerson, environment),
      inAll: read(settings.overridesInAll, environment),
    },
    auditLog: read(settings.auditLog, environment),
    auditLogRequired: read(settings.auditLogRequired, environment) === 'on',
    webhook: readWebhook(environment),
    pages: read(settings.pages, environment),
    mode: read(settings.mode, environment),
    rootDir,
  };
  checkExposure(config);
  if (config.auditLogRequired && config.auditLog === null) {
    throw new ConfigError('RECLOSER_AUDIT_LOG_REQUIRED is on: set RECLOSER_AUDIT_LOG as well.');
  }
  return config;
}

/** The text of `--help`. */
export function helpText(): string {
  const lines = Object.values(settings).map(
    ({ name, fallback, accepts, meaning }) =>
      `  ${name}\n      ${meaning}\n      default: ${fallback === '' ? '(none)' : fallback}; takes ${accepts}`,
  );
  return [
    'Recloser, an operations console for circuit breakers.',
    '',
    'Settings are environment variables:',
    '',
    ...lines,
    '',
  ].join('\n');
}
