import type { CommandKind } from '@/lib/protocol/breaker-state';
import type { CommandScope, PolicyLevel, RiskLevel } from '@/lib/protocol/commands';
import type { PolicyRecord } from '../../store/port';
import type { Core } from '../core';
import type { Resolved } from './scope';

/** More instances than this at once are a matter for L3. [U-20] */
const MANY_INSTANCES = 10;

const builtIn = (environment: string, stepUp: PolicyLevel): PolicyRecord => ({
  environment,
  twoPerson: 'never',
  stepUp,
  tierOneServices: [],
  updatedAt: 0,
  updatedBy: 'built in',
});

/** Where nobody has said otherwise, names that look like production ask for a step-up. */
export const BUILT_IN: readonly PolicyRecord[] = [
  builtIn('prod*', 'L3'),
  builtIn('prd*', 'L3'),
  builtIn('live*', 'L3'),
  builtIn('*', 'never'),
];

const covers = (pattern: string, value: string): boolean =>
  pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;

function best(policies: readonly PolicyRecord[], environment: string): PolicyRecord | undefined {
  return policies
    .filter((policy) => covers(policy.environment.toLowerCase(), environment.toLowerCase()))
    .sort((a, b) => b.environment.length - a.environment.length)
    .sort((a, b) => Number(a.environment.endsWith('*')) - Number(b.environment.endsWith('*')))[0];
}

/** The exact name before the longest prefix; what is set before what is built in. */
export function policyFor(policies: readonly PolicyRecord[], environment: string): PolicyRecord {
  return best(policies, environment) ?? best(BUILT_IN, environment) ?? builtIn('*', 'never');
}

export const asksFor = (level: PolicyLevel, risk: RiskLevel): boolean =>
  level === 'L2' ? risk !== 'L1' : level === 'L3' && risk === 'L3';

export const isWide = ({ kind }: CommandScope): boolean => kind === 'service' || kind === 'target';

/** [U-20] How much could go wrong. */
export function riskOf(
  core: Core,
  kind: CommandKind,
  wide: boolean,
  { parts }: Resolved,
  policy: PolicyRecord,
): RiskLevel {
  const instances = new Set(parts.flatMap(({ instanceIds }) => instanceIds));
  const tierOne = parts.some(({ breaker }) => {
    const name = core.fleet.services.get(breaker.record.serviceId)?.record.name ?? '';
    return policy.tierOneServices.some((pattern) => covers(pattern, name));
  });
  const high = kind === 'force_closed' || wide || instances.size > MANY_INSTANCES || tierOne;
  return high ? 'L3' : 'L2';
}
