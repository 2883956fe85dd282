import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import { Member } from '@/lib/breaker/endpoints/member';
import { isOutlier } from '@/lib/breaker/endpoints/outliers';
import { endpoints, granted, quick, refused } from './endpoints-support';

const by = { reason: 'maintenance', actor: 'ann' };
const at = (since: number, step: number, successes: number): Member => {
  const member = new Member('m', new CircuitBreaker('m', { clock: () => 0 }), null);
  member.evidence = { since, step, successes };
  return member;
};

const never = () => new Promise<never>(() => undefined);

describe('[E14] a call that the caller gives up', () => {
  it('ends with the caller’s reason, cancelled, whatever could answer in its place', async () => {
    const s = endpoints(['a']);
    const giveUp = new AbortController();
    let seen: AbortSignal | null = null;
    const call = s.set.run(
      (_, { signal }) => {
        seen = signal;
        return never();
      },
      { signal: giveUp.signal, fallback: () => 'cached' },
    );
    const reason = new Error('the caller left');
    giveUp.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(seen).toMatchObject({ aborted: true, reason });
    expect(s.set.breaker('a')?.status().counters.settled).toMatchObject({ cancelled: 1 });
    expect(getEventListeners(giveUp.signal, 'abort')).toEqual([]);
    expect(s.clock.pending).toBe(0);
  });
});

describe('[E14] an error that is not the target’s fault', () => {
  it('settles as ignored, and is thrown even where a fallback stands by', async () => {
    const s = endpoints(['a'], { breaker: { ...quick, ignore: () => true } });
    const error = Object.assign(new Error('no such user'), { status: 500 });
    for (let i = 0; i < 5; i++) {
      const call = s.set.run(() => Promise.reject(error), { fallback: () => 'cached' });
      // One after another, as callers come.
      // eslint-disable-next-line no-await-in-loop
      await expect(call).rejects.toBe(error);
    }
    expect(s.set.breaker('a')?.status().counters.settled).toMatchObject({ ignored: 5 });
    expect(s.problems).toEqual([]);
    expect(s.phases()).toBe('a:in');
  });
});

describe('what a set does at its edges', () => {
  it('takes nobody in after dispose', () => {
    const s = endpoints(['a']);
    s.set.dispose();
    s.set.add('b');
    expect(s.set.breaker('b')).toBeUndefined();
    expect(s.types()).not.toContain('added b');
  });

  it('[E5] says that nobody is left, and that capacity is missing where somebody is', () => {
    const s = endpoints(['a', 'b']);
    s.set.remove('a');
    s.set.remove('b');
    s.set.add('c');
    s.trip('c');
    expect(s.events.filter(({ type }) => type === 'panic').map(({ reason }) => reason)).toEqual([
      'no_endpoints',
      'capacity',
    ]);
  });

  it('a call that must not be repeated is asked for as such', () => {
    const s = endpoints(['a'], {
      breaker: { ...quick, recovery: { ...quick.recovery, allowWrites: false } },
    });
    s.trip('a');
    s.adv(10_000);
    expect(refused(s.set.pick({ idempotent: false })).reason).toBe('unavailable');
    expect(granted(s.set.pick({ idempotent: true })).probe).toBe(true);
  });

  it('is heard at once when an operator takes an endpoint by its breaker', () => {
    const s = endpoints(['a', 'b']);
    s.set.breaker('a')?.override('forced_open', by);
    expect(s.events.map(({ type, endpoint }) => `${type} ${endpoint ?? ''}`)).toContain(
      'ejected a',
    );
  });

  it('tells what is due when it stands in the present, not on the way there', () => {
    const s = endpoints(['a', 'b', 'c', 'd']);
    s.trip('a');
    s.adv(3_000);
    s.trip('b');
    const heard: number[] = [];
    s.set.on(({ type }) => {
      if (type === 'recovering') heard.push(granted(s.set.pick()).admittedAt);
    });
    s.adv(60_000);
    s.set.tick();
    expect(heard).toEqual([64_000, 64_000]);
  });
});

describe('[E4] whose recovery goes first', () => {
  it.each<[string, Member, Member]>([
    ['further along before more answers', at(9, 1, 0), at(1, 0, 7)],
    ['more answers before earlier', at(9, 1, 5), at(1, 1, 4)],
    ['earlier where all else is equal', at(1, 1, 4), at(9, 1, 4)],
  ])('%s', (_, ahead, behind) => {
    expect(ahead.isAheadOf(behind)).toBe(true);
    expect(behind.isAheadOf(ahead)).toBe(false);
  });

  it('nobody is ahead of itself', () => {
    const one = at(5, 1, 3);
    expect(one.isAheadOf(one)).toBe(false);
  });
});

describe('[E9] an outlier', () => {
  const limits = {
    windowMs: 10_000,
    minimumCalls: 5,
    minimumEndpoints: 2,
    deviations: 3,
    minimumGap: 0.1,
  };
  const peers = [
    { calls: 10, failures: 5 },
    { calls: 10, failures: 5 },
  ];

  it('is worse than chance allows, not just as bad', () => {
    expect(isOutlier(limits, { calls: 25, failures: 20 }, peers)).toBe(false);
    expect(isOutlier(limits, { calls: 25, failures: 21 }, peers)).toBe(true);
  });
});
