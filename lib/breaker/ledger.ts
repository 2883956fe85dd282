import { LatencyHistogram } from '../stats/latency-histogram';

export type HoldCause = 'latency' | 'pending' | 'self';

/** One quantile of the step beside the same quantile of the baseline. */
export type LatencyReading = {
  readonly quantile: number;
  readonly samples: number;
  readonly valueMs: number;
  readonly baselineMs: number;
  /** More answers than chance allows were slower than the baseline's P99. */
  readonly exceeded: boolean;
};

export type Hold = { readonly sinceMs: number; readonly cause: HoldCause };

/** The books of one step instance. A step that is entered again starts new ones. */
export type Ledger = {
  readonly enteredAt: number;
  admitted: number;
  successes: number;
  failures: number;
  inconclusive: number;
  /** Successes in a row, for the decision `consecutive`. */
  successesInRow: number;
  /** Latest outcomes, oldest first, for the decision `windowRate`. */
  lookBack: boolean[];
  firstAdmitAt: number | null;
  /** Where the step clock counts from: the first admission, or the end of the last hold. */
  clockFrom: number | null;
  /** The dwell time has been looked at; settlements decide from here on. */
  dwellSeen: boolean;
  /** The longest wait for samples has been looked at. */
  waitSeen: boolean;
  starved: boolean;
  /** For the admission `adaptive`: when its share was last looked at, and the first answer since. */
  judgedAt: number | null;
  goodSince: number | null;
  hold: Hold | null;
  /** Latencies of the step, or since the hold began. */
  latency: LatencyHistogram | null;
  /** How many of them are of idempotent calls. */
  idempotentLatencies: number;
  /** First answers of the step that no quantile sees yet. */
  coldLeft: number;
  /** Answers of a class of which nothing is known. */
  unjudged: number;
  /** Answers slower than their class's P99. */
  exceeding: number;
  /** As of the last sample count at which latency is looked at. */
  reading: LatencyReading | null;
  /** Share in basis points. */
  share: number;
  /** Integer credit: an arrival adds the share, an admission costs 10,000. */
  credit: number;
  period: number;
  periodAdmitted: number;
  tokens: number;
  tokensAt: number;
  /** Admissions per ms that the rate cap allows; Infinity without a baseline. */
  ratePerMs: number;
};

export function newLedger(
  at: number,
  share: number,
  credit: number,
  ratePerMs: number,
  coldLeft = 0,
): Ledger {
  return {
    enteredAt: at,
    admitted: 0,
    successes: 0,
    failures: 0,
    inconclusive: 0,
    successesInRow: 0,
    lookBack: [],
    firstAdmitAt: null,
    clockFrom: null,
    dwellSeen: false,
    waitSeen: false,
    starved: false,
    judgedAt: null,
    goodSince: null,
    hold: null,
    latency: null,
    idempotentLatencies: 0,
    coldLeft,
    unjudged: 0,
    exceeding: 0,
    reading: null,
    share,
    credit,
    period: 0,
    periodAdmitted: 0,
    tokens: burst(ratePerMs),
    tokensAt: at,
    ratePerMs,
  };
}

/** The rate cap lets 100 ms worth of calls through at once. */
export function burst(ratePerMs: number): number {
  return Math.max(1, ratePerMs * 100);
}

export function stepSketch(ledger: Ledger): LatencyHistogram {
  ledger.latency ??= new LatencyHistogram();
  return ledger.latency;
}
