import {
  defineCommand,
  renderUsage,
  runCommand,
  type CommandDef,
  type SubCommandsDef,
} from 'citty';
import { force, forceArgs } from './commands/force';
import { history, historyArgs } from './commands/history';
import { release, releaseArgs } from './commands/release';
import { status, statusArgs } from './commands/status';
import {
  backup,
  backupArgs,
  commandKey,
  commandKeyArgs,
  lost,
  lostArgs,
  recover,
  recoverArgs,
  rotate,
  rotateArgs,
  setupToken,
  setupTokenArgs,
  users,
  usersArgs,
  verify,
  verifyArgs,
} from './commands/local';
import { command, type Outcome } from './define';
import type { CliIo } from './io';
import { CliProblem, EXIT, type ExitCode } from './problem';

function remoteCommands(io: CliIo, outcome: Outcome) {
  return {
    status: command(io, outcome, {
      name: 'status',
      description: 'Breakers and their states',
      args: statusArgs,
      run: status,
    }),
    force: command(io, outcome, {
      name: 'force',
      description: 'Force a breaker, a service or a target open or closed, or reset it',
      args: forceArgs,
      run: force,
    }),
    release: command(io, outcome, {
      name: 'release',
      description: 'Return to automatic',
      args: releaseArgs,
      run: release,
    }),
    history: command(io, outcome, {
      name: 'history',
      description: 'What a breaker did, newest first',
      args: historyArgs,
      run: history,
    }),
  };
}

function localCommands(io: CliIo, outcome: Outcome) {
  return {
    audit: group('audit', 'The audit trail', {
      verify: command(io, outcome, {
        name: 'verify',
        description: 'Check the audit trail of a database file; names the first bad row',
        args: verifyArgs,
        run: verify,
      }),
    }),
    backup: command(io, outcome, {
      name: 'backup',
      description: 'Copy the database into a new file, also while the server runs',
      args: backupArgs,
      run: backup,
    }),
    'command-key': command(io, outcome, {
      name: 'command-key',
      description: 'Ids of the keys that sign commands to agents, the one in use first',
      args: commandKeyArgs,
      run: commandKey,
    }),
    user: group('user', 'People, from the machine itself', {
      list: command(io, outcome, {
        name: 'list',
        description: 'Everybody and their roles',
        args: usersArgs,
        run: users,
      }),
      recover: command(io, outcome, {
        name: 'recover',
        description: 'A one-time code with which somebody sets a new password',
        args: recoverArgs,
        run: recover,
      }),
    }),
    secret: group('secret', 'The key that encrypts secrets of authenticator apps', {
      rotate: command(io, outcome, {
        name: 'rotate',
        description: 'A new key, for the next start',
        args: rotateArgs,
        run: rotate,
      }),
      lost: command(io, outcome, {
        name: 'lost',
        description: 'Take away the authenticator apps of a key that is gone',
        args: lostArgs,
        run: lost,
      }),
    }),
    setup: group('setup', 'The first start', {
      token: command(io, outcome, {
        name: 'token',
        description: 'A new one-time token for /setup',
        args: setupTokenArgs,
        run: setupToken,
      }),
    }),
  };
}

function group(name: string, description: string, subCommands: SubCommandsDef) {
  return defineCommand({ meta: { name, description }, subCommands });
}

const wantsHelp = (args: readonly string[]): boolean =>
  args.some((one) => one === '--help' || one === '-h');

/** The innermost command that the words name, for its help. */
function commandNamed(root: CommandDef, args: readonly string[]): CommandDef {
  let found = root;
  for (const word of args) {
    const subs = found.subCommands;
    const next = subs !== undefined && typeof subs === 'object' ? Reflect.get(subs, word) : null;
    if (next === undefined || next === null) break;
    found = next as CommandDef;
  }
  return found;
}

/** Never throws: what went wrong is one line on the error stream and an exit code. */
export async function runCli(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const outcome: Outcome = { exitCode: EXIT.done };
  const root = defineCommand({
    meta: { name: 'recloser', description: 'Circuit breakers from the command line' },
    subCommands: { ...remoteCommands(io, outcome), ...localCommands(io, outcome) },
  });
  try {
    if (args.length === 0 || wantsHelp(args)) {
      io.out(await renderUsage(commandNamed(root, args), root));
      return args.length === 0 ? EXIT.usage : EXIT.done;
    }
    await runCommand(root, { rawArgs: [...args] });
    return outcome.exitCode;
  } catch (thrown) {
    const { message, exitCode } = problemOf(thrown);
    io.error(message);
    return exitCode;
  }
}

/** citty names its own complaints (a missing word, an unknown command) by class. */
function problemOf(thrown: unknown): { message: string; exitCode: ExitCode } {
  if (thrown instanceof CliProblem) return thrown;
  if (thrown instanceof Error && thrown.name === 'CLIError') {
    return { message: `${thrown.message} See --help.`, exitCode: EXIT.usage };
  }
  return {
    message: thrown instanceof Error ? thrown.message : String(thrown),
    exitCode: EXIT.failed,
  };
}
