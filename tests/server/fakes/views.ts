import type { AuditCheckpoint, AuditProofBody } from '@/lib/protocol/audit';
import type { ImpactBody } from '@/lib/protocol/api';
import type {
  AuditRow,
  BreakerView,
  InstanceView,
  OverrideView,
  ServiceView,
  TokenView,
} from '@/lib/protocol/views';

const counts = { total: 1, live: 1, stale: 0, offline: 0 };

export const breakerView: BreakerView = {
  id: 'br_1',
  environment: 'test',
  service: 'checkout',
  serviceId: 'svc_1',
  name: 'payments',
  target: 'payments',
  state: 'closed',
  states: { closed: 1 },
  instances: counts,
  since: null,
  ramp: null,
  hold: false,
  level: 0,
  openTimeoutMs: null,
  retryAt: null,
  callsPerSecond: 1.5,
  refusedPerSecond: 0,
  failureShare: null,
  failureThreshold: 0.5,
  latencyP95Ms: null,
  baselineP95Ms: null,
  override: null,
  forcedUntil: null,
  wouldBeOpen: null,
  generation: 0,
  configDrift: false,
  asOf: 1,
  spark: [null, 0.5],
  sparkEndsAt: 2,
};

export const serviceView: ServiceView = {
  id: 'svc_1',
  environment: 'test',
  name: 'checkout',
  owner: null,
  instances: counts,
  breakers: 1,
  troubled: 0,
  firstSeenAt: 1,
};

export const instanceView: InstanceView = {
  id: 'ins_1',
  serviceId: 'svc_1',
  instance: 'one',
  host: null,
  pid: 7,
  replica: null,
  version: null,
  sdk: 'test 1',
  liveness: 'live',
  connected: true,
  startedAt: 1,
  lastSeenAt: 2,
  clockOffsetMs: null,
  droppedEvents: 0,
  droppedSamples: 0,
  duplicates: 0,
  tokenName: null,
  accepts: { kinds: ['force_open'], maxLeaseMs: 60_000 },
  duplicateIdentity: false,
};

export const overrideView: OverrideView = {
  id: 'ovr_1',
  breakerId: 'br_1',
  environment: 'test',
  service: 'checkout',
  breaker: 'payments',
  kind: 'force_open',
  generation: 1,
  reason: 'the database is melting',
  actor: 'ada',
  createdAt: 1,
  deliverBy: 2,
  leaseMs: 60_000,
  endsAt: 3,
  endedAt: null,
  endReason: null,
  endedBy: null,
  commandId: null,
  includeNew: false,
  leaseRevision: 0,
  targets: [
    {
      instanceId: 'ins_1',
      instance: 'one',
      liveness: 'live',
      delivery: 'queued',
      reason: null,
      reportedState: null,
      updatedAt: 1,
      leaseRevision: 0,
      releasedAt: null,
      releaseOutcome: null,
    },
  ],
};

export const tokenView: TokenView = {
  id: 'tok_1',
  name: 'checkout agents',
  servicePattern: 'checkout*',
  environment: 'test',
  abilities: ['publish'],
  hint: 'rcl_a_abcd',
  createdAt: 1,
  expiresAt: 2,
  lastUsedAt: null,
  revokedAt: null,
};

export const auditRow: AuditRow = {
  id: 1,
  at: 1,
  actor: 'ada',
  who: null,
  action: 'override.issue',
  subject: 'br_1',
  outcome: 'done',
  details: { kind: 'force_open' },
  hash: 'a'.repeat(64),
  previousHash: 'b'.repeat(64),
};

export const impact: ImpactBody = {
  now: 1,
  breaker: breakerView,
  kind: 'force_open',
  instances: { live: 1, stale: 0, offline: 0 },
  callsPerSecond: 1,
  failureShare: null,
  willRefuse: [{ instanceId: 'ins_1', instance: 'one', why: 'not allowed here' }],
  activeOverrides: [overrideView],
  generation: 0,
};

export const checkpoint: AuditCheckpoint = {
  chainId: 'c'.repeat(32),
  number: 1,
  fromRow: 1,
  toRow: 4,
  headHash: 'a'.repeat(64),
  root: 'b'.repeat(64),
  at: 1,
  previous: null,
  keyId: 'd'.repeat(64),
  publicKey: 'key',
  signature: 'signature',
};

export const auditProof: AuditProofBody = {
  now: 1,
  chainId: checkpoint.chainId,
  head: { row: 5, hash: 'e'.repeat(64), at: 1 },
  checkpoint,
  unsignedRows: 1,
  verified: { row: 5, at: 1, problem: null },
  sink: null,
  spans: [],
  alarms: [],
};
