import type { Sample } from '@/lib/protocol/samples';
import type { CommandRecord, OverrideInsert, PutCommand } from '@/server/store/command-port';
import type {
  AuditInsert,
  EventInsert,
  GapInsert,
  ProbeInsert,
  RegisterRun,
  RunBatch,
  RunResult,
  SampleInsert,
  StateUpsert,
  Store,
  TokenRecord,
} from '@/server/store/port';

export const T0 = 1_700_000_000_000;
export const SERVICE = {
  id: 'svc-1',
  environment: 'prod',
  name: 'checkout',
  owner: null,
  firstSeenAt: T0,
};
export const BREAKER = {
  id: 'brk-1',
  serviceId: SERVICE.id,
  name: 'payments',
  target: 'payments-api',
  firstSeenAt: T0,
};

export function registration(instanceId = 'ins-1', epoch = 'e1'): RegisterRun {
  return {
    service: SERVICE,
    epoch,
    instance: {
      id: instanceId,
      serviceId: SERVICE.id,
      instance: `${instanceId}-name`,
      host: 'host-1',
      pid: 7,
      replica: null,
      version: '1.2.3',
      sdk: 'recloser-node 0.1.0',
      accepts: { kinds: ['force_open', 'reset'], maxLeaseMs: 3_600_000 },
      tokenId: null,
      startedAt: T0,
      lastSeenAt: T0,
    },
  };
}

export function event(seq: number, over: Partial<EventInsert> = {}): EventInsert {
  const at = T0 + seq;
  return {
    seq,
    type: 'transition',
    breakerId: BREAKER.id,
    at,
    agentAt: at + 5,
    agentMono: seq + 0.25,
    data: { from: 'closed', to: 'open', n: seq },
    ...over,
  };
}

export function log(from: number, to: number): EventInsert[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => event(from + offset));
}

export function gap(fromSeq: number, toSeq: number, at = T0 + fromSeq): GapInsert {
  const counts = { transition: toSeq - fromSeq + 1 };
  return { fromSeq, toSeq, at, agentAt: at, agentMono: 1, counts, reason: 'buffer full' };
}

export function batch(runId: number, over: Partial<RunBatch> = {}): RunBatch {
  return {
    runId,
    receivedAt: T0 + 10_000,
    breakers: [BREAKER],
    configs: [],
    gaps: [],
    events: [],
    samples: [],
    probes: [],
    states: [],
    samplesSeq: 0,
    droppedSamples: 0,
    ...over,
  };
}

/** One batch in one commit. */
export async function append(
  store: Store,
  runId: number,
  over: Partial<RunBatch>,
): Promise<RunResult> {
  const [result] = await store.appendBatches([batch(runId, over)]);
  if (result === undefined) throw new Error('no result');
  return result;
}

export async function startRun(store: Store, instanceId?: string, epoch?: string): Promise<number> {
  const { run } = await store.registerRun(registration(instanceId, epoch));
  return run.id;
}

export function sample(seq: number, over: Partial<Sample> = {}): Sample {
  return {
    type: 'sample',
    seq,
    at: T0 + seq * 1_000,
    mono: seq * 1_000,
    breaker: BREAKER.name,
    periodMs: 1_000,
    state: 'half_open',
    step: 2,
    share: 0.25,
    calls: {
      success: 120,
      client_error: 0,
      timeout: 3,
      server_error: 1,
      overload: 0,
      refused: 0,
      rejected_local: 0,
      cancelled: 0,
      ignored: 0,
      not_permitted: 400,
    },
    slow: 2,
    late: 0,
    expired: 0,
    inFlight: 9,
    latency: {
      buckets: [
        [420, 90],
        [431, 30],
        [512, 4],
      ],
      count: 124,
      sumMs: 2_431.75,
      maxMs: 97.5,
    },
    ...over,
  };
}

