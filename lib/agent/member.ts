import { canonicalJson } from '../protocol/digest';
import type { AgentEvent } from '../protocol/events';
import { sha256Hex } from './hash';
import type { WatchedBreaker } from './ports';

type Config = Extract<AgentEvent, { type: 'registered' }>['config'];

/** Leaves room for the rest of the `registered` event in one frame. */
export const MAX_CONFIG_BYTES = 32 * 1024;

/** One breaker of this process, as the agent knows it. */
export type Member = {
  readonly name: string;
  readonly target: string;
  readonly circuit: WatchedBreaker;
  /** The complete effective options, as plain JSON. */
  readonly config: Config;
  readonly configHash: string;
};

export function describeConfig(config: unknown): Pick<Member, 'config' | 'configHash'> {
  // Through text and back: functions and undefined members have no place on the wire.
  const plain: unknown = JSON.parse(JSON.stringify(config));
  return { config: plain as Config, configHash: sha256Hex(canonicalJson(plain)) };
}
