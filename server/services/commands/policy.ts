import type { CommandKind } from '@/lib/protocol/breaker-state';
import type { CommandScope, RiskLevel } from '@/lib/protocol/commands';
import { riskOf, type Policy } from '@/lib/protocol/risk';
import type { Core } from '../core';
import type { Resolved } from './scope';

export const isWide = ({ kind }: CommandScope): boolean => kind === 'service' || kind === 'target';

/** [U-20] How much could go wrong with what is in force now. */
export function riskOfResolved(
  core: Core,
  kind: CommandKind,
  wide: boolean,
  { parts }: Resolved,
  policy: Policy,
): RiskLevel {
  const instances = new Set(parts.flatMap(({ instanceIds }) => instanceIds)).size;
  const services = parts.map(
    ({ breaker }) => core.fleet.services.get(breaker.record.serviceId)?.record.name ?? '',
  );
  return riskOf({ kind, wide, instances, services }, policy);
}
