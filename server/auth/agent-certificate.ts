/**
 * [S-37] Client certificates of agents. The certificate says which service it is
 * (`recloser://environment/service` as a URI in its subject alternative name), the token says what it
 * may be; together they open no more than both do.
 */
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { TokenRecord } from '../store/port';
import { covers } from '@/lib/protocol/access';

export type AgentCertificate = {
  /** Signed by the authority, in its time, and not revoked. */
  readonly trusted: boolean;
  readonly subjectAltName: string;
  /** Epoch milliseconds. */
  readonly validFrom: number;
  readonly validTo: number;
};

/** Without a list of revoked ones, a stolen certificate must end by itself. */
const MAX_LIFE_MS = 24 * 3_600_000;
/** Authorities date certificates back, for clocks that are behind. */
const BACKDATED_MS = 10 * 60_000;

/** Null for a connection without one. */
export function certificateOf(socket: Duplex): AgentCertificate | null {
  if (!(socket instanceof TLSSocket)) return null;
  const found = socket.getPeerX509Certificate();
  if (found === undefined) return null;
  return {
    trusted: socket.authorized,
    subjectAltName: found.subjectAltName ?? '',
    validFrom: Date.parse(found.validFrom),
    validTo: Date.parse(found.validTo),
  };
}

type Identity = { readonly environment: string; readonly service: string };

/** Null unless there is exactly one. Node quotes a name that could be taken for two. */
export function identityOf(subjectAltName: string): Identity | null {
  if (subjectAltName.includes('"')) return null;
  const uris = subjectAltName
    .split(', ')
    .filter((one) => one.startsWith('URI:recloser://'))
    .map((one) => one.slice('URI:recloser://'.length).split('/'));
  const [parts] = uris;
  if (uris.length !== 1 || parts?.length !== 2) return null;
  try {
    const [environment = '', service = ''] = parts.map(decodeURIComponent);
    return environment === '' || service === '' ? null : { environment, service };
  } catch {
    return null;
  }
}

function problemOf(
  certificate: AgentCertificate | null,
  rules: { readonly hasCrl: boolean; readonly now: number },
): string | null {
  if (certificate === null) return 'a client certificate is needed';
  const { trusted, validFrom, validTo } = certificate;
  if (!trusted || !(rules.now < validTo)) return 'the client certificate is not trusted';
  if (!rules.hasCrl && validTo - validFrom > MAX_LIFE_MS + BACKDATED_MS) {
    return 'the client certificate is valid for more than 24 hours';
  }
  return null;
}

/**
 * The token, cut to the one service that the certificate names and to the time until it ends; or
 * why they do not go together.
 */
export function certifiedToken(
  token: TokenRecord,
  certificate: AgentCertificate | null,
  rules: { readonly hasCrl: boolean; readonly now: number },
): { readonly token: TokenRecord } | { readonly problem: string } {
  const problem = problemOf(certificate, rules);
  if (certificate === null || problem !== null) return { problem: problem ?? '' };
  const named = identityOf(certificate.subjectAltName);
  if (named === null) return { problem: 'the client certificate names no service' };
  if (token.environment !== named.environment || !covers(token.servicePattern, named.service)) {
    return { problem: 'token and client certificate are of different services' };
  }
  const expiresAt = Math.min(token.expiresAt, certificate.validTo);
  return { token: { ...token, servicePattern: named.service, expiresAt } };
}
