import type { BreakerEvent, EventData, TransitionCause } from '../../breaker/types';
import type { NumberedEvent } from '../../protocol/events';
import { plainText, wireCount, wireFraction, wireMs } from '../text';

/** `Omit` that keeps the members of a union apart. */
type WithoutSeq<T> = T extends unknown ? Omit<T, 'seq'> : never;
export type NewEvent = WithoutSeq<NumberedEvent>;

const COUNTS = ['calls', 'failures', 'slow', 'level'] as const;
const FRACTIONS = ['rate', 'threshold', 'share'] as const;
const DURATIONS = ['openTimeoutMs', 'retryInMs'] as const;
type NumberKey = (typeof COUNTS)[number] | (typeof FRACTIONS)[number] | (typeof DURATIONS)[number];

/** The numbers that are there, within what the wire accepts. */
function numbers(data: EventData): Partial<Record<NumberKey, number>> {
  const out: Partial<Record<NumberKey, number>> = {};
  const copy = (keys: readonly NumberKey[], fit: (value: number) => number) => {
    for (const key of keys) {
      const value = data[key];
      if (value !== undefined && Number.isFinite(value)) out[key] = fit(value);
    }
  };
  copy(COUNTS, wireCount);
  copy(FRACTIONS, wireFraction);
  copy(DURATIONS, wireMs);
  return out;
}

function trigger(event: BreakerEvent) {
  return {
    reason: plainText(event.reason),
    ...numbers(event.data),
    step: event.step === null ? null : wireCount(event.step),
    breakerEpoch: wireCount(event.epoch),
  };
}

const DEFAULT_CAUSE: Partial<Record<BreakerEvent['type'], TransitionCause>> = {
  opened: 'trip',
  half_open: 'retry_due',
  closed: 'advance',
  forced: 'override',
  resumed: 'override_ended',
  reset: 'reset',
};

type Stamp = { at: number; mono: number; breaker: string };

function transition(event: BreakerEvent, stamp: Stamp): NewEvent {
  const { overrideId, actor } = event.data;
  return {
    type: 'transition',
    ...stamp,
    from: event.from,
    to: event.to,
    automatic: event.automatic,
    cause: event.data.cause ?? DEFAULT_CAUSE[event.type] ?? 'restore',
    ...(overrideId === undefined ? {} : { overrideId: plainText(overrideId, 64) }),
    ...(actor === undefined ? {} : { actor: plainText(actor, 128) }),
    ...trigger(event),
  };
}

function verdict(type: 'hold' | 'release', event: BreakerEvent, stamp: Stamp): NewEvent {
  const { quantile, samples, valueMs, baselineMs } = event.data;
  return {
    type,
    ...stamp,
    step: event.step === null ? null : wireCount(event.step),
    ...(quantile === undefined ? {} : { quantile: wireFraction(quantile) }),
    ...(samples === undefined ? {} : { samples: wireCount(samples) }),
    ...(valueMs === undefined ? {} : { valueMs: wireMs(valueMs) }),
    ...(baselineMs === undefined ? {} : { baselineMs: wireMs(baselineMs) }),
    cause: plainText(event.reason),
  };
}

function step(event: BreakerEvent, stamp: Stamp): NewEvent {
  const { share = 0, successes = 0, failures = 0, tookMs = 0 } = event.data;
  return {
    type: 'step',
    ...stamp,
    step: wireCount(event.step ?? 0),
    share: wireFraction(share),
    successes: wireCount(successes),
    failures: wireCount(failures),
    tookMs: wireMs(tookMs),
    breakerEpoch: wireCount(event.epoch),
  };
}

/** What a breaker said, as the wire's event; null for what is only counted in samples. */
export function mapEvent(breaker: string, event: BreakerEvent): NewEvent | null {
  const stamp = { at: wireMs(event.wallMs), mono: wireMs(event.monoMs), breaker };
  switch (event.type) {
    case 'opened':
    case 'half_open':
    case 'closed':
    case 'forced':
    case 'resumed':
    case 'reset':
      return transition(event, stamp);
    case 'step':
      return step(event, stamp);
    case 'hold':
    case 'release':
      return verdict(event.type, event, stamp);
    case 'starved':
      return { type: 'starved', ...stamp, step: event.step };
    case 'would_trip':
    case 'would_recover':
      return { type: event.type, ...stamp, ...trigger(event) };
    case 'probe_expired':
    case 'late_result':
    case 'disposed':
    default:
      return null;
  }
}
