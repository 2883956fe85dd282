import type { Tally } from '@/lib/diagnosis/tally';
import type { RateWindow } from '@/lib/live/rate-window';
import type { Spark } from '@/lib/live/spark';
import type { Word } from '@/lib/live/word';
import type { Finding, LookedAt } from '@/lib/protocol/findings';
import type {
  BreakerRecord,
  InstanceRecord,
  OverrideRecord,
  ServiceRecord,
} from '../../store/port';

/** What the console knows, in memory. Entries change in place; the records in them are replaced. */
export type ServiceEntry = {
  record: ServiceRecord;
  readonly breakers: Set<string>;
  readonly instances: Set<string>;
  /** Seen in a batch that has not been committed yet; they count for the quota. */
  readonly pendingBreakers: Set<string>;
};

export type Config = {
  readonly hash: string;
  readonly body: Readonly<Record<string, unknown>>;
};

/** One breaker in one instance. */
export type Cell = {
  readonly breakerId: string;
  readonly instanceId: string;
  word: Word;
  config: Config | null;
  readonly window: RateWindow;
};

/** What the last look at a breaker found, and when by the monotonic clock. */
export type Examined = {
  readonly mono: number;
  readonly findings: readonly Finding[];
  readonly lookedAt: LookedAt;
};

export type BreakerEntry = {
  record: BreakerRecord;
  readonly cells: Map<string, Cell>;
  readonly spark: Spark;
  /** Calls of the last hours, for the diagnosis. */
  readonly tally: Tally;
  /** Known from before this start: samples are counted from here on, earlier ones are in the store. */
  tallyFrom: number | null;
  isSeeded: boolean;
  examined: Examined | null;
};

export type InstanceEntry = {
  record: InstanceRecord;
  readonly cells: Map<string, Cell>;
  /** Monotonic instant of the last frame. */
  heardMono: number;
  /** Monotonic instant at which `lastSeenAt` was last stored, and last shown. */
  touchedMono: number;
  shownMono: number;
  /** Runs with a live connection; more than one means a duplicate identity. */
  readonly epochs: Set<string>;
};

/** The limits of an override on the monotonic clock. */
export type OverrideLimits = {
  readonly deliverByMono: number;
  readonly endsMono: number;
  /** Where a target has a limit of its own. */
  readonly targetsMono: ReadonlyMap<string, number>;
};

export type OverrideEntry = { readonly record: OverrideRecord } & OverrideLimits;
