import type { ServerResponse } from 'node:http';
import type { Failure } from './error-answer';
import { CLOSED_CSP, setHeaders } from './headers';

/** An error answered before any router has seen the request. */
export function answerFailure(
  response: ServerResponse,
  { status, body }: Failure,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(body);
  setHeaders(response, {
    ...headers,
    'content-security-policy': CLOSED_CSP,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    // What is left of a body is not read.
    connection: 'close',
  });
  response.statusCode = status;
  response.end(text);
}
