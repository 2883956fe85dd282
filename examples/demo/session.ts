import { z } from 'zod';
import { CSRF_HEADER } from '@/lib/protocol/csrf';
import type { DemoPerson } from './people';

const me = z.object({ csrf: z.string() });

export type DemoSession = {
  readonly url: string;
  /** For `addCookies` of a browser. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** Of every request; the CSRF token is harmless on one that reads. */
  readonly headers: Readonly<Record<string, string>>;
};

/** Signs in over HTTP, as the sign-in page does. */
export async function signIn(
  url: string,
  { email, password }: Pick<DemoPerson, 'email' | 'password'>,
): Promise<DemoSession> {
  const answer = await fetch(new URL('/api/sign-in', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const [pair = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? [];
  if (!answer.ok || pair === '') throw new Error(`not signed in: ${await answer.text()}`);
  const seen = await fetch(new URL('/api/me', url), { headers: { cookie: pair } });
  const { csrf } = me.parse(await seen.json());
  const cut = pair.indexOf('=');
  return {
    url,
    cookie: { name: pair.slice(0, cut), value: pair.slice(cut + 1) },
    headers: { cookie: pair, [CSRF_HEADER]: csrf },
  };
}
