import { describe, expect, it } from 'vitest';
import { chooseStages, STAGES } from '@/scripts/lib/stages.mjs';
import { summaryLine, summaryTable } from '@/scripts/lib/summary.mjs';

const stage = (name: string, status: string, report: object | null = null) => ({
  name,
  status,
  ms: 1_000,
  report,
});
const report = (passed: number, failed: number, skipped = 0) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numTotalTests: passed + failed + skipped,
});

describe('the summary line', () => {
  it('counts tests, and one for each other stage', () => {
    const results = [stage('lint', 'passed'), stage('unit', 'passed', report(40, 0))];
    expect(summaryLine(results)).toBe('41 passed, 0 failed');
  });

  it('names skipped tests and stages only when there are any', () => {
    const results = [
      stage('build', 'failed'),
      stage('unit', 'passed', report(3, 0, 2)),
      stage('browser', 'not run'),
    ];
    expect(summaryLine(results)).toBe('3 passed, 1 failed, 3 skipped');
  });

  it('counts a failure when a stage failed without a failed test', () => {
    expect(summaryLine([stage('unit', 'failed', report(5, 0))])).toBe('5 passed, 1 failed');
    expect(summaryLine([stage('unit', 'failed')])).toBe('0 passed, 1 failed');
    expect(summaryLine([stage('unit', 'failed', report(5, 2))])).toBe('5 passed, 2 failed');
  });

  it('stands under a table with a line for each stage', () => {
    const table = summaryTable([stage('lint', 'failed'), stage('unit', 'passed', report(4, 0))]);
    expect(table.split('\n')).toHaveLength(2);
    expect(table).toMatch(/✗ lint .*\n✓ unit .*4 of 4 tests$/);
  });
});

describe('the stages', () => {
  it('runs all in order, or the named ones in the same order', () => {
    expect(chooseStages([])).toBe(STAGES);
    expect(chooseStages(['unit', 'lint']).map(({ name }) => name)).toEqual(['lint', 'unit']);
  });

  it('says which exist when one does not', () => {
    expect(() => chooseStages(['units'])).toThrow('format, lint, types');
  });

  it('needs only stages that come before', () => {
    for (const [index, { needs }] of STAGES.entries()) {
      if (needs === undefined) continue;
      const before = STAGES.slice(0, index).map(({ name }) => name);
      expect(before).toContain(needs);
    }
  });
});
