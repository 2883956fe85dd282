import type { ServiceDeps } from './deps';
import { Feed } from './feed/live-feed';
import { Fleet } from './fleet/fleet';
import { GroupCommit } from './group-commit';
import { createIds, type Ids } from './ids';
import { createLane, type Lane } from './lane';
import { Connections } from './agents/connections';
import type { CommandRecord, ReleaseRecord } from '../store/port';

/** What the verbs share. */
export type Core = Omit<ServiceDeps, 'serverEpoch'> & {
  readonly ids: Ids;
  readonly fleet: Fleet;
  readonly feed: Feed;
  readonly commit: GroupCommit;
  readonly connections: Connections;
  /** Whatever reads and then changes overrides goes through it, one at a time. */
  readonly overrideLane: Lane;
  readonly tokenNames: Map<string, string>;
  /** Commands that wait for a second person or for their start. */
  readonly waiting: Map<string, CommandRecord>;
  /** Gradual releases that are running or stopped. */
  readonly releases: Map<string, ReleaseRecord>;
};

export function createCore({ serverEpoch, ...deps }: ServiceDeps): Core {
  const ids = createIds(deps);
  const fleet = new Fleet();
  const tokenNames = new Map<string, string>();
  const feed = new Feed({
    fleet,
    bus: deps.bus,
    clock: deps.clock,
    log: deps.log,
    serverEpoch: serverEpoch ?? ids.serverEpoch(),
    tokenName: (id) => tokenNames.get(id) ?? null,
  });
  const commit = new GroupCommit({
    store: deps.store,
    clock: deps.clock,
    log: deps.log,
    afterCommit: () => feed.flushUrgent(),
  });
  return {
    ...deps,
    ids,
    fleet,
    feed,
    commit,
    connections: new Connections(),
    overrideLane: createLane(),
    tokenNames,
    waiting: new Map(),
    releases: new Map(),
  };
}
