import type { BreakerUpsert } from '../../store/port';
import type { AgentSession } from '../contract';
import type { Core } from '../core';
import { BREAKER_QUOTA_TEXT, hasRoomForBreaker } from './quotas';

export type Refused = { readonly seq: number; readonly code: string; readonly message: string };

/** Turns the breaker names of one batch into ids, and collects what the store must learn first. */
export class BreakerNames {
  readonly #core: Core;
  readonly #session: AgentSession;
  readonly #at: number;
  readonly #upserts = new Map<string, BreakerUpsert>();
  readonly #refused: Refused[] = [];

  constructor(core: Core, session: AgentSession, at: number) {
    this.#core = core;
    this.#session = session;
    this.#at = at;
  }

  get upserts(): BreakerUpsert[] {
    return [...this.#upserts.values()];
  }

  get refused(): readonly Refused[] {
    return this.#refused;
  }

  /** Null when the service has no room for another breaker. */
  idOf(name: string, seq: number, target?: string): string | null {
    const { environment, service, serviceId } = this.#session;
    const id = this.#core.ids.breaker(environment, service, name);
    const { fleet } = this.#core;
    const known = fleet.breakers.get(id)?.record ?? this.#upserts.get(id);
    if (known && (target === undefined || known.target === target)) return id;
    const entry = fleet.services.get(serviceId);
    if (!known && entry && !entry.pendingBreakers.has(id)) {
      if (!hasRoomForBreaker(entry)) {
        this.#refused.push({ seq, code: 'quota', message: BREAKER_QUOTA_TEXT });
        return null;
      }
      entry.pendingBreakers.add(id);
    }
    const upsert = {
      id,
      serviceId,
      name,
      target: target ?? known?.target ?? name,
      firstSeenAt: known?.firstSeenAt ?? this.#at,
    };
    this.#upserts.set(id, upsert);
    return id;
  }
}

/** After the commit: what the batch brought is known. */
export function adoptBreakers(core: Core, upserts: readonly BreakerUpsert[]): void {
  for (const upsert of upserts) {
    core.fleet.putBreaker({ ...upsert, generation: 0 });
    core.feed.mark('breakers', upsert.id, true);
    core.feed.mark('services', upsert.serviceId, false);
  }
}
