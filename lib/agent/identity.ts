import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Hello } from '../protocol/agent-frames';
import { label } from '../protocol/primitives';
import { PROTOCOL_VERSION } from '../protocol/version';
import type { Settings } from './options';
import type { AgentTime } from './ports';

export const SDK = { name: '@recloser/agent', version: '0.1.0' } as const;

const processId = randomBytes(6).toString('hex');
let agents = 0;

/** One id per process; further agents of the same process are told apart by a number. */
function processInstance(): string {
  agents += 1;
  return agents === 1 ? `p-${processId}` : `p-${processId}-${agents}`;
}

function machineName(): string | undefined {
  const parsed = label.min(1).safeParse(hostname());
  return parsed.success ? parsed.data : undefined;
}

type FixedPart = Omit<Hello, 'firstSeq' | 'nextSeq' | 'clock'>;

/** Who this agent is; made once, because `epoch` stands for this run. */
export function makeIdentity(settings: Settings, time: AgentTime): FixedPart {
  const host = settings.host ?? machineName();
  const { replica, version, owner, policy } = settings;
  return {
    type: 'hello',
    protocol: PROTOCOL_VERSION,
    sdk: SDK,
    service: settings.service,
    environment: settings.environment,
    instance: settings.instance ?? processInstance(),
    epoch: randomBytes(16).toString('hex'),
    ...(host === undefined ? {} : { host }),
    pid: process.pid,
    ...(replica === undefined ? {} : { replica }),
    ...(version === undefined ? {} : { version }),
    ...(owner === undefined ? {} : { owner }),
    startedAt: time.wall(),
    accepts: { kinds: [...policy.kinds], maxLeaseMs: policy.maxLeaseMs },
  };
}
