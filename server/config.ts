/** The only reader of the environment. Everything else gets a `Config`. */
import { z } from 'zod';
import { logLevels, type LogLevel } from './log';

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly logLevel: LogLevel;
  readonly allowedHosts: readonly string[];
  readonly sampleRetentionDays: number;
  /** Where audit rows are copied to: a file, `stdout`, or null for nowhere. */
  readonly auditLog: string | null;
  readonly pages: 'on' | 'off';
  readonly mode: 'development' | 'production';
  /** Where `drizzle` and the built pages are: the folder that it is started in. */
  readonly rootDir: string;
};

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
const HOST_LIST = /^[a-z0-9.-]+(:\d{1,5})?$/i;

const hostList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .refine((hosts) => hosts.every((host) => HOST_LIST.test(host)));

type Setting = {
  readonly name: string;
  readonly fallback: string;
  /** What it takes, in words. */
  readonly accepts: string;
  readonly meaning: string;
};

const settings = {
  port: {
    name: 'PORT',
    fallback: '4600',
    accepts: 'a whole number from 0 to 65535 (0: any free port)',
    meaning: 'port of pages, API and sockets',
    schema: wholeNumber(0, 65_535),
  },
  host: {
    name: 'HOST',
    fallback: '127.0.0.1',
    accepts: 'a loopback address (127.0.0.1, ::1, localhost); there is no sign-in yet',
    meaning: 'address to listen on',
    schema: z.string().regex(LOOPBACK),
  },
  dataDir: {
    name: 'RECLOSER_DATA_DIR',
    fallback: './data',
    accepts: 'a folder, made when it is missing',
    meaning: 'where the database file is',
    schema: z.string().min(1),
  },
  logLevel: {
    name: 'RECLOSER_LOG_LEVEL',
    fallback: 'info',
    accepts: logLevels.join(', '),
    meaning: 'least important log line to write',
    schema: z.enum(logLevels),
  },
  allowedHosts: {
    name: 'RECLOSER_ALLOWED_HOSTS',
    fallback: '',
    accepts: 'host or host:port, several with commas; no wildcards, no scheme',
    meaning: 'names besides loopback under which a proxy on this machine serves the console',
    schema: hostList,
  },
  sampleRetentionDays: {
    name: 'RECLOSER_SAMPLE_RETENTION_DAYS',
    fallback: '7',
    accepts: 'a whole number from 1 to 365',
    meaning: 'days to keep samples and probes; events and audit stay',
    schema: wholeNumber(1, 365),
  },
  auditLog: {
    name: 'RECLOSER_AUDIT_LOG',
    fallback: '',
    accepts: 'a path, or stdout',
    meaning: 'second place of the audit trail, as JSON lines: best on another disk or machine',
    schema: z.string().transform((text) => (text === '' ? null : text)),
  },
  pages: {
    name: 'RECLOSER_PAGES',
    fallback: 'on',
    accepts: 'on, off',
    meaning: 'serve the pages; off leaves API and sockets only',
    schema: z.enum(['on', 'off']),
  },
  mode: {
    name: 'NODE_ENV',
    fallback: 'production',
    accepts: 'production, development',
    meaning: 'development compiles pages on demand and reloads them',
    schema: z.enum(['production', 'development']),
  },
} as const satisfies Record<string, Setting & { readonly schema: z.ZodType }>;

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
  const shown = JSON.stringify(text.slice(0, MAX_ECHO));
  throw new ConfigError(`${setting.name} is ${shown}, but must be ${setting.accepts}.`);
}

/** Throws `ConfigError` naming the first setting that is not usable. */
export function parseConfig(environment: Environment, rootDir: string): Config {
  return {
    port: read(settings.port, environment),
    host: read(settings.host, environment),
    dataDir: read(settings.dataDir, environment),
    logLevel: read(settings.logLevel, environment),
    allowedHosts: read(settings.allowedHosts, environment),
    sampleRetentionDays: read(settings.sampleRetentionDays, environment),
    auditLog: read(settings.auditLog, environment),
    pages: read(settings.pages, environment),
    mode: read(settings.mode, environment),
    rootDir,
  };
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
