import {
  bulkhead,
  circuitBreaker,
  ConsecutiveBreaker,
  handleAll,
  timeout,
  TimeoutStrategy,
} from 'cockatiel';
import Opossum from 'opossum';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { classifyError } from '@/lib/breaker';
import { Stage } from './peers/libraries';
import { libraryNames } from './peers/plan';
import { planOf, situations } from './peers/situations';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    now: 1_700_000_000_000,
  });
});

afterEach(() => {
  vi.useRealTimers();
});

/** What docs/peers.md says of each library is what it does here. */
describe.each(situations)('$title', ({ plan, play, seen }) => {
  it.each(libraryNames)('%s', async (name) => {
    expect(await play(new Stage(name, planOf(plan)))).toBe(seen[name]);
  });
});

const down = () => Promise.reject(new Error('down'));
const never = () => new Promise<never>(() => undefined);
const errorOf = (call: PromiseLike<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => error,
  );

/** A breaker of ours around one of theirs must not count their refusals against the target. */
describe('[B94] errors of other breakers', () => {
  it('refused by an open breaker of opossum, or for want of a slot: local', async () => {
    const open = new Opossum(down);
    open.open();
    expect(classifyError(await errorOf(open.fire()))).toBe('rejected_local');
    const full = new Opossum(never, { capacity: 1, timeout: false });
    void full.fire();
    expect(classifyError(await errorOf(full.fire()))).toBe('rejected_local');
  });

  it('refused by an open, a held or a full policy of cockatiel: local', async () => {
    const options = { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(1) };
    const open = circuitBreaker(handleAll, options);
    await errorOf(open.execute(down));
    expect(classifyError(await errorOf(open.execute(down)))).toBe('rejected_local');
    const held = circuitBreaker(handleAll, options);
    held.isolate();
    expect(classifyError(await errorOf(held.execute(down)))).toBe('rejected_local');
    const full = bulkhead(1, 0);
    void full.execute(never);
    expect(classifyError(await errorOf(full.execute(never)))).toBe('rejected_local');
  });

  it('given up by either at its timeout: a timeout', async () => {
    const slow = errorOf(new Opossum(never, { timeout: 100 }).fire());
    const late = errorOf(timeout(100, TimeoutStrategy.Aggressive).execute(never));
    await vi.advanceTimersByTimeAsync(100);
    expect([classifyError(await slow), classifyError(await late)]).toEqual(['timeout', 'timeout']);
  });
});
