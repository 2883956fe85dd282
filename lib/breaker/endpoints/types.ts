import type { AcquireOptions } from '../acquire';
import type { Failure, Receipt } from '../types';
import type { BreakerState } from '../types';

export type PickOptions = AcquireOptions & {
  /** Endpoints that must not be used, such as those a retry has tried. */
  readonly exclude?: readonly string[];
};

/** Leave to make one call to one endpoint. Settles once. */
export type EndpointPermit = {
  readonly granted: true;
  readonly endpoint: string;
  /** The call is a probe of a recovering endpoint. */
  readonly probe: boolean;
  /** Given to an endpoint that is out, because of panic; its breaker does not count the outcome. */
  readonly panic: boolean;
  /** Monotonic ms. */
  readonly admittedAt: number;
  /** From here on the call counts as timed out. */
  readonly expiresAt: number;
  /** Without a latency the time since the admission counts. */
  success(latencyMs?: number): Receipt;
  failure(failure: Failure, latencyMs?: number): Receipt;
  cancel(): Receipt;
  ignore(): Receipt;
};

/**
 * `no_endpoints`: the set is empty. `excluded`: only excluded endpoints could have answered.
 * `panic`: too many are out. `unavailable`: those that recover take no more at the moment.
 */
export type EndpointRejectionReason =
  | 'no_endpoints'
  | 'excluded'
  | 'panic'
  | 'unavailable'
  | 'disposed';

export type EndpointRejection = {
  readonly granted: false;
  readonly reason: EndpointRejectionReason;
  readonly panic: boolean;
  /** When the first endpoint is worth another try, in ms; null when nobody knows. */
  readonly retryAfterMs: number | null;
};

/** in: takes its full turn. recovering: its ramp decides. out: takes nothing. */
export type EndpointPhase = 'in' | 'recovering' | 'out';

export type EndpointEventType =
  | 'ejected'
  | 'recovering'
  | 'returned'
  | 'added'
  | 'removed'
  | 'panic'
  | 'panic_over'
  | 'disposed';

/** Delivered in `seq` order after what caused it. Counts are those after the event. */
export type EndpointEvent = {
  readonly seq: number;
  readonly type: EndpointEventType;
  /** null for what concerns the set as a whole. */
  readonly endpoint: string | null;
  readonly reason: string;
  readonly endpoints: number;
  readonly out: number;
  readonly panic: boolean;
  readonly monoMs: number;
};

export type EndpointListener = (event: EndpointEvent) => void;

export type EndpointStatus = {
  readonly name: string;
  readonly phase: EndpointPhase;
  readonly state: BreakerState;
  /** Share of its turns that it takes, 0 to 1. */
  readonly share: number;
  readonly step: number | null;
  readonly retryInMs: number | null;
  /** A recovering endpoint that has its turns; false while others are ahead of it. */
  readonly probed: boolean;
  readonly inFlight: number;
  /** Counted calls and failures that it is compared by with the others. */
  readonly calls: number;
  readonly failures: number;
};

/** A plain object for reading; every call makes a new one. */
export type EndpointSetStatus = {
  readonly name: string;
  readonly panic: boolean;
  readonly endpoints: readonly EndpointStatus[];
  readonly in: number;
  readonly recovering: number;
  readonly out: number;
  /** How many endpoints may be missing before it is panic. */
  readonly maxEjected: number;
  /** Missing part of the set, 0 to 1; a recovering endpoint is missing by the rest of its share. */
  readonly missingShare: number;
  readonly counters: {
    readonly picked: number;
    readonly probes: number;
    readonly panicPicks: number;
    readonly rejected: number;
    readonly ejections: number;
    readonly outliers: number;
    /** Outliers that stayed in because of the cap. */
    readonly overflow: number;
  };
};
