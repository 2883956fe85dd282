/** Exit codes, stable for scripts; listed in docs/command-line.md. */
export const EXIT = {
  done: 0,
  /** The server refused it, did not answer, or something broke. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Wanted, and applied on some instances only. */
  partial: 3,
  /** Wanted, and applied on no instance. */
  nowhere: 4,
  /** Somebody acted in between; nothing was changed. */
  conflict: 5,
  /** It waits for a second person. */
  waiting: 6,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What went wrong, fit to be the last line on the terminal. */
export class CliProblem extends Error {
  override readonly name = 'CliProblem';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export const usageProblem = (message: string): CliProblem => new CliProblem(message, EXIT.usage);
