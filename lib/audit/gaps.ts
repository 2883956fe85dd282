/**
 * Events after which something is not proven. Each of them is a row of the chain itself, so that a
 * gap cannot be made without a trace; what happened is in the row's details.
 */

export const gapActions = [
  'audit.chain_started',
  'audit.chain_restarted',
  'audit.key_changed',
  'audit.restored',
  'audit.foreign_rows',
  'audit.chain_broken',
  'audit.sink_off',
  'audit.sink_on',
  'audit.sink_failed',
  'audit.sink_resumed',
  'audit.clock_stepped',
  'audit.alarm',
] as const;

export type GapAction = (typeof gapActions)[number];

export type GapRow = {
  readonly id: number;
  readonly at: number;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Rows (both ends included) of which less is proven than of the others; `toRow` null: still so. */
export type AuditSpan = {
  readonly action: GapAction;
  readonly fromRow: number;
  readonly toRow: number | null;
  readonly fromAt: number;
  readonly toAt: number | null;
  readonly details: GapRow['details'];
};

const KNOWN: ReadonlySet<string> = new Set(gapActions);

export function isGapAction(action: string): action is GapAction {
  return KNOWN.has(action);
}

/** A sink that is off or failing makes a span until it is back. */
const OPENS: ReadonlySet<string> = new Set(['audit.sink_off', 'audit.sink_failed']);
const CLOSES: ReadonlySet<string> = new Set(['audit.sink_on', 'audit.sink_resumed']);

const numberIn = (details: GapRow['details'], key: string): number | null => {
  const value = details[key];
  return typeof value === 'number' ? value : null;
};

function spanOf(row: GapRow, action: GapAction): AuditSpan | null {
  const { id, at, details } = row;
  const base = { action, fromAt: at, toAt: at, details };
  const from = numberIn(details, 'fromRow');
  // A chain whose first row is its start has nothing before it to be unproven.
  if (action === 'audit.chain_started') {
    const rows = numberIn(details, 'unprovenRows') ?? 0;
    return rows === 0 ? null : { ...base, fromRow: 1, toRow: rows };
  }
  return { ...base, fromRow: from ?? id, toRow: numberIn(details, 'toRow') ?? id };
}

/** Of gap rows in the order in which they were written. */
export function spansOf(rows: readonly GapRow[]): AuditSpan[] {
  const spans: AuditSpan[] = [];
  let open: AuditSpan | null = null;
  for (const row of rows) {
    const { id, at, action, details } = row;
    if (!isGapAction(action)) continue;
    if (OPENS.has(action)) {
      open ??= { action, fromRow: id, toRow: null, fromAt: at, toAt: null, details };
    } else if (CLOSES.has(action)) {
      if (open !== null) spans.push({ ...open, toRow: id, toAt: at });
      open = null;
    } else {
      const span = spanOf(row, action);
      if (span !== null) spans.push(span);
    }
  }
  return open === null ? spans : [...spans, open];
}

/** The rows that a restore took away, by number; other rows have these numbers now. */
export function lostRows({
  details,
}: GapRow): { readonly from: number; readonly to: number } | null {
  const from = numberIn(details, 'lostFrom');
  const to = numberIn(details, 'lostTo');
  return from === null || to === null ? null : { from, to };
}
