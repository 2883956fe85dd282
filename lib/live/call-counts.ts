import type { CallCounts } from '../protocol/samples';

/** The target answered. */
export const successesOf = (calls: CallCounts): number => calls.success + calls.client_error;

/** The target did not do its work; `refused` is the target's refusal, not the breaker's. */
export const failuresOf = (calls: CallCounts): number =>
  calls.timeout + calls.server_error + calls.overload + calls.refused;

/** Every call that the breaker let through, judged or not. */
export const admittedOf = (calls: CallCounts): number =>
  successesOf(calls) + failuresOf(calls) + calls.rejected_local + calls.cancelled + calls.ignored;
