import { covers } from '@/lib/protocol/access';
import type { Hello } from '@/lib/protocol/agent-frames';
import { isSimulated, SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import type { RegisterRun, TokenRecord } from '../../store/port';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { SIMULATOR_TOKEN_ID } from '../simulator/contract';
import type { Liveness } from './track-liveness';
import { hasRoomForInstance, INSTANCE_QUOTA_TEXT } from './quotas';
import { RunClock } from './run-clock';

/** What an agent says about itself is a claim; the token decides what it may be. */
function assertAllowed(token: TokenRecord, hello: Hello): void {
  if (!token.abilities.includes('publish')) {
    throw new RecloserError('not_allowed', 'this token may not publish');
  }
  if (isSimulated(hello) && token.id !== SIMULATOR_TOKEN_ID) {
    throw new RecloserError(
      'not_allowed',
      `the environment "${SIMULATED_ENVIRONMENT}" is that of the built-in simulator`,
    );
  }
  if (token.environment !== hello.environment || !covers(token.servicePattern, hello.service)) {
    throw new RecloserError('not_allowed', 'this token does not cover the service', {
      details: { service: hello.service, environment: hello.environment },
    });
  }
}

function registration(core: Core, hello: Hello, token: TokenRecord, at: number): RegisterRun {
  const { environment, service, instance } = hello;
  const serviceId = core.ids.service(environment, service);
  const known = core.fleet.services.get(serviceId)?.record.owner ?? null;
  const owner = hello.owner?.trim() ?? '';
  return {
    service: {
      id: serviceId,
      environment,
      name: service,
      // A blank says as little as none.
      owner: owner === '' ? known : owner,
      firstSeenAt: at,
    },
    instance: {
      id: core.ids.instance(environment, service, instance),
      serviceId,
      instance,
      host: hello.host ?? null,
      pid: hello.pid ?? null,
      replica: hello.replica ?? null,
      version: hello.version ?? null,
      sdk: `${hello.sdk.name} ${hello.sdk.version}`,
      accepts: hello.accepts,
      tokenId: token.id,
      startedAt: new RunClock(hello.clock, at).wallAt(hello.startedAt, at),
      lastSeenAt: at,
    },
    epoch: hello.epoch,
  };
}

export function createConnectAgent(core: Core, liveness: Liveness): Agents['connect'] {
  return async ({ hello, token, receivedAt, onReplaced }) => {
    assertAllowed(token, hello);
    const input = registration(core, hello, token, receivedAt);
    const { fleet } = core;
    if (!fleet.instances.has(input.instance.id)) {
      if (!hasRoomForInstance(fleet.services.get(input.service.id))) {
        throw new RecloserError('not_allowed', INSTANCE_QUOTA_TEXT);
      }
    }
    const { run, instance } = await core.store.registerRun(input);
    const known = fleet.instances.get(instance.id)?.record.liveness;
    fleet.putService(input.service);
    const entry = fleet.putInstance(
      { ...instance, liveness: known ?? instance.liveness },
      core.clock.mono(),
    );
    core.tokenNames.set(token.id, token.name);
    const session: AgentSession = {
      id: core.ids.session(),
      runId: run.id,
      epoch: hello.epoch,
      instanceId: instance.id,
      serviceId: input.service.id,
      environment: hello.environment,
      service: hello.service,
      instance: hello.instance,
      token,
    };
    const replaced = core.connections.add({
      session,
      clock: new RunClock(hello.clock, receivedAt),
      startedAt: input.instance.startedAt,
      onReplaced,
      samplesSeq: run.samplesSeq,
      stateParts: new Map(),
      asked: new Set(),
      answers: new Map(),
    });
    entry.epochs.clear();
    for (const epoch of core.connections.epochsOf(instance.id)) entry.epochs.add(epoch);
    if (entry.epochs.size > 1) {
      core.log.info({ instance: hello.instance }, 'two live runs claim the same instance');
    }
    core.feed.mark('services', input.service.id, false);
    core.feed.mark('instances', instance.id, false);
    liveness.heard(entry, receivedAt);
    replaced?.onReplaced();
    return { session, ackedSeq: run.ackedSeq, samplesSeq: run.samplesSeq };
  };
}
