import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';
import type { Publication } from '@/server/bus/port';
import type {
  ApiTokens,
  Agents,
  AgentSession,
  AuditProof,
  Commands,
  EventsAck,
  LiveFeed,
  Overrides,
  Policies,
  Queries,
  Releases,
  Reviews,
  Services,
  Tokens,
} from '@/server/services/contract';
import type { Instances } from '@/server/services/instances/contract';
import type { Simulator } from '@/server/services/simulator/contract';
import type { Diagnosis } from '@/server/services/diagnosis/contract';
import { RecloserError } from '@/server/services/errors';
import { createDoor } from '@/server/services/door';
import type { AuditInsert, TokenRecord } from '@/server/store/port';
import {
  auditProof,
  auditRow,
  breakerView,
  checkpoint,
  impact,
  instanceView,
  overrideView,
  serviceView,
  tokenView,
} from './views';
import { WALL_START } from './clock';
import { diagnosisBody, findingsBody } from './findings';
import { commandPreview, commandView, policyView, releaseView, reviewView } from './command-views';
import type { Screens } from '@/server/services/screens/contract';
import { apiTokenView, fakeEntry, fakePeople, fakeProfile, fakeStepUps } from './people';

export const GOOD_TOKEN = 'rcl_a_good';

export const tokenRecord: TokenRecord = {
  id: 'tok_1',
  name: 'test',
  servicePattern: '*',
  environment: 'test',
  abilities: ['publish', 'obey'],
  hint: 'rcl_a_good',
  createdAt: WALL_START,
  expiresAt: WALL_START + 86_400_000,
  lastUsedAt: null,
  revokedAt: null,
};

/** Throws `thrown` in place of the next answer of `method`. */
type Trap = { method: string; thrown: unknown };

export type FakeAgents = Agents & {
  readonly calls: { readonly method: string; readonly args: readonly unknown[] }[];
  trap: Trap | null;
  /** While set, ingest calls wait for `release`. */
  gate: Promise<void> | null;
  answer: Partial<EventsAck>;
  stateAnswer: 'ok' | 'need_state';
  overrides: number;
  replace(): void;
};

export function fakeAgents(): FakeAgents {
  let replaced: (() => void) | null = null;
  let ackedSeq = 0;
  let samplesSeq = 0;
  const fake: FakeAgents = {
    calls: [],
    trap: null,
    gate: null,
    answer: {},
    stateAnswer: 'ok',
    overrides: 1,
    replace: () => replaced?.(),
    async connect(input) {
      note('connect', input.hello, input.token);
      replaced = input.onReplaced;
      const { hello, token } = input;
      const session: AgentSession = {
        id: 'ses_1',
        runId: 1,
        epoch: hello.epoch,
        instanceId: `ins_${hello.instance}`,
        serviceId: 'svc_1',
        environment: hello.environment,
        service: hello.service,
        instance: hello.instance,
        token,
      };
      return { session, ackedSeq: 0, samplesSeq: 0 };
    },
    async events(_session, events, receivedAt) {
      note('events', events, receivedAt);
      await fake.gate;
      ackedSeq += events.length;
      return ack(events.length);
    },
    async samples(_session, items, dropped, receivedAt) {
      note('samples', items, dropped, receivedAt);
      await fake.gate;
      samplesSeq += items.length;
      return ack(items.length);
    },
    async state(_session, frame) {
      note('state', frame);
      return fake.stateAnswer;
    },
    async applied(_session, frame) {
      note('applied', frame);
    },
    heard(_session, receivedAt, clock) {
      note('heard', receivedAt, clock);
    },
    async disconnected(session, at, goodbye) {
      note('disconnected', session.instanceId, at, goodbye);
    },
    async checkpoint() {
      return checkpoint;
    },
    async alarm(_session, frame) {
      note('alarm', frame);
    },
    async desired() {
      note('desired');
      const entry = {
        id: 'ovr_1',
        breaker: 'payments',
        kind: 'force_open' as const,
        generation: 1,
        deliverWithinMs: 1_000,
        remainingMs: 60_000,
        reason: 'r'.repeat(400),
        actor: 'ada',
        scope: 'service',
      };
      const overrides = Array.from({ length: fake.overrides }, (_, index) => ({
        ...entry,
        id: `ovr_${index}`,
      }));
      return { type: 'desired', revision: 4, overrides };
    },
  };
  function note(method: string, ...args: unknown[]): void {
    fake.calls.push({ method, args });
    if (fake.trap?.method !== method) return;
    const { thrown } = fake.trap;
    fake.trap = null;
    throw thrown;
  }
  function ack(accepted: number): EventsAck {
    return { ackedSeq, samplesSeq, accepted, duplicate: 0, resendFrom: null, ...fake.answer };
  }
  return fake;
}

