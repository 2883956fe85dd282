import { LIMITS } from '@/lib/protocol/version';

export const HELLO_TIMEOUT_MS = 5_000;

/** Frames beyond the window that a racing ack may excuse. */
const WINDOW_SLACK = 2;
export const MAX_UNACKNOWLEDGED = LIMITS.window + WINDOW_SLACK;

export const FRAME_RATE = { perSecond: 200, burst: 1_000 } as const;

/** Frames of one connection that may wait before its socket is no longer read. */
export const MAX_WAITING = 32;

/** Unreadable frames after which a peer is cut off. */
export const MAX_FAULTS = 5;

/** Over all agents; see `budget.ts`. */
export const INGEST_BUDGET_BYTES = 64 * 1024 * 1024;
