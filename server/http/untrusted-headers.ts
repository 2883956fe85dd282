import type { IncomingMessage } from 'node:http';

/** Headers that a framework or a proxy would set; from a client they are only a way to be believed. */
const UNTRUSTED =
  /^(forwarded|x-forwarded-.*|x-real-ip|x-middleware-.*|x-invoke-.*|x-matched-path|x-now-.*|x-vercel-.*|x-nextjs-data|next-action|x-nonce|content-security-policy(-report-only)?)$/;

export function dropUntrustedHeaders(request: Pick<IncomingMessage, 'headers'>): void {
  for (const name of Object.keys(request.headers)) {
    if (UNTRUSTED.test(name)) delete request.headers[name];
  }
}
