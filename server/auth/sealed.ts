/**
 * [S-26] Secrets of authenticator apps, encrypted in the database: moved to the key of now when it is a
 * new one, so that the old one is needed for backups only.
 */
import type { PeopleStore } from '../store/port/people';
import type { AuditInsert } from '../store/port';
import { auditBy, SYSTEM } from '../services/caller';
import { keyIdOf, SecretError, type Secrets } from './secret';

const MODEL = 'twoFactor';
const FIELDS = ['secret', 'backupCodes'] as const;

type Sealed = {
  readonly id: string;
  readonly userId: string;
  readonly secret: string;
  readonly backupCodes: string;
  /** False or null while somebody is still setting it up. */
  readonly verified: boolean | null;
};

/** As the sign-in library writes it: `$ba$`, the key id, `$`, the ciphertext; before keys had ids, without. */
const ENVELOPE = /^\$ba\$(\d+)\$/;
const keyIdIn = (sealed: string): number | null => {
  const [, id] = ENVELOPE.exec(sealed) ?? [];
  return id === undefined ? null : Number(id);
};

const ringOf = (secrets: readonly string[]) => ({
  keys: new Map(secrets.map((secret) => [keyIdOf(secret), secret])),
  currentVersion: keyIdOf(secrets[0] ?? ''),
});

async function listSealed(people: PeopleStore): Promise<readonly Sealed[]> {
  return (await people.auth.find({ model: MODEL, where: [] })) as readonly Sealed[];
}

/** Those that are not under the key of now. */
async function listOlder(people: PeopleStore, { current }: Secrets): Promise<readonly Sealed[]> {
  const id = keyIdOf(current);
  const rows = await listSealed(people);
  return rows.filter((row) =>
    FIELDS.some((field) => row[field] !== '' && keyIdIn(row[field]) !== id),
  );
}

/** What the keys make of a row: under the key of now, or null when none of them opens it. */
async function renewed(row: Sealed, { current, previous }: Secrets) {
  // A quarter of a second that a start without such rows does not need.
  const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const all = [current, ...previous];

  const open = async (data: string): Promise<string | null> => {
    const ways = keyIdIn(data) === null ? all : [ringOf(all)];
    for (const key of ways) {
      try {
        return await symmetricDecrypt({ key, data });
      } catch {
        // It is under another one.
      }
    }
    return null;
  };
  const renew = async (data: string): Promise<string | null> => {
    if (data === '') return data;
    const plain = await open(data);
    return plain && symmetricEncrypt({ key: ringOf([current]), data: plain });
  };
  const [secret, backupCodes] = await Promise.all([renew(row.secret), renew(row.backupCodes)]);
  return secret === null || backupCodes === null ? null : { secret, backupCodes };
}

/**
 * Moves everything to the key of now, each with its audit row. Throws a `SecretError`, before it
 * changes anything, when something is encrypted under none of the keys.
 */
export async function reseal(people: PeopleStore, secrets: Secrets, at: number): Promise<number> {
  const older = await listOlder(people, secrets);
  const moved = await Promise.all(
    older.map(async (row) => ({ row, fields: await renewed(row, secrets) })),
  );
  const shut = moved.filter(({ row, fields }) => fields === null && row.verified);
  if (shut.length > 0) {
    const keys = new Set(shut.map(({ row }) => keyIdIn(row.secret) ?? 'without an id'));
    throw new SecretError(
      `Authenticator apps of ${shut.length} people are encrypted under another key (${[...keys].join(', ')}) ` +
        `than the one given (${keyIdOf(secrets.current)}): put the old one behind it, in auth-secret or RECLOSER_SECRET. ` +
        'If it is lost, "recloser secret lost" takes those apps away.',
    );
  }
  for (const { row, fields } of moved) {
    if (fields === null) continue;
    const audit: AuditInsert = {
      at,
      ...auditBy(SYSTEM),
      action: 'factor.sealed_anew',
      subject: row.userId,
      outcome: 'done',
      details: { keyId: keyIdOf(secrets.current) },
    };
    // Not when somebody has set up another app in between.
    const where = (['id', 'secret'] as const).map(
      (field) => ({ field, operator: 'eq', value: row[field], connector: 'AND' }) as const,
    );
    await people.auth.change({ model: MODEL, where, set: fields, audit });
  }
  return moved.filter(({ fields }) => fields !== null).length;
}

/** Takes away the apps that no key opens; the ids of their people. */
export async function abandonSealed(
  people: PeopleStore,
  secrets: Secrets,
  auditOf: (personId: string) => AuditInsert,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const row of await listOlder(people, secrets)) {
    if ((await renewed(row, secrets)) !== null) continue;
    await people.removeTotp(row.userId, auditOf(row.userId));
    lost.push(row.userId);
  }
  return lost;
}
