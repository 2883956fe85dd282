/** Commands on the data folder itself: whoever may read and write it needs no other permission. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ArgsDef } from 'citty';
import { safeJson } from '@/lib/audit/lines';
import { commandKeyIds } from '../../audit/command-key';
import { describeReport, runAuditVerify } from '../../audit/run-verify';
import { readSecret } from '../../config';
import { openLocal, type Local } from '../../local';
import type { CliIo } from '../io';
import { CliProblem, EXIT, usageProblem, type ExitCode } from '../problem';
import { json, table, utc, visible } from '../text';

const DATABASE_FILE = 'recloser.db';

const folder = {
  'data-dir': { type: 'string', description: 'default: RECLOSER_DATA_DIR or ./data' },
} as const satisfies ArgsDef;
type Folder = { readonly 'data-dir'?: string | undefined };

function dataDirOf(args: Folder, io: CliIo): string {
  const dataDir = resolve(args['data-dir'] ?? io.environment['RECLOSER_DATA_DIR'] ?? './data');
  if (existsSync(join(dataDir, DATABASE_FILE))) return dataDir;
  throw usageProblem(`There is no ${DATABASE_FILE} in ${visible(dataDir)}; give --data-dir.`);
}

async function withLocal(
  args: Folder,
  io: CliIo,
  work: (local: Local) => Promise<void>,
): Promise<ExitCode> {
  const secret = readSecret(io.environment);
  const local = openLocal({ dataDir: dataDirOf(args, io), secret, rootDir: io.rootDir });
  try {
    await work(local);
  } finally {
    await local.close();
  }
  return EXIT.done;
}

export const verifyArgs = {
  file: { type: 'positional', required: false, description: 'a database file or a copy of one' },
  witness: { type: 'string', description: 'second sink, export or checkpoint to compare with' },
  key: { type: 'string', description: 'a key id that you know from elsewhere' },
  ...folder,
  json: { type: 'boolean', description: 'print JSON', default: false },
} as const satisfies ArgsDef;

/** Exit 0 sound, 1 bad. Reads the file only; no server is needed. */
export function verify(
  args: Folder & {
    readonly file?: string | undefined;
    readonly witness?: string | undefined;
    readonly key?: string | undefined;
    readonly json: boolean;
  },
  io: CliIo,
): ExitCode {
  const report = runAuditVerify({
    databaseFile: args.file ?? join(dataDirOf(args, io), DATABASE_FILE),
    trustedKeys: args.key === undefined ? [] : [args.key],
    ...(args.witness === undefined ? {} : { witnessFile: args.witness }),
  });
  for (const line of args.json ? [safeJson(report)] : describeReport(report)) io.out(line);
  return report.problem === null ? EXIT.done : EXIT.failed;
}

export const backupArgs = {
  to: { type: 'positional', required: true, description: 'a file that does not exist yet' },
  ...folder,
} as const satisfies ArgsDef;

export function backup(args: Folder & { readonly to: string }, io: CliIo): Promise<ExitCode> {
  const target = resolve(args.to);
  if (existsSync(target)) throw usageProblem(`${visible(target)} exists; a backup is a new file.`);
  return withLocal(args, io, async (local) => {
    await local.backUp(target);
    io.out(`Backed up to ${visible(target)}.`);
  });
}

export const recoverArgs = {
  email: { type: 'positional', required: true, description: 'e-mail address of the person' },
  ...folder,
} as const satisfies ArgsDef;

/** [S-02] The way back in for somebody who lost password or factors. */
export function recover(args: Folder & { readonly email: string }, io: CliIo): Promise<ExitCode> {
  return withLocal(args, io, async (local) => {
    const { code, expiresAt } = await local.entry.recover(args.email);
    io.out(`One-time code: ${code}`);
    io.out(`Enter it at /join with a new password before ${utc(expiresAt)} UTC.`);
  });
}

export const setupTokenArgs = { ...folder } as const satisfies ArgsDef;

export function setupToken(args: Folder, io: CliIo): Promise<ExitCode> {
  return withLocal(args, io, async (local) => {
    const renewed = await local.entry.renewSetupToken(local.caller);
    if (renewed === null)
      throw new CliProblem('Set-up has been done; see `recloser user recover`.');
    io.out(`Set-up token: ${renewed.token}`);
    io.out(`Enter it at /setup before ${utc(renewed.expiresAt)} UTC.`);
  });
}

export const commandKeyArgs = {
  next: { type: 'boolean', description: 'make the key after it, to be pinned too', default: false },
  ...folder,
} as const satisfies ArgsDef;

/** [S-09] What agents pin, one id a line. */
export function commandKey(args: Folder & { readonly next: boolean }, io: CliIo): ExitCode {
  for (const id of commandKeyIds(dataDirOf(args, io), args.next)) io.out(id);
  return EXIT.done;
}

export const rotateArgs = { ...folder } as const satisfies ArgsDef;

/** [S-26] The old one stays behind it: what is encrypted under it moves over at the next start. */
export function rotate(args: Folder, io: CliIo): Promise<ExitCode> {
  return withLocal(args, io, async (local) => {
    await local.rotateSecret();
    io.out('A new key stands first in auth-secret. It counts from the next start of the console:');
    io.out('everybody signs in again, and authenticator apps move over to it.');
    io.out('The older lines are for backups made before; delete them when those are gone.');
  });
}

export const lostArgs = {
  yes: { type: 'boolean', description: 'take them away', default: false },
  ...folder,
} as const satisfies ArgsDef;

/** [S-26] For a key that is lost: what it opened is of no use to anybody. */
export function lost(args: Folder & { readonly yes: boolean }, io: CliIo): Promise<ExitCode> {
  if (!args.yes) {
    throw usageProblem(
      'This takes away every authenticator app that the key of now does not open; give --yes.',
    );
  }
  return withLocal(args, io, async (local) => {
    const people = await local.abandonSealed();
    for (const { name, email } of people) io.out(`${visible(name)} <${visible(email)}>`);
    io.out(
      people.length === 0
        ? 'The key opens every authenticator app; nothing was taken away.'
        : 'These sign in without their app now, and should set up another.',
    );
  });
}

export const usersArgs = {
  ...folder,
  json: { type: 'boolean', description: 'print JSON', default: false },
} as const satisfies ArgsDef;

export function users(args: Folder & { readonly json: boolean }, io: CliIo): Promise<ExitCode> {
  return withLocal(args, io, async (local) => {
    const { people } = await local.people.list();
    if (args.json) return io.out(json({ people }));
    const rows = people.map(({ name, email, grants, disabledAt }) => [
      name,
      email,
      grants.map(({ role, environment }) => `${role}@${environment}`).join(' '),
      disabledAt === null ? '' : 'disabled',
    ]);
    for (const line of table([['NAME', 'E-MAIL', 'ROLES', ''], ...rows])) io.out(line);
  });
}
