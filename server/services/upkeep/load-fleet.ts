import { foldEvent } from '@/lib/live/fold-event';
import { foldState } from '@/lib/live/fold-state';
import { agentEvent } from '@/lib/protocol/events';
import type { Core } from '../core';
import { adoptOverride } from '../overrides/show-override';

/** Words from before this start belong to no run that is known yet. */
const PAST_RUN = '';
const MAX_WAITING = 10_000;

/**
 * Words are stored now and then, events at once: after a hard stop an acknowledged transition may be
 * newer than the word, and the headline must not deny what the history says.
 */
async function catchUp(core: Core, breakerId: string, breaker: string): Promise<void> {
  const { fleet, store } = core;
  for (const stored of await store.lastTransitions(breakerId, Number.MAX_SAFE_INTEGER)) {
    const { instanceId, run: epoch, at, agentAt, seq, type, data } = stored;
    const before = fleet.cell(breakerId, instanceId)?.word;
    if (type !== 'transition' || (before !== undefined && before.asOf > at)) continue;
    const event = agentEvent.safeParse({ ...data, type, seq, at: agentAt, mono: 0, breaker });
    if (!event.success || event.data.type !== 'transition') continue;
    const known = before === undefined ? undefined : { ...before, epoch };
    fleet.putWord(breakerId, instanceId, foldEvent(known, { event: event.data, at, epoch }));
  }
}

/** Takes over what the store knows. Nothing of it counts as heard. */
export async function loadFleet(core: Core): Promise<void> {
  const { fleet, feed } = core;
  const [loaded, tokens] = await Promise.all([core.store.loadFleet(), core.store.listTokens()]);
  for (const token of tokens) core.tokenNames.set(token.id, token.name);
  for (const service of loaded.services) fleet.putService(service);
  for (const breaker of loaded.breakers) {
    const entry = fleet.putBreaker(breaker);
    entry.tallyFrom = core.clock.wall();
    entry.isSeeded = false;
    feed.mark('breakers', breaker.id, true);
  }
  for (const instance of loaded.instances) {
    if (instance.archivedAt !== null) continue;
    fleet.putInstance(instance, core.clock.mono());
    feed.mark('instances', instance.id, true);
  }
  for (const { breakerId, instanceId, state, since, at } of loaded.states) {
    const word = foldState(undefined, { state, at, epoch: PAST_RUN });
    fleet.putWord(breakerId, instanceId, { ...word, since });
  }
  for (const { id, name } of loaded.breakers) await catchUp(core, id, name);
  for (const { breakerId, instanceId, configHash, config } of loaded.configs) {
    const cell = fleet.cell(breakerId, instanceId);
    if (cell) cell.config = { hash: configHash, body: config };
  }
  for (const override of loaded.overrides) {
    adoptOverride(core, override);
    feed.mark('overrides', override.id, true);
  }
  for (const command of await core.store.listCommands({ waiting: true, limit: MAX_WAITING })) {
    core.waiting.set(command.id, command);
  }
  for (const release of await core.store.listReleases({ open: true, limit: MAX_WAITING })) {
    // Instances need a moment to come back before anything can be seen of them.
    const nextAt = Math.max(release.nextAt, core.clock.wall() + release.intervalMs);
    core.releases.set(release.id, { ...release, nextAt });
  }
  fleet.overrides.desiredRevision = loaded.desiredRevision;
  for (const id of fleet.services.keys()) feed.mark('services', id, true);
}
