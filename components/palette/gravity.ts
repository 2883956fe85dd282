import type { RiskLevel } from '@/lib/protocol/commands';
import { asksFor, policyFor, riskOf, type Policy } from '@/lib/protocol/risk';
import type { BreakerView } from '@/lib/protocol/views';
import type { Kind } from '../override/kinds';

/** How much harm a command can do, and what is asked for before it is sent. */
export type Gravity = { readonly level: RiskLevel; readonly label: string; readonly takes: string };

const STEPS: Record<RiskLevel, readonly string[]> = {
  L1: ['at once, can be asked for again'],
  L2: ['a dialog with preview, reason and lease'],
  L3: ['a dialog with preview, reason and lease', 'the name typed'],
};

const gravityOf = (level: RiskLevel, asked: readonly string[] = []): Gravity => ({
  level,
  label: level,
  takes: `${level}: ${[...STEPS[level], ...asked].join(', ')}`,
});

export const RETURN_GRAVITY = gravityOf('L1');

/** As the policy in force gives it for this breaker; nothing while the policies are not known. */
export function gravityFor(
  kind: Kind,
  { environment, service, instances }: BreakerView,
  policies: readonly Policy[] | null,
): { risk?: Gravity } {
  if (policies === null) return {};
  const policy = policyFor(policies, environment);
  const reach = { kind, wide: false, instances: instances.total, services: [service] };
  const level = riskOf(reach, policy);
  const asked = [
    ...(asksFor(policy.stepUp, level) ? ['a fresh proof that it is you'] : []),
    ...(asksFor(policy.twoPerson, level) ? ['a second person'] : []),
  ];
  return { risk: gravityOf(level, asked) };
}

/** Of a command whose breaker is not chosen yet. */
export const leastGravity = (kind: Kind): Gravity =>
  kind === 'force_closed'
    ? gravityOf('L3')
    : { level: 'L2', label: 'L2+', takes: 'L2 or L3: the breaker decides' };
