/** An identity provider on loopback: says of whoever comes what the test wants it to say. */
import { createPublicKey, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

const url64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

export type Claims = {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
  /** Instead of what the console asked for. */
  nonce?: string;
  aud?: string;
};

export async function openProvider() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const jwk = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' };
  const state = {
    claims: { sub: 'u1', email: 'kim@example.test', email_verified: true, name: 'Kim' } as Claims,
    /** Signed by a key that the provider has not published. */
    isForged: false,
  };
  const codes = new Map<string, string>();

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const answer = (body: unknown) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    if (path === '/.well-known/openid-configuration') {
      return answer({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ['RS256'],
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
      });
    }
    if (path === '/jwks') return answer({ keys: [{ ...jwk, use: 'sig' }] });
    if (path !== '/token') {
      response.statusCode = 404;
      return response.end();
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const nonce = codes.get(new URLSearchParams(body).get('code') ?? '');
      const now = Math.floor(Date.now() / 1_000);
      const claims = { iss: issuer, aud: 'console', iat: now, exp: now + 300, nonce };
      const signed = `${url64({ alg: 'RS256', kid: 'k1' })}.${url64({ ...claims, ...state.claims })}`;
      const signature = createSign('SHA256')
        .update(signed)
        .sign(state.isForged ? other : privateKey, 'base64url');
      answer({ access_token: 'at', token_type: 'Bearer', id_token: `${signed}.${signature}` });
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    state,
    /** What the browser brings back after signing in there. */
    approve(authorizeUrl: string): string {
      const asked = new URL(authorizeUrl).searchParams;
      const code = randomBytes(8).toString('hex');
      codes.set(code, asked.get('nonce') ?? '');
      return `?code=${code}&state=${asked.get('state') ?? ''}`;
    },
  };
}
export type Provider = Awaited<ReturnType<typeof openProvider>>;
