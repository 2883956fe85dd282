/** Every setting: its name, what it takes, and what it is when nothing is said. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { logLevels } from './log';
import { isRange } from './notices/destination';

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((value) => value >= min && value <= max);

const ADDRESS = /^([a-z0-9.-]+|[0-9a-f:.]+)$/i;
const MIN_SECRET = 32;
const HOST_LIST = /^[a-z0-9.-]+(:\d{1,5})?$/i;

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
);
const hostList = commaList.refine((hosts) => hosts.every((host) => HOST_LIST.test(host)));
const addressList = commaList
  .transform((list) => list.map((one) => one.toLowerCase()))
  .refine((list) => list.every((address) => isIP(address) !== 0));

const PUBLIC_URL =
  /^(https:\/\/[a-z0-9.-]+|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))(:\d{1,5})?$/i;
const ISSUER = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(\/|$))[^?#\s]*$/i;

const secretList = commaList.refine(
  (list) => list.length <= 2 && list.every((one) => one.length >= MIN_SECRET),
);
const rangeList = commaList.refine((list) => list.every(isRange));

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  const web = protocol === 'https:' || protocol === 'http:';
  return web && username === '' && password === '' && hash === '';
}

export type Setting = {
  readonly name: string;
  readonly fallback: string;
  /** What it takes, in words. */
  readonly accepts: string;
  readonly meaning: string;
  /** Never printed back. */
  readonly isSecret?: boolean;
};

export const settings = {
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
    accepts: 'an address of this machine; other than loopback only with TLS or behind a TLS proxy',
    meaning: 'address to listen on',
    schema: z.string().regex(ADDRESS),
  },
  publicUrl: {
    name: 'RECLOSER_URL',
    fallback: '',
    accepts: 'https://host or https://host:port (http:// on loopback only), without a path',
    meaning: 'where browsers reach the console; passkeys and the identity provider are bound to it',
    schema: z.union([z.literal(''), z.string().regex(PUBLIC_URL)]),
  },
  tlsCert: {
    name: 'RECLOSER_TLS_CERT',
    fallback: '',
    accepts: 'a file with the certificate and its chain, PEM',
    meaning: 'certificate with which this process speaks TLS itself',
    schema: z.string(),
  },
  tlsKey: {
    name: 'RECLOSER_TLS_KEY',
    fallback: '',
    accepts: 'a file with the private key, PEM',
    meaning: 'key of RECLOSER_TLS_CERT',
    schema: z.string(),
  },
  agentCa: {
    name: 'RECLOSER_AGENT_CA',
    fallback: '',
    accepts: 'a file with one or more certificates, PEM; with RECLOSER_TLS_CERT only',
    meaning: 'authority of client certificates, which agents then need besides their token',
    schema: z.string(),
  },
  agentCrl: {
    name: 'RECLOSER_AGENT_CRL',
    fallback: '',
    accepts: 'a file with the revoked ones of that authority, PEM, read at the start',
    meaning: 'without it, client certificates may be valid for 24 hours at most',
    schema: z.string(),
  },
  trustedProxies: {
    name: 'RECLOSER_BEHIND_TLS_PROXY',
    fallback: '',
    accepts: 'addresses (no names, no ranges), several with commas',
    meaning:
      'proxies that speak TLS in front of this process; nothing else may connect from outside',
    schema: addressList,
  },
  secret: {
    name: 'RECLOSER_SECRET',
    fallback: '',
    accepts: `one secret of at least ${MIN_SECRET} characters, or the new and the old one with a comma`,
    meaning:
      'signs cookies and encrypts stored secrets; left out, it is made and kept in the data folder',
    schema: secretList,
    isSecret: true,
  },
  oidcIssuer: {
    name: 'RECLOSER_OIDC_ISSUER',
    fallback: '',
    accepts: 'the https:// address of the issuer (http:// on loopback only)',
    meaning: 'identity provider for sign-in; needs RECLOSER_OIDC_CLIENT_ID and _CLIENT_SECRET too',
    schema: z.union([z.literal(''), z.string().regex(ISSUER)]),
  },
  oidcClientId: {
    name: 'RECLOSER_OIDC_CLIENT_ID',
    fallback: '',
    accepts: 'a text',
    meaning: 'what the provider calls this console',
    schema: z.string().max(256),
  },
  oidcClientSecret: {
    name: 'RECLOSER_OIDC_CLIENT_SECRET',
    fallback: '',
    accepts: 'a text',
    meaning: 'secret of that client',
    schema: z.string().max(1_024),
    isSecret: true,
  },
  oidcLabel: {
    name: 'RECLOSER_OIDC_LABEL',
    fallback: 'Single sign-on',
    accepts: 'a text of at most 40 characters',
    meaning: 'words on the button',
    schema: z.string().max(40),
  },
  oidcDefaultRole: {
    name: 'RECLOSER_OIDC_DEFAULT_ROLE',
    fallback: 'none',
    accepts: 'none, viewer, responder, operator',
    meaning: 'role of people whom the provider knows and nobody invited; none refuses them',
    schema: z.enum(['none', 'viewer', 'responder', 'operator']),
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
  overridesPerPerson: {
    name: 'RECLOSER_OVERRIDES_PER_MINUTE',
    fallback: '10',
    accepts: 'a whole number from 1 to 100000',
    meaning: 'overrides that one person may ask for in a minute; returning is never limited',
    schema: wholeNumber(1, 100_000),
  },
  overridesInAll: {
    name: 'RECLOSER_OVERRIDES_PER_MINUTE_IN_ALL',
    fallback: '60',
    accepts: 'a whole number from 1 to 100000',
    meaning: 'the same for everybody together',
    schema: wholeNumber(1, 100_000),
  },
  auditLog: {
    name: 'RECLOSER_AUDIT_LOG',
    fallback: '',
    accepts: 'a path, or stdout',
    meaning: 'second place of the audit trail, as JSON lines: best on another disk or machine',
    schema: z.string().transform((text) => (text === '' ? null : text)),
  },
  auditLogRequired: {
    name: 'RECLOSER_AUDIT_LOG_REQUIRED',
    fallback: 'off',
    accepts: 'on, off',
    meaning: 'on: while that second place takes no rows, nothing is changed but back to automatic',
    schema: z.enum(['on', 'off']),
  },
  webhookUrl: {
    name: 'RECLOSER_WEBHOOK_URL',
    fallback: '',
    accepts: 'an http or https address without user and without #',
    meaning: 'is told of each use of break-glass, in a signed POST',
    schema: z.string().refine((text) => text === '' || isWebhookUrl(text)),
  },
  webhookSecret: {
    name: 'RECLOSER_WEBHOOK_SECRET',
    fallback: '',
    accepts: 'one secret of at least 32 characters, or two with a comma while it is changed',
    meaning: 'signs what is sent there',
    schema: secretList,
    isSecret: true,
  },
  webhookAllow: {
    name: 'RECLOSER_WEBHOOK_ALLOW',
    fallback: '',
    accepts: 'addresses or ranges like 10.1.0.0/16, with commas',
    meaning: 'private addresses in which that address may be',
    schema: rangeList,
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
