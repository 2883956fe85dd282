import { z } from 'zod';
import type { DemoSession } from './session';

const created = z.object({ token: z.string().min(1) });

/** A token for the agents of the fleet. It lives in memory only and is never printed. */
export async function createToken(session: DemoSession, environment: string): Promise<string> {
  const response = await fetch(new URL('/api/tokens', session.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session.headers },
    body: JSON.stringify({
      name: 'Demo fleet',
      servicePattern: '*',
      environment,
      abilities: ['publish', 'obey'],
      expiresInDays: 1,
    }),
  });
  if (!response.ok) {
    throw new Error(`the console refused a token: ${response.status} ${await response.text()}`);
  }
  return created.parse(await response.json()).token;
}
