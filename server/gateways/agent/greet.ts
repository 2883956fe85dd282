import type { Hello } from '@/lib/protocol/agent-frames';
import { HEARTBEAT_MS } from '../heartbeat';
import { LIMITS, PROTOCOL_VERSION } from '@/lib/protocol/version';
import type { Welcome } from '@/lib/protocol/server-frames';
import type { Clock } from '../../services/contract';
import { parseJson } from '@/lib/protocol/parse';
import { z } from 'zod';

const anyHello = z.looseObject({ type: z.literal('hello'), protocol: z.int() });

/** A peer of another version need not pass our schema to be told why it is refused. */
export function speaksAnotherVersion(raw: string): boolean {
  const json = parseJson(raw);
  const hello = anyHello.safeParse(json.ok ? json.value : null);
  return hello.success && hello.data.protocol !== PROTOCOL_VERSION;
}

/** Null when we can serve this agent. Version 1 knows no optional feature that one could require. */
export function helloProblem(hello: Hello): string | null {
  if (hello.protocol !== PROTOCOL_VERSION) return `server speaks version ${PROTOCOL_VERSION}`;
  if ((hello.requires ?? []).length > 0) return 'a required feature is not supported';
  return null;
}

export function welcome(
  clock: Clock,
  serverEpoch: string,
  stored: { readonly ackedSeq: number; readonly samplesSeq: number },
): Welcome {
  return {
    type: 'welcome',
    serverEpoch,
    clock: { at: clock.wall(), mono: clock.mono() },
    ackedSeq: stored.ackedSeq,
    samplesSeq: stored.samplesSeq,
    heartbeatMs: HEARTBEAT_MS,
    limits: {
      maxFrameBytes: LIMITS.maxFrameBytes,
      maxEvents: LIMITS.maxEvents,
      maxSamples: LIMITS.maxSamples,
      window: LIMITS.window,
    },
  };
}
