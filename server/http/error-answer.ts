import type { ErrorBody, ErrorCode } from '@/lib/protocol/api';
import { RecloserError } from '../services/errors';

export type Failure = { readonly status: number; readonly body: ErrorBody };

export function failure(
  status: number,
  code: ErrorCode,
  message: string,
  requestId: string,
): Failure {
  return { status, body: { error: { code, message, requestId } } };
}

type Details = NonNullable<ErrorBody['error']['details']>;

/** What a caller may know of something that was thrown; null when it is our fault and stays ours. */
export function failureOf(thrown: unknown, requestId: string): Failure | null {
  if (!(thrown instanceof RecloserError) || thrown.code === 'internal') return null;
  const { code, message, details, status } = thrown;
  const answer = failure(status, code, message, requestId);
  // The class demands plain JSON of whoever throws it.
  if (details !== undefined) answer.body.error.details = details as Details;
  return answer;
}

export function unexpected(requestId: string): Failure {
  return failure(500, 'internal', 'Unexpected failure; the log knows more.', requestId);
}
