import { createConnectAgent } from './agents/connect-agent';
import { createDisconnected, createHeard } from './agents/hear-agent';
import { createIngestEvents } from './agents/ingest-events';
import { createIngestSamples } from './agents/ingest-samples';
import { createIngestState } from './agents/ingest-state';
import { createLiveness, type Liveness } from './agents/track-liveness';
import type { AuditInsert } from '../store/port';
import { createScreens } from './screens/screens';
import { createExport } from './audit/export';
import { createAuditKeeper, type AuditKeeper } from './audit/keeper';
import { createSinkRule, sinkHealthOf } from './audit/sink-rule';
import { createApiTokens } from './api-tokens/api-tokens';
import { createCommands } from './commands/commands';
import { createGoOn, createReleases } from './commands/gradual';
import { createIssue } from './commands/issue';
import { createOverrideRate } from './commands/override-rate';
import { createOverrides } from './commands/overrides';
import { createPolicies } from './commands/policies';
import { createReviews } from './commands/reviews';
import { SeenPreviews } from './commands/seen-previews';
import { createStartDue } from './commands/start-due';
import { createTellBreakGlass } from './commands/tell-break-glass';
import type { Agents, Services } from './contract';
import { createCore, type Core } from './core';
import type { ServiceDeps } from './deps';
import { createDiagnosis, createExamine, type Examine } from './diagnosis/diagnosis';
import { createSweep, SWEEP_EVERY_MS } from './diagnosis/sweep';
import { createDoor } from './door';
import { createInstances } from './instances/instances';
import { createBuildDesired } from './overrides/build-desired';
import { createConfirmOverride } from './overrides/confirm-override';
import { createExpireOverrides } from './overrides/expire-overrides';
import { forgetOldOverrides } from './overrides/show-override';
import { createEntry } from './people/entry';
import { createPeople } from './people/people';
import { createProfile } from './people/profile';
import { createStepUps } from './people/step-up';
import { createQueries } from './queries/queries';
import { createObjects } from './objects';
import { createSimulatorVerbs } from './simulator/simulator';
import { createTokens } from './tokens/tokens';
import { createArchive } from './upkeep/archive';
import { every } from './upkeep/every';
import { createForgetSessions } from './upkeep/forget-sessions';
import { createFadeRates } from './upkeep/fade-rates';
import { loadFleet } from './upkeep/load-fleet';
import { createPrune } from './upkeep/prune';
import { createSaveWords } from './upkeep/save-words';

const MINUTE_MS = 60_000;

function createAgents(core: Core, liveness: Liveness, keeper: AuditKeeper): Agents {
  return {
    connect: createConnectAgent(core, liveness),
    events: createIngestEvents(core),
    samples: createIngestSamples(core),
    state: createIngestState(core),
    applied: createConfirmOverride(core),
    heard: createHeard(core, liveness),
    disconnected: createDisconnected(core, liveness),
    desired: createBuildDesired(core),
    checkpoint: () => keeper.newestCheckpoint(),
    alarm: (session, frame) => keeper.alarm(session, frame),
  };
}

/** Everything that happens because time passes. */
function createUpkeep(core: Core, liveness: Liveness, keeper: AuditKeeper, examine: Examine) {
  const expire = createExpireOverrides(core);
  const startDue = createStartDue(core);
  const goOn = createGoOn(core);
  const saveWords = createSaveWords(core);
  const prune = createPrune(core);
  let tasks: { stop(): Promise<void> }[] = [];
  return {
    async start(): Promise<void> {
      await loadFleet(core);
      await keeper.start();
      core.feed.prime();
      await liveness.distrust();
      await expire();
      await startDue();
      tasks = [
        every(core, 500, 'expire overrides', expire),
        every(core, 500, 'start commands', startDue),
        every(core, 500, 'go on releasing', goOn),
        every(core, 1_000, 'tell of break-glass', createTellBreakGlass(core)),
        every(core, 1_000, 'watch liveness', () => liveness.sweep()),
        every(core, 1_000, 'fade rates', createFadeRates(core)),
        every(core, 2_000, 'save words', saveWords),
        every(core, SWEEP_EVERY_MS, 'diagnose', createSweep(core, examine)),
        every(core, MINUTE_MS, 'forget old overrides', () => forgetOldOverrides(core)),
        every(core, 10 * MINUTE_MS, 'remove old samples', () => prune.run()),
        every(core, 10 * MINUTE_MS, 'archive instances', createArchive(core)),
        every(core, 10 * MINUTE_MS, 'forget old sessions', createForgetSessions(core)),
      ];
    },
    async stop(): Promise<void> {
      prune.stop();
      await Promise.all(tasks.map((task) => task.stop()));
      tasks = [];
      await core.commit.drain();
      await saveWords();
      await keeper.stop();
      core.feed.stop();
    },
  };
}

/** The rules of the console behind every door, over a store, a bus and a clock. */
export function createServices(deps: ServiceDeps): Services {
  const bare = createCore(deps);
  const stepUps = createStepUps(bare);
  const core: Core = { ...bare, stepUps: deps.stepUps ?? stepUps };
  const liveness = createLiveness(core);
  const keeper = createAuditKeeper(core);
  const examine = createExamine(core);
  const upkeep = createUpkeep(core, liveness, keeper, examine);
  const previews = new SeenPreviews(core);
  const rate = createOverrideRate(core);
  const issue = createIssue(core, { previews, rate });
  const behind = {
    overrides: createOverrides(core, issue, rate),
    commands: createCommands(core, { issue, previews, rate }),
    releases: createReleases(core),
    policies: createPolicies(core),
    reviews: createReviews(core),
    tokens: createTokens(core),
    apiTokens: createApiTokens(core),
    queries: createQueries(core),
    diagnosis: createDiagnosis(core, examine),
    instances: createInstances(core),
    simulator: createSimulatorVerbs(core),
    audit: {
      proof: () => keeper.proof(),
      checkpoint: () => keeper.newestCheckpoint(),
      export: createExport(core),
    },
    people: createPeople(core),
    profile: createProfile(core),
  };
  const gate = {
    behind,
    objects: createObjects(core),
    now: () => core.clock.wall(),
    appendAudit: (row: AuditInsert) => core.store.appendAudit(row),
    assertRecordable: createSinkRule(core, keeper),
  };
  return {
    agents: createAgents(core, liveness, keeper),
    ...behind,
    stepUps,
    screens: createScreens(core, behind.apiTokens),
    entry: createEntry(core),
    feed: core.feed,
    sinkHealth: () => sinkHealthOf(core, keeper),
    forCaller: (caller) => createDoor(gate, caller),
    start: () => upkeep.start(),
    stop: () => upkeep.stop(),
  };
}
