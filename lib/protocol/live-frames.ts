/**
 * `/ws/live`: a snapshot at a revision, then every later revision exactly once or a declared reset.
 * Detail of one breaker (topic `breaker:<id>`) is a set of keyed upserts: folding one twice changes
 * nothing, so a browser may join it with what it fetched over HTTP in either order.
 */
import { z } from 'zod';
import { count } from './primitives';
import {
  breakerInstanceView,
  breakerView,
  historyEvent,
  instanceView,
  overrideView,
  probePoint,
  seriesPoint,
  serviceView,
} from './views';

/**
 * `fleet`: breakers, services, overrides. `instances`: every instance. `breaker:<id>`: one breaker's
 * detail. `breaker:<id>/<instance id>`: the points of one of its instances alone. `preparing:<id>`: an
 * override of it is being written here; whoever looks at it is told.
 */
export const topic = z
  .string()
  .regex(/^(fleet|instances|preparing:[\w-]{1,64}|breaker:[\w-]{1,64}(\/[\w-]{1,64})?)$/);

const cursor = z.object({ serverEpoch: z.string().max(64), revision: count });
export type LiveCursor = z.infer<typeof cursor>;

const open = z.object({
  type: z.literal('open'),
  /** From `POST /api/live-ticket`; good once, for the session of the cookie. */
  ticket: z.string().max(64).optional(),
  cursor: cursor.optional(),
  topics: z.array(topic).max(16),
});
/** Replaces the topics of a live socket; answered by `subscribed`. */
const topics = z.object({ type: z.literal('topics'), topics: z.array(topic).max(16) });

export const liveRequest = z.discriminatedUnion('type', [open, topics]);
export type LiveRequest = z.infer<typeof liveRequest>;

const detail = z.object({
  instances: z.array(breakerInstanceView).optional(),
  events: z.array(historyEvent).optional(),
  points: z.array(seriesPoint).optional(),
  probes: z.array(probePoint).optional(),
});
export type BreakerDetailPatch = z.infer<typeof detail>;

/** Only the fields that changed, besides the id; a breaker that is new comes whole. */
const breakerPatch = breakerView.partial().extend({ id: z.string() });
export type BreakerPatch = z.infer<typeof breakerPatch>;

const changes = {
  breakers: z.array(breakerPatch).optional(),
  removedBreakers: z.array(z.string()).optional(),
  services: z.array(serviceView).optional(),
  /** With its overrides. */
  removedServices: z.array(z.string()).optional(),
  overrides: z.array(overrideView).optional(),
  instances: z.array(instanceView).optional(),
  removedInstances: z.array(z.string()).optional(),
  detail: z.record(z.string(), detail).optional(),
};

export const liveSnapshot = z.object({
  type: z.literal('snapshot'),
  serverEpoch: z.string(),
  revision: count,
  now: z.number(),
  environmentNames: z.array(z.string()),
  breakers: z.array(breakerView),
  services: z.array(serviceView),
  /** Those not ended, and those ended within the last hour. */
  overrides: z.array(overrideView),
  instances: z.array(instanceView).optional(),
});
export type LiveSnapshot = z.infer<typeof liveSnapshot>;

/** Covers every revision in its range. Apply when `fromRevision` is at most the own one plus one. */
const patch = z.object({
  type: z.literal('patch'),
  fromRevision: count,
  toRevision: count,
  now: z.number(),
  ...changes,
});
export type LivePatch = z.infer<typeof patch>;

/** The cursor cannot be resumed; a snapshot follows. */
const reset = z.object({ type: z.literal('reset'), reason: z.string() });
const subscribed = z.object({
  type: z.literal('subscribed'),
  topics: z.array(topic),
  revision: count,
});
/** Everything up to `revision` that this socket asked for has been sent. */
const heartbeat = z.object({ type: z.literal('heartbeat'), revision: count, now: z.number() });
/** Other people at one breaker; replaces what was said before. It locks nothing. */
const presence = z.object({
  type: z.literal('presence'),
  breakerId: z.string(),
  people: z.array(
    z.object({
      name: z.string(),
      /** Since when an override is being prepared; null for one who only looks. */
      preparingSince: z.number().nullable(),
    }),
  ),
});
export type PresentPerson = z.infer<typeof presence>['people'][number];
const liveError = z.object({ type: z.literal('error'), code: z.string(), message: z.string() });

export const liveFrame = z.discriminatedUnion('type', [
  liveSnapshot,
  patch,
  reset,
  subscribed,
  heartbeat,
  presence,
  liveError,
]);
export type LiveFrame = z.infer<typeof liveFrame>;

export const LIVE_HEARTBEAT_MS = 5_000;
