import type { Welcome } from '../../protocol/server-frames';
import { LIMITS } from '../../protocol/version';

export type SendLimits = {
  readonly maxFrameBytes: number;
  readonly maxEvents: number;
  readonly maxSamples: number;
  readonly window: number;
};

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** The server's limits within what this agent can live with and is willing to do. */
export function sendLimits(limits: Welcome['limits']): SendLimits {
  return {
    maxFrameBytes: clamp(limits.maxFrameBytes, 16 * 1024, LIMITS.maxFrameBytes),
    maxEvents: clamp(limits.maxEvents, 1, LIMITS.maxEvents),
    maxSamples: clamp(limits.maxSamples, 1, LIMITS.maxSamples),
    window: clamp(limits.window, 1, 64),
  };
}

/** Room for the frame around a list of records. */
export const ENVELOPE_BYTES = 256;