export type FakeFeed = LiveFeed & {
  readonly watched: Set<string>;
  missed: LivePatch | null | 'lost';
  publish(changes: Partial<LivePatch>): void;
  readonly listeners: number;
};

export function fakeFeed(): FakeFeed {
  let revision = 10;
  const listeners = new Set<(patch: LivePatch) => void>();
  const watched = new Set<string>();
  return {
    serverEpoch: 'epoch-1',
    watched,
    missed: null,
    get listeners() {
      return listeners.size;
    },
    revision: () => revision,
    snapshot: (topics): LiveSnapshot => ({
      type: 'snapshot',
      serverEpoch: 'epoch-1',
      revision,
      now: WALL_START,
      environmentNames: ['test'],
      breakers: [breakerView],
      services: [serviceView],
      overrides: [overrideView],
      ...(topics.has('instances') ? { instances: [instanceView] } : {}),
    }),
    since() {
      return this.missed;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watch(id) {
      watched.add(id);
      return () => void watched.delete(id);
    },
    publish(changes) {
      revision += 1;
      const patch: LivePatch = {
        type: 'patch',
        fromRevision: revision,
        toRevision: revision,
        now: WALL_START,
        ...changes,
      };
      for (const listener of listeners) listener(patch);
    },
  };
}

export type FakeServices = Services & {
  readonly agents: FakeAgents;
  readonly feed: FakeFeed;
  /** Thrown by every query and command. */
  thrown: unknown;
  /** What the gate wrote down. */
  readonly audited: readonly AuditInsert[];
  readonly seen: { readonly name: string; readonly args: readonly unknown[] }[];
};

async function* lines() {
  yield 'row,time\r\n';
  yield '1,now\r\n';
}

export function fakeServices(): FakeServices {
  const seen: FakeServices['seen'] = [];
  async function answer<T>(name: string, value: T, ...args: unknown[]): Promise<T> {
    seen.push({ name, args });
    if (fake.thrown !== null) throw fake.thrown;
    if (args.includes('missing')) throw new RecloserError('not_found', 'no such thing');
    return value;
  }
  const overrides: Overrides = {
    impact: (...args) => answer('impact', impact, ...args),
    issue: (...args) => answer('issue', overrideView, ...args),
    release: (...args) => answer('release', overrideView, ...args),
    releaseBreaker: (...args) => answer('releaseBreaker', [overrideView], ...args),
    changeLease: (...args) => answer('changeLease', overrideView, ...args),
    get: (...args) => answer('override', overrideView, ...args),
    list: (...args) => answer('overrides', [overrideView], ...args),
  };
  const commands: Commands = {
    preview: (...args) => answer('preview', commandPreview, ...args),
    issue: (...args) => answer('issueCommand', commandView, ...args),
    get: (...args) => answer('command', commandView, ...args),
    list: (...args) => answer('commands', [commandView], ...args),
    approve: (...args) => answer('approve', commandView, ...args),
    deny: (...args) => answer('deny', commandView, ...args),
    cancel: (...args) => answer('cancel', commandView, ...args),
    release: (...args) => answer('releaseCommand', commandView, ...args),
    changeLease: (...args) => answer('changeLeases', commandView, ...args),
  };
  const releases: Releases = {
    start: (...args) => answer('startRelease', releaseView, ...args),
    resume: (...args) => answer('resumeRelease', releaseView, ...args),
    cancel: (...args) => answer('cancelRelease', releaseView, ...args),
    get: (...args) => answer('getRelease', releaseView, ...args),
    list: (...args) => answer('releases', [releaseView], ...args),
  };
  const policies: Policies = {
    list: () => answer('policies', { builtIn: [policyView], policies: [] }),
    set: (...args) => answer('setPolicy', policyView, ...args),
  };
  const reviews: Reviews = {
    list: (...args) => answer('reviews', [reviewView], ...args),
    close: (...args) => answer('closeReview', reviewView, ...args),
  };
  const tokens: Tokens = {
    create: (...args) => answer('createToken', { token: GOOD_TOKEN, view: tokenView }, ...args),
    list: () => answer('tokens', [tokenView]),
    revoke: (...args) => answer('revoke', tokenView, ...args),
    authenticate: async (token) => (token === GOOD_TOKEN ? tokenRecord : null),
  };
  const apiTokens: ApiTokens = {
    create: (...args) =>
      answer('createApiToken', { token: 'rcl_u_x', view: apiTokenView }, ...args),
    list: (...args) => answer('apiTokens', [apiTokenView], ...args),
    revoke: (...args) => answer('revokeApiToken', apiTokenView, ...args),
    authenticate: async () => null,
    screen: async () => null,
  };
  const screens: Screens = {
    open: (...args) => answer('openScreen', { name: 'hall', expiresAt: WALL_START }, ...args),
    show: (...args) => answer('screen', fake.feed.snapshot(new Set(['fleet'])), ...args),
  };
  const queries: Queries = {
    fleet: async () => {
      if (fake.thrown !== null) throw fake.thrown;
      const {
        serverEpoch,
        revision,
        now,
        breakers,
        services,
        overrides: all,
      } = fake.feed.snapshot(new Set(['fleet']));
      return { serverEpoch, revision, now, breakers, services, overrides: all };
    },
    breaker: (...args) =>
      answer(
        'breaker',
        {
          now: 1,
          breaker: breakerView,
          instances: [],
          configs: [{ configHash: 'x', config: { a: [1, null] }, instanceIds: ['ins_1'] }],
          overrides: [overrideView],
        },
        ...args,
      ),
    history: (...args) => answer('history', { events: [], next: null }, ...args),
    series: (id, query) =>
      answer(
        'series',
        {
          now: 1,
          from: query.from,
          to: query.to,
          resolutionMs: 1_000,
          points: [],
          probes: [],
          probesLeftOut: 0,
          events: [],
          eventsLeftOut: 0,
          gaps: [],
        },
        id,
        query,
      ),
    targetSeries: (query) =>
      answer(
        'targetSeries',
        {
          now: 1,
          from: query.from,
          to: query.to,
          resolutionMs: 1_000,
          points: [],
          breakers: 0,
          breakersLeftOut: 0,
        },
        query,
      ),
    services: () => answer('services', [serviceView]),
    service: (...args) =>
      answer('service', { now: 1, service: serviceView, instances: [instanceView] }, ...args),
    audit: (...args) => answer('audit', { rows: [auditRow], next: null }, ...args),
  };
  const audit: AuditProof = {
    proof: () => answer('proof', auditProof),
    checkpoint: () => answer('checkpoint', checkpoint),
    export: (...args) =>
      answer(
        'export',
        {
          name: 'recloser-audit.csv',
          type: 'text/csv; charset=utf-8; header=present',
          chunks: lines(),
        },
        ...args,
      ),
  };
  const diagnosis: Diagnosis = {
    breaker: (...args) => answer('diagnosis', diagnosisBody, ...args),
    findings: (...args) => answer('findings', findingsBody, ...args),
  };
  const removed = { instanceId: 'ins_1', instance: 'one', serviceId: 'svc_1', breakersGone: [] };
  const instances: Instances = {
    remove: (...args) => answer('removeInstance', removed, ...args),
  };
  const simulated = { state: 'running' as const, endsAt: 1, breakers: 8 };
  const simulator: Simulator = {
    status: (...args) => answer('simulatorStatus', simulated, ...args),
    start: (...args) => answer('startSimulator', simulated, ...args),
    remove: (...args) => answer('removeSimulator', simulated, ...args),
  };
  const people = fakePeople(answer);
  const profile = fakeProfile(answer);
  const audited: AuditInsert[] = [];
  const somewhere = { environment: 'test', service: 'checkout' };
  const gate = {
    behind: {
      overrides,
      commands,
      releases,
      policies,
      reviews,
      tokens,
      apiTokens,
      queries,
      diagnosis,
      instances,
      simulator,
      audit,
      people,
      profile,
    },
    objects: {
      breaker: () => somewhere,
      override: async () => somewhere,
      scope: () => [somewhere],
      command: async () => [somewhere],
      release: async () => [somewhere],
      review: async () => [somewhere],
      token: async () => somewhere,
      instance: () => somewhere,
    },
    now: () => WALL_START,
    appendAudit: async (row: AuditInsert) => void audited.push(row),
    assertRecordable: async () => undefined,
  };
  const fake: FakeServices = {
    agents: fakeAgents(),
    feed: fakeFeed(),
    overrides,
    commands,
    releases,
    policies,
    reviews,
    tokens,
    apiTokens,
    queries,
    diagnosis,
    instances,
    simulator,
    audit,
    people,
    profile,
    stepUps: fakeStepUps,
    screens,
    entry: fakeEntry,
    thrown: null,
    seen,
    audited,
    sinkHealth: async () => null,
    forCaller: (caller) => createDoor(gate, caller),
    start: async () => {},
    stop: async () => {},
  };
  return fake;
}

export function fakeBus() {
  const listeners = new Set<(publication: Publication) => void>();
  return {
    publish: (publication: Publication) => {
      for (const listener of listeners) listener(publication);
    },
    subscribe: (listener: (publication: Publication) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => {},
  };
}
