import { CloseCode, mayReconnect } from '../../protocol/version';
import type { WireEnd } from '../ports';
import { plainText } from '../text';

/** What the server said before the connection ended. */
export type Farewell = {
  readonly permanent?: string;
  readonly retryAfterMs?: number;
  /** We ended it: the close code says nothing about the server. */
  readonly ours?: boolean;
};

export type Verdict =
  | { readonly kind: 'transient'; readonly why: string }
  | { readonly kind: 'hinted'; readonly retryAfterMs: number; readonly why: string }
  | { readonly kind: 'permanent'; readonly why: string };

function closeReason(end: WireEnd): string {
  const text = plainText(end.reason ?? '', 120);
  return text === '' ? `close code ${end.code}` : `close code ${end.code}: ${text}`;
}

function transientReason(end: WireEnd): string {
  if (end.httpStatus !== undefined) return `HTTP status ${end.httpStatus}`;
  return end.error === undefined ? closeReason(end) : plainText(end.error, 200);
}

function permanentReason(end: WireEnd, farewell: Farewell): string | null {
  if (farewell.permanent !== undefined) return farewell.permanent;
  if (end.httpStatus === 401) return 'the token was not accepted (HTTP 401)';
  if (end.httpStatus === 403) return 'the console refuses this agent (HTTP 403)';
  if (farewell.ours === true || end.code === undefined || mayReconnect(end.code)) return null;
  if (end.code === CloseCode.Replaced) return 'another process runs under the same identity';
  return closeReason(end);
}

/** Whether and how soon it makes sense to come back. */
export function judgeEnd(end: WireEnd, farewell: Farewell): Verdict {
  const permanent = permanentReason(end, farewell);
  if (permanent !== null) return { kind: 'permanent', why: permanent };
  const retryAfterMs = farewell.retryAfterMs ?? end.retryAfterMs;
  const why = transientReason(end);
  return retryAfterMs === undefined
    ? { kind: 'transient', why }
    : { kind: 'hinted', retryAfterMs, why };
}
