import type {
  CommandPreview,
  CommandView,
  ReleaseView,
  ReviewView,
} from '@/lib/protocol/command-views';
import type { PolicyView } from '@/lib/protocol/commands';
import { overrideView } from './views';

const scope = { kind: 'breaker', breakerId: 'br_1' } as const;
const facts = { breakers: [{ breakerId: 'br_1', generation: 0, state: 'closed', live: 1 }] };

export const commandView: CommandView = {
  id: 'cmd_1',
  kind: 'force_open',
  environment: 'test',
  scope,
  includeNew: false,
  reason: 'the database is melting',
  actor: 'ada',
  requester: { kind: 'user', id: 'person_1' },
  createdAt: 1,
  startAt: null,
  leaseMs: 60_000,
  deliverWithinMs: 30_000,
  risk: 'L2',
  breakGlass: false,
  facts,
  digest: 'd'.repeat(64),
  status: 'issued',
  statusAt: 1,
  statusBy: null,
  statusReason: null,
  approvedBy: null,
  approvalEndsAt: null,
  outcome: 'in_progress',
  counts: { queued: 1 },
  endsAt: 3,
  overrides: [overrideView],
};

export const commandPreview: CommandPreview = {
  now: 1,
  digest: 'd'.repeat(64),
  kind: 'force_open',
  environment: 'test',
  scope,
  includeNew: false,
  risk: 'L2',
  needs: { stepUp: false, secondPerson: false },
  instances: { live: 1, stale: 0, offline: 0 },
  callsPerSecond: 2,
  failureShare: null,
  breakers: [],
  callers: [{ serviceId: 'svc_2', service: 'edge' }],
  callees: [{ target: 'payments', serviceId: null }],
  activeOverrides: [overrideView],
  willRefuse: [],
  doubled: [],
  ends: { leaseMs: 60_000, contactLossMs: null },
  expectedGenerations: { br_1: 0 },
};

export const policyView: PolicyView = {
  environment: 'prod*',
  twoPerson: 'never',
  stepUp: 'L3',
  tierOneServices: [],
  updatedAt: 1,
  updatedBy: 'ada',
};

const { overrides: _o, counts: _c, outcome: _u, endsAt: _e, ...bare } = commandView;

export const reviewView: ReviewView = {
  id: 'rev_1',
  createdAt: 1,
  dueAt: 2,
  overdue: false,
  closedAt: null,
  closedBy: null,
  note: null,
  command: bare,
};

export const releaseView: ReleaseView = {
  id: 'rel_1',
  actor: 'ada',
  reason: '',
  createdAt: 1,
  overrideIds: ['ovr_1'],
  batchSize: 1,
  intervalMs: 30_000,
  status: 'running',
  statusAt: 1,
  statusBy: 'ada',
  statusReason: null,
  nextAt: 2,
  total: 2,
  released: 1,
  steps: [
    {
      overrideId: 'ovr_1',
      instanceId: 'ins_1',
      instance: 'one',
      releasedAt: 1,
      outcome: 'confirmed',
    },
  ],
};
