import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { MIGRATIONS } from './support';

export type Child = {
  readonly pid: number;
  /** Each line that it prints. */
  readonly lines: Interface;
  /** Resolves when it has ended, with the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
  kill(): Promise<unknown>;
};

const programs = {
  holder: new URL('./children/holder.ts', import.meta.url),
  writer: new URL('./children/writer.ts', import.meta.url),
  migrator: new URL('./children/migrator.ts', import.meta.url),
};

/** A real process of ours, so that it can be killed like one. */
export function startChild(
  program: keyof typeof programs,
  file: string,
  extra: readonly string[] = [],
  migrations = MIGRATIONS,
): Child {
  const script = fileURLToPath(programs[program]);
  const args = ['--import', 'tsx', script, file, migrations, ...extra];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close').then(() => child.signalCode);
  const kill = async (): Promise<unknown> => {
    child.kill('SIGKILL');
    return ended;
  };
  onTestFinished(async () => void (await kill()));
  return { pid: child.pid ?? 0, lines: createInterface(child.stdout), ended, kill };
}

export async function nextLine({ lines }: Child): Promise<string> {
  const [line] = (await once(lines, 'line')) as [string];
  return line;
}
