import type { Finding } from '@/lib/protocol/findings';

const MINUTE_MS = 60_000;

const common = (now: number) => ({
  instanceIds: ['ins_1'],
  eventIds: [],
  firstAt: now - 20 * MINUTE_MS,
});

const harm = (now: number): Finding => ({
  ...common(now),
  kind: 'flapping',
  severity: 'harm',
  summary: 'Closed and tripped again 5 times within 41 s: it closes before the target is well.',
  evidence: [
    { label: 'Recoveries undone by a trip', unit: 'count', value: 5 },
    { label: 'Of the recoveries in that time', unit: 'share', value: 1 },
    { label: 'Closed before it tripped again, median', unit: 'ms', value: 1_840 },
    { label: 'Last relapse', unit: 'at', value: now - 3 * MINUTE_MS },
  ],
  advice: [
    {
      option: 'recovery.admission',
      now: "{ kind: 'fixed' }",
      suggest: "{ kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] }",
      text: 'let the load come back in steps',
    },
    {
      option: 'open.baseMs',
      now: '5000',
      suggest: '10000',
      text: 'give the target longer to come back',
    },
  ],
  lastAt: now - 3 * MINUTE_MS,
  current: true,
});

const risk = (now: number): Finding => ({
  ...common(now),
  kind: 'config_drift',
  severity: 'risk',
  summary: '1 of 4 live instances run another configuration, different in open.baseMs.',
  evidence: [
    { label: 'Configurations among live instances', unit: 'count', value: 2 },
    {
      label: 'Differ from the rest',
      unit: 'text',
      text: `checkout-${'long-'.repeat(20)}name`,
    },
  ],
  advice: [
    {
      option: 'open.baseMs',
      now: '30000',
      suggest: '10000',
      text: 'as most instances have it',
    },
  ],
  lastAt: now,
  current: true,
});

const note = (now: number): Finding => ({
  ...common(now),
  kind: 'nobody_calling',
  severity: 'note',
  summary:
    'Ready to probe for 4 min and nobody calls: a breaker comes back only when a call tries.',
  evidence: [{ label: 'Eligible since', unit: 'at', value: now - 300 * MINUTE_MS }],
  advice: [
    {
      option: null,
      now: null,
      suggest: null,
      text: 'check that callers go through this breaker',
    },
  ],
  lastAt: now - 296 * MINUTE_MS,
  current: false,
});

/** One of each severity, the last of an earlier time. */
export const findingFixtures = (now: number): Finding[] => [harm(now), risk(now), note(now)];
