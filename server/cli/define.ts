import { defineCommand, type ArgsDef, type CommandDef, type ParsedArgs } from 'citty';
import type { CliIo } from './io';
import { EXIT, usageProblem, type ExitCode } from './problem';

type Spec<A extends ArgsDef> = {
  readonly name: string;
  readonly description: string;
  readonly args: A;
  run(args: ParsedArgs<A>, io: CliIo): Promise<ExitCode> | ExitCode;
};

/** Where a command leaves its exit code; citty itself knows success and failure only. */
export type Outcome = { exitCode: ExitCode };

/** An option that nobody knows is a mistake, not a decoration. */
function refuseUnknown(args: Readonly<Record<string, unknown>>, def: ArgsDef): void {
  const known = new Set(Object.keys(def).flatMap((name) => [name, camel(name), kebab(name)]));
  const positionals = Object.values(def).filter(({ type }) => type === 'positional').length;
  const given = args['_'];
  for (const name of Object.keys(args)) {
    if (name !== '_' && !known.has(name)) throw usageProblem(`There is no option --${name}.`);
  }
  if (Array.isArray(given) && given.length > positionals) {
    throw usageProblem(`Too many words: ${given.slice(positionals).join(' ')}`);
  }
}

const camel = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const kebab = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export function command<A extends ArgsDef>(
  io: CliIo,
  outcome: Outcome,
  spec: Spec<A>,
): CommandDef<A> {
  const { name, description, args } = spec;
  return defineCommand({
    meta: { name, description },
    args,
    async run(context) {
      refuseUnknown(context.args, args);
      outcome.exitCode = EXIT.done;
      outcome.exitCode = await spec.run(context.args, io);
    },
  });
}
