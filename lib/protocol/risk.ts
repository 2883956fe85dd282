/**
 * [U-20] How grave a command is, and what the policy of its environment asks for. The server decides
 * with it; the browser says beforehand what will be asked. Pure data: pages carry no validator.
 */
import { covers } from './access';
import type { CommandKind } from './breaker-state';
import type { PolicyLevel, PolicyView, RiskLevel } from './commands';

/** More instances than this at once are a matter for L3. */
const MANY_INSTANCES = 10;

export type Policy = Readonly<Omit<PolicyView, 'tierOneServices'>> & {
  readonly tierOneServices: readonly string[];
};

const builtIn = (environment: string, stepUp: PolicyLevel): Policy => ({
  environment,
  twoPerson: 'never',
  stepUp,
  tierOneServices: [],
  updatedAt: 0,
  updatedBy: 'built in',
});

/** Where nobody has said otherwise, names that look like production ask for a step-up. */
export const BUILT_IN: readonly Policy[] = [
  builtIn('prod*', 'L3'),
  builtIn('prd*', 'L3'),
  builtIn('live*', 'L3'),
  builtIn('*', 'never'),
];

function best(policies: readonly Policy[], environment: string): Policy | undefined {
  return policies
    .filter((policy) => covers(policy.environment.toLowerCase(), environment.toLowerCase()))
    .toSorted((a, b) => b.environment.length - a.environment.length)
    .toSorted(
      (a, b) => Number(a.environment.endsWith('*')) - Number(b.environment.endsWith('*')),
    )[0];
}

/** The exact name before the longest prefix; what is set before what is built in. */
export function policyFor(policies: readonly Policy[], environment: string): Policy {
  return best(policies, environment) ?? best(BUILT_IN, environment) ?? builtIn('*', 'never');
}

/** Whether a policy asks for something from this level on. */
export const asksFor = (level: PolicyLevel, risk: RiskLevel): boolean =>
  level === 'L2' ? risk !== 'L1' : level === 'L3' && risk === 'L3';

/** What a command would touch, as far as its risk goes. */
export type Reach = {
  readonly kind: CommandKind;
  /** A whole service or target. */
  readonly wide: boolean;
  readonly instances: number;
  readonly services: readonly string[];
};

export function riskOf({ kind, wide, instances, services }: Reach, policy: Policy): RiskLevel {
  const tierOne = services.some((name) =>
    policy.tierOneServices.some((pattern) => covers(pattern, name)),
  );
  const high = kind === 'force_closed' || wide || instances > MANY_INSTANCES || tierOne;
  return high ? 'L3' : 'L2';
}
