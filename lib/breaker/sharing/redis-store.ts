import { checkNumber, period } from '../checks';
import type { SharedStore, StoredEntry, SwapResult } from './store';

/** What any Redis client can do. Answers arrive as strings, numbers and lists of them. */
export type RedisEval = {
  eval(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
};

export type RedisStoreOptions = {
  readonly client: RedisEval;
  /** Begins each key. Default `recloser:`. */
  readonly prefix?: string;
  /** How long an epoch is remembered after the last change, in ms. Default 7 days. */
  readonly epochRetentionMs?: number;
};

/** The age is what has gone of the time to live, so that no instant is ever stored. */
const ENTRY = `
local function entry(epoch)
  local kept = redis.call('GET', KEYS[1])
  if not kept then return {0, epoch, '', '0'} end
  local split = string.find(kept, ':', 1, true)
  local age = tonumber(string.sub(kept, 1, split - 1)) - redis.call('PTTL', KEYS[1])
  return {0, epoch, string.sub(kept, split + 1), tostring(math.max(0, age))}
end
`;

const READ = `${ENTRY}
return entry(redis.call('GET', KEYS[2]) or '0')
`;

const COMPARE_AND_SET = `${ENTRY}
local epoch = redis.call('GET', KEYS[2]) or '0'
if epoch ~= ARGV[1] then return entry(epoch) end
local next = string.format('%d', tonumber(epoch) + 1)
redis.call('SET', KEYS[1], ARGV[3] .. ':' .. ARGV[2], 'PX', ARGV[3])
redis.call('SET', KEYS[2], next, 'PX', ARGV[4])
return {1, next, ARGV[2], '0'}
`;

/** Members expire by the clock of the server alone. */
const ANNOUNCE = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`;

const WITHDRAW = `return redis.call('ZREM', KEYS[1], ARGV[1])`;

/** Redis 5 or newer, or what speaks its language. Each operation is one script: one round trip. */
export class RedisSharedStore implements SharedStore {
  readonly #client: RedisEval;
  readonly #prefix: string;
  readonly #epochRetentionMs: number;

  constructor({
    client,
    prefix = 'recloser:',
    epochRetentionMs = 7 * 24 * 3_600_000,
  }: RedisStoreOptions) {
    this.#client = client;
    this.#prefix = prefix;
    this.#epochRetentionMs = checkNumber('epochRetentionMs', epochRetentionMs, period);
  }

  async read(key: string): Promise<StoredEntry> {
    return answerOf(await this.#client.eval(READ, this.#entryKeys(key), [])).entry;
  }

  async compareAndSet(
    key: string,
    expectedEpoch: number,
    value: string,
    ttlMs: number,
  ): Promise<SwapResult> {
    const keepMs = Math.max(this.#epochRetentionMs, ttlMs);
    const args = [String(expectedEpoch), value, whole(ttlMs), whole(keepMs)];
    return answerOf(await this.#client.eval(COMPARE_AND_SET, this.#entryKeys(key), args));
  }

  async announce(key: string, instance: string, ttlMs: number): Promise<number> {
    const args = [instance, whole(ttlMs)];
    return Number(await this.#client.eval(ANNOUNCE, [this.#key(key, 'members')], args));
  }

  async withdraw(key: string, instance: string): Promise<void> {
    await this.#client.eval(WITHDRAW, [this.#key(key, 'members')], [instance]);
  }

  /** Braces keep what one script touches on one node of a cluster. */
  #key(key: string, part: string): string {
    return `${this.#prefix}{${key}}:${part}`;
  }

  #entryKeys(key: string): readonly string[] {
    return [this.#key(key, 'value'), this.#key(key, 'epoch')];
  }
}

function whole(ms: number): string {
  return String(Math.max(1, Math.ceil(ms)));
}

function answerOf(answer: unknown): SwapResult {
  const [swapped, epoch, value, ageMs] = [answer].flat().map(String);
  if (!(Number(epoch) >= 0) || !(Number(ageMs) >= 0)) {
    throw new Error('The shared store gave an answer that is none of ours');
  }
  const entry = { epoch: Number(epoch), value: value || null, ageMs: Number(ageMs) };
  return { swapped: swapped === '1', entry };
}
