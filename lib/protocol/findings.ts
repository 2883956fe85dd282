/** What the console says about how a breaker behaves, and what to change. */
import { z } from 'zod';

export const findingKinds = [
  'flapping',
  'stuck_half_open',
  'half_open_too_wide',
  'never_enough_volume',
  'hair_trigger',
  'own_overload',
  'shared_key',
  'nobody_calling',
  'next_step_fails',
  'probe_timeout_hides_hold',
  'probe_storm',
  'config_drift',
  'forgotten_override',
] as const;
export const findingKind = z.enum(findingKinds);
export type FindingKind = (typeof findingKinds)[number];

/** harm: it hurts callers or the target now; risk: it will, when something fails; note: good to know. */
export const severities = ['harm', 'risk', 'note'] as const;
export type Severity = (typeof severities)[number];

const measured = z.object({
  label: z.string(),
  unit: z.enum(['count', 'ms', 'share', 'per_second', 'at']),
  value: z.number(),
});
const worded = z.object({ label: z.string(), unit: z.literal('text'), text: z.string() });
/** A figure behind a finding; shares are fractions, `at` is epoch milliseconds. */
export const evidence = z.union([measured, worded]);
export type Evidence = z.infer<typeof evidence>;

/** What to change. Values are written as they stand in code. */
export const advice = z.object({
  /** Path of the option, null when it is not an option that has to change. */
  option: z.string().nullable(),
  now: z.string().nullable(),
  suggest: z.string().nullable(),
  text: z.string(),
});
export type Advice = z.infer<typeof advice>;

export const finding = z.object({
  kind: findingKind,
  severity: z.enum(severities),
  /** One sentence with the figures that decide. */
  summary: z.string(),
  evidence: z.array(evidence),
  advice: z.array(advice),
  /** Instances and stored events that it rests on, some of them when there are many. */
  instanceIds: z.array(z.string()),
  eventIds: z.array(z.int()),
  firstAt: z.number(),
  lastAt: z.number(),
  /** Seen within the last hour, or so now; others are of an earlier time of the range. */
  current: z.boolean(),
});
export type Finding = z.infer<typeof finding>;

/** What was looked at, so that silence can be told from ignorance. */
export const lookedAt = z.object({
  from: z.number(),
  to: z.number(),
  events: z.int(),
  probes: z.int(),
  calls: z.int(),
  /** The range held more than is read; older parts were left out. */
  cut: z.boolean(),
});
export type LookedAt = z.infer<typeof lookedAt>;

export const diagnosisBody = z.object({
  now: z.number(),
  breakerId: z.string(),
  findings: z.array(finding),
  lookedAt,
});
export type DiagnosisBody = z.infer<typeof diagnosisBody>;

export const fleetFinding = z.object({
  breakerId: z.string(),
  breaker: z.string(),
  serviceId: z.string(),
  service: z.string(),
  environment: z.string(),
  target: z.string(),
  finding,
});
export type FleetFinding = z.infer<typeof fleetFinding>;

export const findingsQuery = z.object({ service: z.string().max(64).optional() });
export type FindingsQuery = z.infer<typeof findingsQuery>;

export const findingsBody = z.object({
  now: z.number(),
  /** Worst first. */
  findings: z.array(fleetFinding),
  /** Breakers that have been looked at since the console started, of all. */
  examined: z.int(),
  breakers: z.int(),
});
export type FindingsBody = z.infer<typeof findingsBody>;
