import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { BreakerOptions } from '@/lib/breaker';
import { bench } from './support';

const page = readFileSync(new URL('../../docs/breaker.md', import.meta.url), 'utf8');

/** The policies of the page, read from it. */
const policies = new Map(
  [...page.matchAll(/recloser\.breaker\('([^']+)', (\{[\s\S]*?\n\})\);/g)].map(
    ([, name = '', text = '']) => [
      name,
      // Through JSON, because objects of another context are of other classes.
      JSON.parse(JSON.stringify(runInNewContext(`(${text})`))) as BreakerOptions,
    ],
  ),
);

function service(name: string) {
  const policy = policies.get(name);
  if (policy === undefined) throw new Error(`the page has no policy "${name}"`);
  return bench(policy);
}

type Bench = ReturnType<typeof bench>;

function calls(b: Bench, good: number, bad: number, everyMs = 0): void {
  for (let i = 0; i < good; i++) {
    b.acq().success(1);
    b.adv(everyMs);
  }
  for (let i = 0; i < bad; i++) {
    b.acq().failure('server_error', 1);
    b.adv(everyMs);
  }
}

describe('the policies in docs/breaker.md do what the page says', () => {
  it('there are four', () => {
    expect([...policies.keys()]).toEqual(['card-gateway', 'audit-log', 'tax-office', 'stock']);
  });

  it('a payment chain needs a number of failures and a share', () => {
    const few = service('card-gateway');
    calls(few, 0, 9);
    expect(few.breaker.state).toBe('closed');
    calls(few, 0, 1);
    expect(few.breaker.state).toBe('open');
    const diluted = service('card-gateway');
    calls(diluted, 100, 42);
    expect(diluted.breaker.state).toBe('closed');
    calls(diluted, 0, 1);
    expect(diluted.breaker.state).toBe('open');
  });

  it('side work trips after a few and comes back after two good answers', () => {
    const b = service('audit-log');
    calls(b, 1_000, 4);
    expect(b.breaker.state).toBe('closed');
    calls(b, 0, 1);
    expect(b.breaker.state).toBe('open');
    b.adv(36_000);
    b.acq().success(1);
    expect(b.breaker.state).toBe('half_open');
    b.adv(1_000);
    b.acq().success(1);
    expect(b.breaker.state).toBe('closed');
  });

  it('ten calls an hour are enough to trip, one failure is not', () => {
    const b = service('tax-office');
    calls(b, 2, 2, 360_000);
    expect(b.breaker.state).toBe('half_open');
    const lone = service('tax-office');
    calls(lone, 0, 1, 360_000);
    expect(lone.breaker.state).toBe('closed');
    const row = service('tax-office');
    calls(row, 30, 3);
    expect(row.breaker.state).toBe('open');
  });

  it('a target that hangs trips before any call has come back', () => {
    const b = service('stock');
    for (let i = 0; i < 20; i++) b.acq();
    b.adv(999);
    expect(b.breaker.state).toBe('closed');
    b.adv(1);
    expect(b.breaker.state).toBe('open');
  });
});
