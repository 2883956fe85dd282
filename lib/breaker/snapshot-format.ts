import type { SavedBaseline } from './baseline';
import type { AutomaticState, OverrideKind } from './types';

export const SNAPSHOT_VERSION = 1;

/** What outlives a process. Durations; the wall clock only tells how long the process was gone. */
export type BreakerSnapshot = {
  readonly version: number;
  readonly takenAtWallMs: number;
  readonly automatic: AutomaticState;
  readonly level: number;
  readonly epoch: number;
  readonly retryInMs: number;
  readonly openTimeoutMs: number;
  /** How long closed since a recovery; null otherwise. */
  readonly recoveredForMs: number | null;
  readonly outageMs: number | null;
  readonly baseline: SavedBaseline;
  /** Live ones, oldest first. */
  readonly overrides: readonly SavedOverride[];
};

export type SavedOverride = {
  readonly kind: OverrideKind;
  readonly id: string;
  readonly reason: string;
  readonly actor: string;
  readonly resume: AutomaticState;
  readonly remainingMs: number | null;
};
