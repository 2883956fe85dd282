import type { CommandScope } from '@/lib/protocol/commands';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { BreakerEntry } from '../fleet/entries';

/** One breaker of a command and the instances that it is for. */
export type Part = { readonly breaker: BreakerEntry; readonly instanceIds: readonly string[] };

export type Resolved = { readonly environment: string; readonly parts: readonly Part[] };

export function invalid(message: string, details?: Record<string, unknown>): RecloserError {
  return new RecloserError('invalid_input', message, details === undefined ? {} : { details });
}

const MAX_BREAKERS = 500;

function breakerOrThrow(core: Core, id: string): BreakerEntry {
  const entry = core.fleet.breakers.get(id);
  if (entry === undefined) throw new RecloserError('not_found', 'the breaker is not known');
  return entry;
}

function chosen(breaker: BreakerEntry, instanceIds: readonly string[]): Part {
  const strangers = instanceIds.filter((id) => !breaker.cells.has(id));
  if (strangers.length > 0) {
    throw invalid('an instance does not have this breaker', { instances: strangers });
  }
  return { breaker, instanceIds: [...new Set(instanceIds)] };
}

const all = (breaker: BreakerEntry): Part => ({ breaker, instanceIds: [...breaker.cells.keys()] });

function ofService(core: Core, serviceId: string): Part[] {
  const service = core.fleet.services.get(serviceId);
  if (service === undefined) throw new RecloserError('not_found', 'the service is not known');
  return [...service.breakers].flatMap((id) => {
    const entry = core.fleet.breakers.get(id);
    return entry === undefined ? [] : [all(entry)];
  });
}

function toTarget(core: Core, environment: string, target: string): Part[] {
  return [...core.fleet.breakers.values()]
    .filter(({ record }) => {
      const service = core.fleet.services.get(record.serviceId);
      return record.target === target && service?.record.environment === environment;
    })
    .map(all);
}

function partsOf(core: Core, scope: CommandScope): Part[] {
  switch (scope.kind) {
    case 'breaker':
      return [all(breakerOrThrow(core, scope.breakerId))];
    case 'instances':
      return [chosen(breakerOrThrow(core, scope.breakerId), scope.instanceIds)];
    case 'service':
      return ofService(core, scope.serviceId);
    case 'target':
      return toTarget(core, scope.environment, scope.target);
    default:
      return scope satisfies never;
  }
}

/** The breakers and the instances that a command is for, as they are known now. */
export function resolveScope(core: Core, scope: CommandScope): Resolved {
  const parts = partsOf(core, scope)
    .filter(({ breaker }) => breaker.cells.size > 0)
    .sort((a, b) => (a.breaker.record.id < b.breaker.record.id ? -1 : 1));
  const [first] = parts;
  if (first === undefined) {
    throw scope.kind === 'breaker' || scope.kind === 'instances'
      ? invalid('no instance has this breaker')
      : invalid('no breaker belongs to this scope');
  }
  if (parts.length > MAX_BREAKERS) {
    throw invalid(
      `a command covers at most ${MAX_BREAKERS} breakers; this one has ${parts.length}`,
    );
  }
  const service = core.fleet.services.get(first.breaker.record.serviceId);
  return { environment: service?.record.environment ?? '', parts };
}

/** Instances of the scope that two processes claim. */
export function doubledOf(core: Core, { parts }: Resolved): string[] {
  const ids = new Set(parts.flatMap(({ instanceIds }) => instanceIds));
  return [...ids].filter((id) => (core.fleet.instances.get(id)?.epochs.size ?? 0) > 1);
}
