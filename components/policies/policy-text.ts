import type { PolicyLevel, PolicyView, SetPolicyBody } from '@/lib/protocol/commands';

export const LEVELS: readonly { value: PolicyLevel; label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'L3', label: 'From L3: wide or dangerous' },
  { value: 'L2', label: 'From L2: every override' },
];

export const levelText = (level: PolicyLevel): string =>
  level === 'never' ? 'Never' : `From ${level}`;

export type PolicyDraft = {
  readonly environment: string;
  readonly twoPerson: PolicyLevel;
  readonly stepUp: PolicyLevel;
  /** One pattern a line. */
  readonly tierOne: string;
};

export const EMPTY_POLICY: PolicyDraft = {
  environment: '',
  twoPerson: 'never',
  stepUp: 'L3',
  tierOne: '',
};

export const draftOfPolicy = (policy: PolicyView): PolicyDraft => ({
  environment: policy.environment,
  twoPerson: policy.twoPerson,
  stepUp: policy.stepUp,
  tierOne: policy.tierOneServices.join('\n'),
});

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

const MAX_LENGTH = 128;
const MAX_SERVICES = 200;

/** Null when it will do; else what to change. */
function patternError(pattern: string): string | null {
  if (pattern.length > MAX_LENGTH) return `At most ${MAX_LENGTH} characters.`;
  return /^[^*]*\*?$/.test(pattern) ? null : 'A * is allowed at the end only.';
}

export type PolicyProblems = {
  readonly environment: string | null;
  readonly tierOne: string | null;
};

export function policyProblems({ environment, tierOne }: PolicyDraft): PolicyProblems {
  const name = environment.trim();
  const services = linesOf(tierOne);
  const wrong = services.find((line) => patternError(line) !== null);
  return {
    environment:
      name === '' ? 'Name an environment, or a prefix with * at the end.' : patternError(name),
    tierOne:
      services.length > MAX_SERVICES
        ? `At most ${MAX_SERVICES} services.`
        : wrong === undefined
          ? null
          : `“${wrong.slice(0, 40)}”: ${patternError(wrong) ?? ''}`,
  };
}

export const bodyOfPolicy = (draft: PolicyDraft): SetPolicyBody => ({
  environment: draft.environment.trim(),
  twoPerson: draft.twoPerson,
  stepUp: draft.stepUp,
  tierOneServices: linesOf(draft.tierOne),
});
