/** The people of the demo, made beside the console's own door: nobody signs in to make them. */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Grant } from '@/lib/protocol/access';
import { grant } from '@/lib/protocol/grant';
import { openLocal } from '@/server/local';

const FILE = 'demo-people.json';

const demoPerson = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  grants: z.array(grant),
});
export type DemoPerson = z.infer<typeof demoPerson>;

const everywhere = (role: Grant['role']): Grant[] => [{ role, environment: '*', service: '*' }];

/** The first one sets the console up, so it is the admin. */
const CAST = [
  { name: 'Ada Admin', email: 'ada@demo.example', grants: everywhere('admin') },
  { name: 'Mara Operator', email: 'mara@demo.example', grants: everywhere('operator') },
  { name: 'Noor Approver', email: 'noor@demo.example', grants: everywhere('approver') },
] as const;

function castOf(dataDir: string): DemoPerson[] {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const people = CAST.map((one) => ({
      ...one,
      password: randomBytes(12).toString('base64url'),
    }));
    writeFileSync(path, JSON.stringify(people, null, 2), { mode: 0o600 });
  }
  chmodSync(path, 0o600);
  return z.array(demoPerson).parse(JSON.parse(readFileSync(path, 'utf8')));
}

/** Makes those who are missing; the same people with the same passwords at every start. */
export async function seedDemoPeople(dataDir: string, rootDir: string): Promise<DemoPerson[]> {
  const cast = castOf(dataDir);
  const local = openLocal({ dataDir, rootDir });
  try {
    const [admin] = cast;
    const made = await local.entry.renewSetupToken();
    if (made !== null && admin !== undefined) {
      const { name, email, password } = admin;
      await local.entry.setUp(local.caller, { token: made.token, name, email, password });
    }
    const known = new Set((await local.people.list()).people.map(({ email }) => email));
    for (const { name, email, password, grants } of cast) {
      if (known.has(email)) continue;
      const { code } = await local.people.invite(local.caller, { name, email, grants });
      await local.entry.redeem(local.caller, { code, password });
    }
    return cast;
  } finally {
    await local.close();
  }
}
