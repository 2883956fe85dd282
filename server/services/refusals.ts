/**
 * A refusal is as much a fact as a change: each is one row. What writes the row with what it knows
 * marks the error, so that the gate, which sees every refusal, does not write it again.
 */
const recorded = new WeakSet<Error>();

export function markRecorded<E extends Error>(error: E): E {
  recorded.add(error);
  return error;
}

export const isRecorded = (error: Error): boolean => recorded.has(error);
