import {
  BreakerOptionError,
  checkChoice,
  checkKeys,
  checkNumber,
  period,
  timerSpan,
} from './checks';
import { automaticStates, overrideKinds } from './types';
import type { OverrideKind, OverrideRequest } from './types';

const requestKeys = ['expiresInMs', 'reason', 'actor', 'id', 'resume'];

/** Throws, naming the argument, before anything is in force. */
export function checkOverride(kind: OverrideKind, request: OverrideRequest): void {
  checkChoice('override', kind, overrideKinds);
  checkKeys('override request', request, requestKeys);
  const { expiresInMs, reason, actor, id, resume } = request;
  if (expiresInMs !== undefined) checkNumber('expiresInMs', expiresInMs, period);
  if (resume !== undefined) checkChoice('resume', resume, automaticStates);
  for (const [name, text] of Object.entries({ reason, actor, id: id ?? '' })) {
    if (typeof text !== 'string') throw new BreakerOptionError(name, text, 'a text');
  }
}

/** What every `run` takes, seen without its types. */
type CallOptions = {
  readonly timeoutMs?: unknown;
  readonly fallback?: unknown;
  readonly signal?: AbortSignal;
};

/** What is wrong with a call of `run`, before it takes a permit; null when nothing is. */
export function runProblem(work: unknown, options: CallOptions): Error | null {
  if (typeof options !== 'object' || options === null) {
    return new BreakerOptionError('options', options, 'an object');
  }
  const { timeoutMs, fallback, signal } = options;
  if (typeof work !== 'function') return new BreakerOptionError('work', work, 'a function');
  if (fallback !== undefined && typeof fallback !== 'function') {
    return new BreakerOptionError('fallback', fallback, 'a function');
  }
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    return new BreakerOptionError('signal', signal, 'an AbortSignal');
  }
  if (timeoutMs === undefined) return null;
  try {
    checkNumber('timeoutMs', timeoutMs, timerSpan);
    return null;
  } catch (problem) {
    return problem as Error;
  }
}