export function sampleRow(seq: number, over: Partial<Sample> = {}): SampleInsert {
  return { breakerId: BREAKER.id, at: T0 + seq * 1_000, sample: sample(seq, over) };
}

export function probe(seq: number, over: Partial<ProbeInsert> = {}): ProbeInsert {
  return {
    seq,
    breakerId: BREAKER.id,
    at: T0 + seq * 1_000,
    step: 1,
    outcome: 'success',
    latencyMs: 12.5,
    idempotent: true,
    ...over,
  };
}

export function state(instanceId: string, over: Partial<StateUpsert> = {}): StateUpsert {
  return {
    breakerId: BREAKER.id,
    instanceId,
    since: T0,
    at: T0 + 1,
    state: {
      breaker: BREAKER.name,
      target: BREAKER.target,
      state: 'open',
      automatic: 'open',
      step: null,
      steps: 5,
      share: 0,
      level: 1,
      inFlight: 0,
      configHash: 'a'.repeat(64),
      breakerEpoch: 3,
    },
    ...over,
  };
}

export function audit(action: string, over: Partial<AuditInsert> = {}): AuditInsert {
  return {
    at: T0,
    actor: 'kim',
    action,
    subject: BREAKER.id,
    outcome: 'done',
    details: { why: 'test' },
    ...over,
  };
}

type CommandOver = Partial<CommandRecord> & {
  readonly breakerIds?: readonly string[];
  readonly expectedGeneration?: number;
  readonly targetInstanceIds?: readonly string[];
  readonly idempotencyKey?: string;
  readonly review?: PutCommand['review'];
};

export function overrideInsert(id: string, over: Partial<OverrideInsert> = {}): OverrideInsert {
  return {
    id,
    breakerId: BREAKER.id,
    createdAt: T0,
    deliverBy: T0 + 30_000,
    endsAt: T0 + 900_000,
    targetInstanceIds: ['ins-1'],
    ...over,
  };
}

/** A command of one override for each breaker; that of the first one has the id that is given. */
export function command(id: string, over: CommandOver = {}): PutCommand {
  const { breakerIds = [BREAKER.id], expectedGeneration = 0, targetInstanceIds, ...rest } = over;
  const { idempotencyKey = `key-${id}`, review = null, ...fields } = rest;
  const record: CommandRecord = {
    id: `cmd-${id}`,
    kind: 'force_open',
    environment: SERVICE.environment,
    scope: { kind: 'breaker', breakerId: BREAKER.id },
    includeNew: false,
    reason: 'the target is down',
    actor: 'kim',
    requester: { kind: 'user', id: 'usr-kim', email: 'kim@example.test' },
    createdAt: T0,
    startAt: null,
    leaseMs: 900_000,
    deliverWithinMs: 30_000,
    risk: 'L2',
    breakGlass: false,
    expected: Object.fromEntries(breakerIds.map((one) => [one, expectedGeneration])),
    facts: { breakers: [] },
    digest: `digest-${id}`,
    status: 'issued',
    statusAt: T0,
    statusBy: null,
    statusReason: null,
    approvedBy: null,
    ...fields,
  };
  const waits = record.status !== 'issued';
  return {
    command: record,
    idempotencyKey,
    overrides: waits
      ? []
      : breakerIds.map((breakerId, at) =>
          overrideInsert(at === 0 ? id : `${id}-${at}`, {
            breakerId,
            ...(targetInstanceIds === undefined ? {} : { targetInstanceIds }),
          }),
        ),
    review,
    audit: audit('override.issue'),
  };
}

export function token(id: string, over: Partial<TokenRecord> = {}): TokenRecord {
  return {
    id,
    name: `token ${id}`,
    servicePattern: 'checkout*',
    environment: 'prod',
    abilities: ['publish', 'obey'],
    hint: 'rc_abc',
    createdAt: T0,
    expiresAt: T0 + 1_000,
    lastUsedAt: null,
    revokedAt: null,
    ...over,
  };
}
