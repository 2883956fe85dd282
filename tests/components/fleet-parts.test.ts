import { describe, expect, it } from 'vitest';
import { breakerFixture, everyState } from '@/components/design/breaker-fixtures';
import { matcher, NO_FILTER, stateGroup, toggleState } from '@/components/fleet/filter';
import { probeText } from '@/components/fleet/recovery';
import { areaPath, gapsOf } from '@/components/fleet/spark-path';
import { describeChanges, statesOf } from '@/components/shell/changes-text';
import { environmentKind } from '@/components/shell/environment-kind';
import { faviconFor, faviconUrl, titleFor } from '@/components/shell/title-text';

const NOW = 1_800_000_000_000;

const finds = (text: string) => matcher({ ...NO_FILTER, text })(breakerFixture(NOW, { id: 'a' }));

describe('filter', () => {
  it('finds every word in name, service, target or environment', () => {
    expect(finds('PAY check')).toBe(true);
    expect(finds('payments-api production')).toBe(true);
    expect(finds('pay staging')).toBe(false);
  });

  it('searches by the name of now, not of then', () => {
    expect(finds('payments')).toBe(true);
    const renamed = breakerFixture(NOW, { id: 'a', target: 'ledger' });
    expect(matcher({ ...NO_FILTER, text: 'ledger' })(renamed)).toBe(true);
  });

  it('takes any of the states asked for, and any of the breakers picked', () => {
    const rows = [
      breakerFixture(NOW, { id: 'a', state: 'open' }),
      breakerFixture(NOW, { id: 'b', state: 'half_open' }),
      breakerFixture(NOW, { id: 'c' }),
    ];
    const ids = (filter: object) =>
      rows.filter(matcher({ ...NO_FILTER, ...filter })).map(({ id }) => id);
    expect(ids({ states: ['open', 'recovering'] })).toEqual(['a', 'b']);
    expect(ids({ only: ['c', 'a'] })).toEqual(['a', 'c']);
    expect(toggleState(toggleState([], 'open'), 'open')).toEqual([]);
  });

  it('puts every breaker in exactly one group', () => {
    expect(everyState(NOW).map(stateGroup)).toEqual([
      'forced',
      'open',
      'open',
      'forced',
      'recovering',
      'recovering',
      'quiet',
      'stale',
      'stale',
      'quiet',
      'quiet',
      'quiet',
    ]);
  });
});

describe('next probe', () => {
  it('counts down, and says so when nobody called', () => {
    expect(probeText(NOW + 12_000, NOW)).toBe('Probe in 12 s');
    expect(probeText(NOW + 1, NOW)).toBe('Probe in 1 s');
    expect(probeText(NOW - 40_000, NOW)).toBe('Due 40 s, no call');
  });
});

describe('sparkline', () => {
  it('finds the gaps and never draws across one', () => {
    expect(gapsOf([1, null, null, 0, null])).toEqual([
      { from: 1, to: 3 },
      { from: 4, to: 5 },
    ]);
    const { area, line } = areaPath([0.5, null, 1], 30, 10);
    expect(line).toBe('M0 5H10M20 0H30');
    expect(area.match(/Z/g)).toHaveLength(2);
  });

  it('keeps values on the canvas and draws nothing from nothing', () => {
    expect(areaPath([2, -1], 20, 10).line).toBe('M0 0H10V10H20');
    expect(areaPath([], 20, 10)).toEqual({ area: '', line: '' });
  });
});

describe('window title, favicon, announcements', () => {
  const summary = {
    total: 9,
    open: 2,
    recovering: 1,
    forced: 1,
    stale: 0,
    refusedPerSecond: 0,
    callsPerSecond: 0,
  };

  it('names the worst thing first', () => {
    expect(titleFor(null, summary, 'live')).toBe('(2 open) Recloser');
    expect(titleFor('Audit', summary, 'stale')).toBe('(no connection) Audit · Recloser');
    expect(titleFor('Audit', { ...summary, open: 0 }, 'live')).toBe('(1 forced) Audit · Recloser');
  });

  it('has a shape of its own for each', () => {
    const urls = (['closed', 'half', 'open', 'forced', 'lost'] as const).map(faviconUrl);
    expect(new Set(urls).size).toBe(5);
    expect(faviconFor(summary, 'offline')).toBe('lost');
    expect(faviconFor({ ...summary, open: 0, forced: 0 }, 'live')).toBe('half');
  });

  it('says in one sentence what changed', () => {
    const before = statesOf([
      breakerFixture(NOW, { id: 'a' }),
      breakerFixture(NOW, { id: 'b' }),
      breakerFixture(NOW, { id: 'c', state: 'half_open' }),
    ]);
    const after = statesOf([
      breakerFixture(NOW, { id: 'a', state: 'open' }),
      breakerFixture(NOW, { id: 'b', state: 'open' }),
      breakerFixture(NOW, { id: 'c' }),
      breakerFixture(NOW, { id: 'new', state: 'open' }),
    ]);
    expect(describeChanges(before, after)).toBe('2 breakers opened, 1 breaker recovered');
    expect(describeChanges(after, after)).toBe('');
  });

  it('knows production by its usual names', () => {
    expect(['prod', 'production', 'prod-eu', 'PRD'].map(environmentKind)).not.toContain('other');
    expect(['staging', 'product-test', 'preprod'].map(environmentKind)).not.toContain('production');
  });
});
