import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { AuditTable } from '@/components/audit/audit-table';
import { detailsText } from '@/components/audit/details-text';
import { diffOf } from '@/components/audit/diff';
import { actionOf, filterOf, isAction, readView, viewQuery } from '@/components/audit/filter';
import { proofOf, rowsText, spanText, unprovenSpans } from '@/components/audit/proof-words';
import { RowDetails } from '@/components/audit/row-details';
import { gapActions } from '@/lib/audit/gaps';
import type { AuditRow } from '@/lib/protocol/views';
import { auditProof, auditRow } from '../server/fakes/views';

const viewOf = (query: string) => readView(new URLSearchParams(query));

describe('the filter of the audit page', () => {
  it.each([
    '',
    '?q=payments&who=kim&action=override.*&subject=ovr_1&outcome=refused&range=24h',
    '?range=between&from=2026-01-31T10%3A00&to=2026-01-31T11%3A00%3A30',
  ])('lives in the address: %s', (query) => {
    expect(viewQuery(viewOf(query))).toBe(query);
  });

  it('is what the server is asked for; times are UTC', () => {
    const query = '?q=+pay+&action=override&range=between&from=2026-01-31T10%3A00';
    expect(filterOf(viewOf(query))).toEqual({
      text: 'pay',
      action: 'override*',
      from: Date.UTC(2026, 0, 31, 10),
    });
    expect(filterOf(viewOf('?range=1h&outcome=nonsense'))).toEqual({ withinMs: 3_600_000 });
    expect(filterOf(viewOf('?range=between&from=nonsense&action=%25'))).toEqual({});
  });

  it('takes the beginning of an action for all that begin so', () => {
    expect(['token', 'token.created', 'audit.*', ' Override '].map(actionOf)).toEqual([
      'token*',
      'token.created',
      'audit.*',
      'override*',
    ]);
    expect(['', 'token', 'a b', "x' OR 1"].map(isAction)).toEqual([true, true, false, false]);
  });
});

const rowWith = (over: Partial<AuditRow>): AuditRow => ({ ...auditRow, ...over });

describe('before and after', () => {
  it('names each field that changed, first, by its path', () => {
    const details = {
      before: { lease: 60, limits: { open: 1, closed: 2 }, gone: 'x' },
      after: { lease: 90, limits: { open: 1, closed: 2 }, fresh: ['a'] },
    };
    expect(diffOf({ details })).toEqual([
      { field: 'lease', before: '60', after: '90', changed: true },
      { field: 'gone', before: 'x', after: null, changed: true },
      { field: 'fresh', before: null, after: '["a"]', changed: true },
      { field: 'limits.open', before: '1', after: '1', changed: false },
      { field: 'limits.closed', before: '2', after: '2', changed: false },
    ]);
  });

  it('is there for what was made or taken away, and not where nothing is said', () => {
    expect(diffOf({ details: { before: null, after: { a: 1 } } })).toEqual([
      { field: 'a', before: null, after: '1', changed: true },
    ]);
    expect(diffOf({ details: { before: 'on', after: 'off' } })).toEqual([
      { field: 'value', before: 'on', after: 'off', changed: true },
    ]);
    expect(diffOf({ details: { reason: 'x' } })).toBeNull();
  });
});

describe('the line of a row', () => {
  it('says what changed before everything else', () => {
    const details = {
      environment: 'prod',
      before: { twoPerson: 'L3', updatedAt: 1 },
      after: { twoPerson: 'L2', updatedAt: 2, stepUp: 'L1' },
    };
    expect(detailsText(details)).toBe('twoPerson L3 → L2 · stepUp – → L1 · environment prod');
  });
});

describe('what a row is worth', () => {
  const span = { fromAt: 1, toAt: 1, details: {} };
  const spans = [
    { ...span, action: 'audit.sink_failed', fromRow: 2, toRow: 3 },
    { ...span, action: 'audit.sink_off', fromRow: 9, toRow: null },
  ];
  const worth = (id: number, hash: string | null = 'a'.repeat(64)) =>
    proofOf(rowWith({ id, hash }), { ...auditProof, spans }, spans);

  it('is signed, waiting, unproven or from before', () => {
    expect([1, 2, 3, 4, 5, 9, 99].map((id) => worth(id))).toEqual([
      'signed',
      'unproven',
      'unproven',
      'signed',
      'waiting',
      'unproven',
      'unproven',
    ]);
    expect(worth(1, null)).toBe('unchained');
  });

  it('loses nothing by a key that its elder vouched for', () => {
    const change = { ...span, action: 'audit.key_changed', fromRow: 1, toRow: 1 };
    const endorsed = { ...change, details: { endorsed: true } };
    expect(unprovenSpans({ spans: [change, endorsed] })).toEqual([change]);
  });

  it('has words for every gap', () => {
    // The end of a sink's failure closes a span and has none of its own.
    const open = gapActions.filter((action) => !/sink_(on|resumed)$/.test(action));
    for (const action of open) expect(spanText({ action })).not.toBe(action);
    expect([4, null].map((toRow) => rowsText({ fromRow: 4, toRow }))).toEqual([
      'row 4',
      'from row 4 on',
    ]);
  });
});

describe('[S-27] hostile text', () => {
  const nasty = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
  const row = rowWith({
    actor: nasty,
    action: nasty,
    subject: nasty,
    details: { [nasty]: nasty, before: { [nasty]: nasty }, after: nasty },
    who: {
      kind: 'user',
      id: nasty,
      name: nasty,
      session: nasty,
      factors: [nasty],
      role: nasty,
      ip: nasty,
      userAgent: nasty,
    },
  });

  it('is text in the table and in the details', () => {
    const markup = renderToStaticMarkup(
      <>
        <AuditTable rows={[row]} proof={auditProof} />
        <RowDetails row={row} />
      </>,
    );
    expect(markup).toContain('&lt;script&gt;');
    expect(markup).not.toMatch(/<img|<script/);
  });
});
