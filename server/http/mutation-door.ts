import { isAllowedOrigin, isForeignFetch, type DoorRules } from '../auth/doors';
import { RecloserError } from '../services/errors';
import { isJsonType } from './json-body';

const READING = new Set(['GET', 'HEAD']);

export function isReading(method: string): boolean {
  return READING.has(method);
}

/**
 * A form cannot send JSON, a browser always says where a changing request comes from, and a script
 * without a browser says nothing: what is said must be right.
 */
export function checkApiDoor(request: Request, rules: DoorRules): void {
  const { headers, method } = request;
  if (isForeignFetch(headers.get('sec-fetch-site') ?? undefined)) {
    throw new RecloserError('not_allowed', 'Requests from other sites are refused.');
  }
  if (isReading(method)) return;
  const origin = headers.get('origin');
  if (origin !== null && !isAllowedOrigin(rules, origin)) {
    throw new RecloserError('not_allowed', 'Requests from this origin are refused.');
  }
  // Any other method is refused by the path itself, which says what it takes.
  if (method === 'POST' && !isJsonType(headers.get('content-type'))) {
    throw new RecloserError('unsupported_media_type', 'Send application/json.');
  }
}
