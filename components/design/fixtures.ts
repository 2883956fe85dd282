import type {
  AuditRow,
  InstanceView,
  OverrideView,
  ServiceView,
  TokenView,
} from '@/lib/protocol/views';
import { SERVICES } from './breaker-fixtures';

const SECOND = 1_000;
const MINUTE = 60_000;

export function serviceFixtures(now: number): ServiceView[] {
  return SERVICES.map((name, index) => ({
    id: `svc-${name}`,
    environment: index === 2 ? 'staging' : 'production',
    name,
    owner: index === 3 ? null : 'Team Storefront',
    instances:
      index === 4
        ? { total: 4, live: 2, stale: 1, offline: 1 }
        : { total: 3, live: 3, stale: 0, offline: 0 },
    breakers: 3 + index,
    troubled: index < 2 ? 2 - index : 0,
    firstSeenAt: now - (index + 2) * 86_400_000,
  }));
}

export function instanceFixtures(now: number): InstanceView[] {
  const base: InstanceView = {
    id: 'i1',
    serviceId: 'svc-checkout',
    instance: 'checkout-7c9d-x2f',
    host: 'node-14',
    pid: 4_121,
    replica: null,
    version: '2.18.1',
    sdk: '@recloser/agent 0.1.0',
    liveness: 'live',
    connected: true,
    startedAt: now - 5 * 3_600_000,
    lastSeenAt: now - 400,
    clockOffsetMs: 12,
    droppedEvents: 0,
    droppedSamples: 0,
    duplicates: 0,
    tokenName: 'checkout-prod',
    accepts: { kinds: ['force_open', 'reset'], maxLeaseMs: 4 * 3_600_000 },
    duplicateIdentity: false,
  };
  return [
    base,
    {
      ...base,
      id: 'i2',
      instance: 'checkout-7c9d-k81',
      host: 'node-02',
      clockOffsetMs: -3_400,
      droppedSamples: 312,
      accepts: { kinds: ['force_open', 'force_closed', 'reset'], maxLeaseMs: 30 * MINUTE },
    },
    {
      ...base,
      id: 'i3',
      instance: 'checkout-7c9d-q07',
      liveness: 'stale',
      connected: false,
      lastSeenAt: now - 2 * MINUTE,
      duplicates: 14,
      duplicateIdentity: true,
    },
    {
      ...base,
      id: 'i4',
      instance: 'checkout-66f0-b5c',
      version: '2.17.9',
      liveness: 'offline',
      connected: false,
      lastSeenAt: now - 40 * MINUTE,
      clockOffsetMs: null,
      accepts: { kinds: [], maxLeaseMs: 0 },
    },
  ];
}

export function tokenFixtures(now: number): TokenView[] {
  const base: TokenView = {
    id: 't1',
    name: 'checkout-prod',
    servicePattern: 'checkout',
    environment: 'production',
    abilities: ['publish', 'obey'],
    hint: 'rcl_a_9f3…',
    createdAt: now - 12 * 86_400_000,
    expiresAt: now + 78 * 86_400_000,
    lastUsedAt: now - SECOND,
    revokedAt: null,
  };
  return [
    base,
    {
      ...base,
      id: 't2',
      name: 'staging-all',
      servicePattern: '*',
      environment: 'staging',
      lastUsedAt: null,
      expiresAt: now + 3 * 86_400_000,
    },
    {
      ...base,
      id: 't3',
      name: 'old-laptop',
      servicePattern: 'catalog*',
      revokedAt: now - 86_400_000,
    },
  ];
}

export function auditFixtures(now: number): AuditRow[] {
  return [
    {
      id: 42,
      at: now - 90 * SECOND,
      actor: 'mira',
      who: null,
      hash: null,
      previousHash: null,
      action: 'override.issued',
      subject: 'ledger-writes',
      outcome: 'done',
      details: { kind: 'force_closed', reason: 'ledger is healthy, probe path is not' },
    },
    {
      id: 41,
      at: now - 4 * MINUTE,
      actor: 'jon.doe',
      who: null,
      hash: null,
      previousHash: null,
      action: 'override.issued',
      subject: 'payments',
      outcome: 'refused',
      details: { code: 'conflict', generation: 7 },
    },
    {
      id: 40,
      at: now - 50 * MINUTE,
      actor: 'console',
      who: null,
      hash: null,
      previousHash: null,
      action: 'token.created',
      subject: 'checkout-prod',
      outcome: 'done',
      details: {},
    },
  ];
}

export function overrideFixture(now: number): OverrideView {
  return {
    id: 'o1',
    breakerId: 'forced-closed',
    environment: 'production',
    service: 'billing',
    breaker: 'ledger-writes',
    kind: 'force_closed',
    generation: 3,
    reason: 'Ledger is healthy, the probe path is not',
    actor: 'mira',
    createdAt: now - 5 * MINUTE,
    deliverBy: now - 4 * MINUTE,
    leaseMs: 10 * MINUTE,
    endsAt: now + 5 * MINUTE,
    endedAt: null,
    endReason: null,
    endedBy: null,
    commandId: null,
    includeNew: false,
    leaseRevision: 0,
    targets: [],
  };
}
