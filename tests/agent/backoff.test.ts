import { describe, expect, it } from 'vitest';
import { backoffDelay, hintedDelay, permanentDelay } from '@/lib/agent/connection/backoff';
import { judgeEnd } from '@/lib/agent/connection/verdict';
import { retryAfterMs } from '@/lib/breaker/retry-after';
import { CloseCode } from '@/lib/protocol/version';

const delays = (random: number) =>
  Array.from({ length: 9 }, (_, attempt) => backoffDelay(attempt, () => random));

describe('the wait before the next attempt', () => {
  it('[R-07] is uniform below the doubled ceiling of 0.5 s, capped at 30 s', () => {
    expect(delays(0.5)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    expect(delays(0)).toEqual(Array.from({ length: 9 }, () => 0));
    expect(delays(0.999).every((delay) => delay < 30_000)).toBe(true);
    expect(backoffDelay(5_000, () => 1)).toBe(30_000);
  });

  it('[R-07] follows the server, within ten minutes', () => {
    expect(hintedDelay(7_000, () => 0)).toBe(7_000);
    expect(hintedDelay(7_000, () => 0.5)).toBe(7_500);
    expect(hintedDelay(1e13, () => 0)).toBe(600_000);
  });

  it('is five minutes or a little more after a refusal that will repeat', () => {
    expect([permanentDelay(() => 0), permanentDelay(() => 1)]).toEqual([300_000, 330_000]);
  });

  it('reads Retry-After as seconds or as a date', () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    expect(retryAfterMs('3', now)).toBe(3000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:10 GMT', now)).toBe(10_000);
    expect(retryAfterMs('Wed, 31 Dec 2025 00:00:10 GMT', now)).toBe(0);
    expect(retryAfterMs('soon', now)).toBeUndefined();
    expect(retryAfterMs(undefined, now)).toBeUndefined();
  });
});

describe('how an end is judged', () => {
  it('[R-35] takes codes of 4000 to 4099, 1008, 401 and 403 as permanent', () => {
    const kinds = [4001, 4002, 4003, 4099, 1008].map((code) => judgeEnd({ code }, {}).kind);
    expect(new Set(kinds)).toEqual(new Set(['permanent']));
    expect(judgeEnd({ httpStatus: 401 }, {}).kind).toBe('permanent');
    expect(judgeEnd({ httpStatus: 403 }, {}).kind).toBe('permanent');
    expect(judgeEnd({ code: 1000 }, { permanent: 'no' }).kind).toBe('permanent');
  });

  it('takes everything else as passing', () => {
    const codes = [1000, 1001, 1006, 1009, 1011, 1012, CloseCode.HelloTimeout, 4101, 4102];
    for (const code of codes) expect(judgeEnd({ code }, {}).kind).toBe('transient');
    expect(judgeEnd({ httpStatus: 502 }, {}).kind).toBe('transient');
    expect(judgeEnd({ error: 'connect ECONNREFUSED' }, {}).kind).toBe('transient');
    expect(judgeEnd({ code: 1008 }, { ours: true }).kind).toBe('transient');
  });

  it('[R-07] prefers the wait that the server named', () => {
    expect(judgeEnd({ code: 1012 }, { retryAfterMs: 900 })).toMatchObject({ retryAfterMs: 900 });
    expect(judgeEnd({ httpStatus: 503, retryAfterMs: 4000 }, {})).toMatchObject({
      kind: 'hinted',
      retryAfterMs: 4000,
    });
  });

  it('keeps control characters of a hostile reason out of the log', () => {
    const verdict = judgeEnd({ code: 4001, reason: 'no\u001b[31m\nfake line' }, {});
    expect(verdict.why).toBe('close code 4001: no [31m fake line');
  });
});
