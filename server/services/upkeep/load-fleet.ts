import { foldState } from '@/lib/live/fold-state';
import type { Core } from '../core';
import { adoptOverride } from '../overrides/show-override';

/** Words from before this start belong to no run that is known yet. */
const PAST_RUN = '';

/** Takes over what the store knows. Nothing of it counts as heard. */
export async function loadFleet(core: Core): Promise<void> {
  const { fleet, feed } = core;
  const [loaded, tokens] = await Promise.all([core.store.loadFleet(), core.store.listTokens()]);
  for (const token of tokens) core.tokenNames.set(token.id, token.name);
  for (const service of loaded.services) fleet.putService(service);
  for (const breaker of loaded.breakers) {
    fleet.putBreaker(breaker);
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
  for (const { breakerId, instanceId, configHash, config } of loaded.configs) {
    const cell = fleet.cell(breakerId, instanceId);
    if (cell) cell.config = { hash: configHash, body: config };
  }
  for (const override of loaded.overrides) {
    adoptOverride(core, override);
    feed.mark('overrides', override.id, true);
  }
  fleet.overrides.desiredRevision = loaded.desiredRevision;
  for (const id of fleet.services.keys()) feed.mark('services', id, true);
}
