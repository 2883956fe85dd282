import { byWeight, diagnose } from '@/lib/diagnosis/diagnose';
import { sameValue } from '@/lib/live/diff';
import type { FleetFinding } from '@/lib/protocol/findings';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { BreakerEntry, Examined } from '../fleet/entries';
import type { Diagnosis } from './contract';
import { currentKinds } from './current-kinds';
import { gather, seedTally } from './gather';
import { Neighbours } from './neighbours';

/** A page that is open asks again and again; a look this young is good enough. */
const FRESH_MS = 5_000;

export type Examine = (entry: BreakerEntry) => Promise<Examined>;

/** Looks at one breaker and remembers what it found; never twice at once at the same one. */
export function createExamine(core: Core): Examine {
  const neighbours = new Neighbours(core);
  const running = new Map<string, Promise<Examined>>();
  async function look(entry: BreakerEntry): Promise<Examined> {
    const { history, lookedAt } = await gather(core, entry, neighbours);
    const examined = { mono: core.clock.mono(), findings: diagnose(history), lookedAt };
    const before = currentKinds(entry.examined);
    entry.examined = examined;
    if (!sameValue(before, currentKinds(examined))) {
      core.feed.mark('breakers', entry.record.id, false);
    }
    return examined;
  }
  return (entry) => {
    const { id } = entry.record;
    const started = running.get(id);
    if (started) return started;
    const looking = look(entry).finally(() => running.delete(id));
    running.set(id, looking);
    return looking;
  };
}

function createBreaker(core: Core, examine: Examine): Diagnosis['breaker'] {
  return async (breakerId) => {
    const entry = core.fleet.breakers.get(breakerId);
    if (entry === undefined || entry.cells.size === 0) {
      throw new RecloserError('not_found', 'the breaker is not known');
    }
    const { examined, isSeeded } = entry;
    const isFresh = examined !== null && core.clock.mono() - examined.mono < FRESH_MS && isSeeded;
    if (!isFresh) await seedTally(core, entry);
    const { findings, lookedAt } = isFresh ? examined : await examine(entry);
    return { now: core.clock.wall(), breakerId, findings: [...findings], lookedAt };
  };
}

function findingsOf(core: Core, entry: BreakerEntry): FleetFinding[] {
  const service = core.fleet.services.get(entry.record.serviceId)?.record;
  if (service === undefined || entry.examined === null) return [];
  const { id: breakerId, name: breaker, target, serviceId } = entry.record;
  return entry.examined.findings
    .filter(({ current }) => current)
    .map((finding) => ({
      breakerId,
      breaker,
      serviceId,
      service: service.name,
      environment: service.environment,
      target,
      finding,
    }));
}

function createFindings(core: Core): Diagnosis['findings'] {
  return async ({ service }) => {
    const { fleet } = core;
    if (service !== undefined && !fleet.services.has(service)) {
      throw new RecloserError('not_found', 'the service is not known');
    }
    const entries = [...fleet.breakers.values()].filter(
      ({ record, cells }) =>
        cells.size > 0 && (service === undefined || record.serviceId === service),
    );
    return {
      now: core.clock.wall(),
      findings: entries
        .flatMap((entry) => findingsOf(core, entry))
        .sort((a, b) => byWeight(a.finding, b.finding) || a.breaker.localeCompare(b.breaker)),
      examined: entries.filter(({ examined }) => examined !== null).length,
      breakers: entries.length,
    };
  };
}

export function createDiagnosis(core: Core, examine: Examine): Diagnosis {
  return { breaker: createBreaker(core, examine), findings: createFindings(core) };
}
