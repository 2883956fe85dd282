/** Everything that a command takes from the process, so that a test can hand it something else. */
export type CliIo = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly out: (line: string) => void;
  readonly error: (line: string) => void;
  /** Asks on the terminal; null when nobody is there to answer. */
  readonly ask: ((question: string) => Promise<string>) | null;
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly fetch: typeof fetch;
  readonly newKey: () => string;
  readonly readFile: (path: string) => string;
  /** Where `drizzle` is. */
  readonly rootDir: string;
};
