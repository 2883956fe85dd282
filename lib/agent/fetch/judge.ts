import { classifyError, type Failure } from '../../breaker';

/** Answers that no target gave: refused calls that were turned into a 503. */
const ownAnswers = new WeakSet<Response>();

export function markOwn(response: Response): Response {
  ownAnswers.add(response);
  return response;
}

export type ClassifyResponse = (response: Response) => Failure | 'success' | undefined;

/** What the status says about the target; null for a success. */
export function judgeResponse(
  response: Response,
  classify: ClassifyResponse | undefined,
): Failure | null {
  const own = askUser(response, classify);
  if (own !== undefined) return own === 'success' ? null : own;
  if (ownAnswers.has(response)) return 'rejected_local';
  const { status, headers } = response;
  if (status < 400) return null;
  return classifyError({ status, headers }, () => sentAt(headers));
}

function askUser(response: Response, classify: ClassifyResponse | undefined) {
  try {
    return classify?.(response);
  } catch {
    // A filter that fails must not turn a good answer into a failed call.
    return undefined;
  }
}

/** A `Retry-After` that is a date is read against the date of the same answer: clocks differ. */
function sentAt(headers: Headers): number {
  const sent = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(sent) ? Date.now() : sent;
}

/**
 * What fetch throws for its arguments has no cause; a failed connection has one. The target had no
 * part in the former.
 */
export function isCallersMistake(error: unknown): boolean {
  if (!(error instanceof TypeError)) return false;
  if (!('cause' in error)) return true;
  const { cause } = error;
  return (
    typeof cause === 'object' && cause !== null && Reflect.get(cause, 'code') === 'ERR_INVALID_URL'
  );
}

/** A connection that is lost after the headers is a broken answer, not a refused call. */
export function judgeBodyError(error: unknown): Failure {
  const failure = classifyError(error);
  return failure === 'refused' ? 'server_error' : failure;
}
