import { elapsed } from './progress.mjs';

/** What one stage adds to the totals. A failing stage counts at least one failure. */
export function countStage({ status, report }) {
  if (status === 'not run') return { passed: 0, failed: 0, skipped: 1 };
  if (!report) {
    return status === 'passed'
      ? { passed: 1, failed: 0, skipped: 0 }
      : { passed: 0, failed: 1, skipped: 0 };
  }
  const failed =
    report.numFailedTests + (status === 'failed' && report.numFailedTests === 0 ? 1 : 0);
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  return { passed: report.numPassedTests, failed, skipped };
}

/** `N passed, N failed`, with `, N skipped` when there are any. */
export function summaryLine(results) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    const counts = countStage(result);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  const line = `${total.passed} passed, ${total.failed} failed`;
  return total.skipped > 0 ? `${line}, ${total.skipped} skipped` : line;
}

export function summaryTable(results) {
  return results
    .map(({ name, status, ms, report }) => {
      const mark = { passed: '✓', failed: '✗', 'not run': '–' }[status];
      const tests = report ? `${report.numPassedTests} of ${report.numTotalTests} tests` : '';
      return `${mark} ${name.padEnd(12)} ${elapsed(ms).padStart(12)}  ${status.padEnd(8)} ${tests}`.trimEnd();
    })
    .join('\n');
}
