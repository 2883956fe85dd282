import type { AppliedFrame } from '@/lib/protocol/agent-frames';
import type { IssueCommandBody } from '@/lib/protocol/commands';
import type { Caller } from '@/server/services/caller';
import type { OverrideView } from '@/lib/protocol/views';
import { ada } from '@/tests/support/callers';
import { PROVED, TestAgent, type AgentOptions, type World } from './support';

let keys = 0;
export const newKey = (): string => `key-${++keys}-of-a-command`;

/** An agent that has told of its breakers. */
export async function reporting(
  world: World,
  options: AgentOptions = {},
  breakers: readonly string[] = ['payments'],
): Promise<TestAgent> {
  const agent = new TestAgent(world, options);
  await agent.connect();
  await agent.send(...breakers.map((name) => agent.registered(name)));
  return agent;
}

/** A command as somebody would send it after looking at the preview. */
export async function issue(
  world: World,
  over: Partial<IssueCommandBody> & Pick<IssueCommandBody, 'scope'>,
  caller: Caller = ada,
) {
  const { scope, kind = 'force_open', includeNew = false } = over;
  const looked = { scope, kind, includeNew };
  const { expectedGenerations } = await world.services.commands.preview({
    ...looked,
    ...(over.leaseMs === undefined ? {} : { leaseMs: over.leaseMs }),
  });
  return world.services.commands.issue(caller, {
    ...looked,
    reason: 'the target is down',
    breakGlass: false,
    expectedGenerations,
    idempotencyKey: newKey(),
    stepUpId: PROVED,
    ...over,
  });
}

type Result = AppliedFrame['results'][number];

/** Asks for the set and answers every entry of it. */
export async function obey(
  agent: TestAgent,
  over: Partial<Result> = {},
): Promise<readonly string[]> {
  const { agents } = agent.world.services;
  const { overrides, revision } = await agents.desired(agent.session);
  const results = overrides.map(({ id, breaker, leaseRevision }): Result => ({
    overrideId: id,
    breaker,
    outcome: 'applied',
    ...(leaseRevision === undefined ? {} : { leaseRevision }),
    ...over,
  }));
  if (results.length > 0) {
    await agents.applied(
      agent.session,
      { type: 'applied', revision, results },
      agent.world.clock.wall(),
    );
  }
  return overrides.map(({ id }) => id);
}

export const targetsOf = async (world: World, { id }: Pick<OverrideView, 'id'>) =>
  (await world.services.overrides.get(id)).targets.map(
    ({ instance, delivery }) => `${instance} ${delivery}`,
  );
