export const OPEN_TIMEOUT_MS = 5_000;
/** A browser sends one small frame before it is known to be one of ours. */
export const MAX_OPEN_BYTES = 4 * 1024;
export const REQUEST_RATE = { perSecond: 20, burst: 40 } as const;
export const MAX_FAULTS = 5;

/** [U-11] At most ten frames a second in a storm; no state waits longer than this. */
export const FRAME_EVERY_MS = 100;

/** Past this a reader gets the latest per key instead of every patch. */
export const COALESCE_BYTES = 256 * 1024;
/** Past this for `TOO_SLOW_MS` it is told to come back and take a snapshot. */
export const TOO_SLOW_BYTES = 1024 * 1024;
export const TOO_SLOW_MS = 5_000;
/** How often a lagging reader is looked at. */
export const LAG_CHECK_MS = 100;

/** [S-10] A session that ended without a word to this process is found out within that time. */
export const REVALIDATE_MS = 60_000;
