/** People for tests against a real server: made through the local door, signed in over HTTP. */
import type { Grant } from '@/lib/protocol/access';
import { CSRF_HEADER } from '@/lib/protocol/csrf';
import { openLocal } from '@/server/local';

export type TestPerson = {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly grants: readonly Grant[];
};

const EVERYWHERE = { environment: '*', service: '*' } as const;

export const person = (
  name: string,
  grants: readonly Grant[] = [{ role: 'admin', ...EVERYWHERE }],
): TestPerson => ({
  name,
  email: `${name}@example.test`,
  password: `plover-cabinet-${name.length}-tundra`,
  grants,
});

export const root = person('root');

/** The first one is the admin of the set-up. Works before, beside and after a server. */
export async function seedPeople(
  dataDir: string,
  others: readonly TestPerson[] = [],
): Promise<void> {
  const local = openLocal({ dataDir, rootDir: process.cwd() });
  try {
    const made = await local.entry.renewSetupToken();
    if (made !== null) {
      const { name, email, password } = root;
      await local.entry.setUp(local.caller, { token: made.token, name, email, password });
    }
    for (const { name, email, password, grants } of others) {
      const invited = { name, email, grants: [...grants] };
      const { code } = await local.people.invite(local.caller, invited);
      await local.entry.redeem(local.caller, { code, password });
    }
  } finally {
    await local.close();
  }
}

export type Session = {
  readonly cookie: string;
  readonly csrf: string;
  /** For a request that changes something; harmless on one that reads. */
  readonly headers: Readonly<Record<string, string>>;
};

export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0] ?? '')
    .filter((one) => !one.endsWith('='))
    .join('; ');

/** With the cookie of an answer that signed somebody in. */
export async function sessionOf(url: string, cookie: string): Promise<Session> {
  const me = await fetch(`${url}/api/me`, { headers: { cookie } });
  const { csrf } = (await me.json()) as { csrf: string };
  return { cookie, csrf, headers: { cookie, [CSRF_HEADER]: csrf } };
}

export async function signIn(url: string, who: TestPerson = root): Promise<Session> {
  const response = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: who.email, password: who.password }),
  });
  if (!response.ok) throw new Error(`not signed in: ${await response.text()}`);
  return sessionOf(url, cookiesOf(response));
}
