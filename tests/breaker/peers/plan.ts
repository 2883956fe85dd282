export const libraryNames = ['recloser', 'opossum', 'cockatiel'] as const;
export type LibraryName = (typeof libraryNames)[number];

export type Plan = {
  /** Deadline of a call in ms; null for none. */
  readonly timeoutMs: number | null;
  /** Failures and calls before anything may trip; null for the library's own default. */
  readonly minimumCalls: number | null;
  /** Counted over this time in ms instead of over the last ten calls. */
  readonly windowMs: number | null;
  /** Each failed recovery doubles the open time, where the library can. */
  readonly growing: boolean;
  /** Recovery by the defaults of this project, not by one probe. */
  readonly ramp: boolean;
  /** Calls at a time; null for no limit. */
  readonly slots: number | null;
};

export const usual: Plan = {
  timeoutMs: 30_000,
  minimumCalls: 4,
  windowMs: null,
  growing: false,
  ramp: false,
  slots: null,
};

/** An error that every library has been told to ignore. */
export class Ignored extends Error {}
