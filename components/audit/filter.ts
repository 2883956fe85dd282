import type { AuditFilter } from '@/lib/client/api';

export const outcomes = ['done', 'refused', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

const HOUR_MS = 3_600_000;
export const ranges = {
  '1h': { label: 'Last hour', ms: HOUR_MS },
  '24h': { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * HOUR_MS },
} as const;
export type RangeName = keyof typeof ranges | 'any' | 'between';

/** What the address says. `from` and `to` are UTC, as a date field writes them. */
export type AuditView = {
  text: string;
  actor: string;
  action: string;
  subject: string;
  outcome: Outcome | null;
  range: RangeName;
  from: string;
  to: string;
};

type Params = { get(name: string): string | null };

export const isRange = (text: string | null): text is RangeName =>
  text === 'any' || text === 'between' || (text !== null && Object.hasOwn(ranges, text));

export function readView(params: Params): AuditView {
  const outcome = params.get('outcome');
  const range = params.get('range');
  return {
    text: params.get('q') ?? '',
    actor: params.get('who') ?? '',
    action: params.get('action') ?? '',
    subject: params.get('subject') ?? '',
    outcome: outcomes.find((known) => known === outcome) ?? null,
    range: isRange(range) ? range : 'any',
    from: params.get('from') ?? '',
    to: params.get('to') ?? '',
  };
}

/** The part of the address that says the same; empty when nothing is filtered. */
export function viewQuery(view: AuditView): string {
  const { text, actor, action, subject, outcome, range, from, to } = view;
  const params = new URLSearchParams();
  const given = {
    q: text,
    who: actor,
    action,
    subject,
    outcome: outcome ?? '',
    range: range === 'any' ? '' : range,
    from: range === 'between' ? from : '',
    to: range === 'between' ? to : '',
  };
  for (const [key, value] of Object.entries(given)) if (value !== '') params.set(key, value);
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}

/** Undefined for a field that is empty or half filled. */
function instantOf(text: string): number | undefined {
  const at = Date.parse(`${text}Z`);
  return text === '' || Number.isNaN(at) || at < 0 ? undefined : at;
}

const ACTION = /^[a-z0-9_.]{1,64}\*?$/;

/** "override" means all actions that begin so; what cannot be an action finds nothing. */
export function actionOf(text: string): string {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' || wanted.endsWith('*') || wanted.includes('.')) return wanted;
  return `${wanted}*`;
}

export function isAction(text: string): boolean {
  return text.trim() === '' || ACTION.test(actionOf(text));
}

/** What the server is asked for. */
export function filterOf(view: AuditView): AuditFilter {
  const { text, actor, action, subject, outcome, range, from, to } = view;
  const [start, end] = range === 'between' ? [instantOf(from), instantOf(to)] : [];
  const wanted = isAction(action) ? actionOf(action) : '';
  return {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(actor.trim() === '' ? {} : { actor: actor.trim() }),
    ...(wanted === '' ? {} : { action: wanted }),
    ...(subject.trim() === '' ? {} : { subject: subject.trim() }),
    ...(outcome === null ? {} : { outcome }),
    ...(range === 'any' || range === 'between' ? {} : { withinMs: ranges[range].ms }),
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end }),
  };
}

export const isFiltered = (view: AuditView): boolean => viewQuery(view) !== '';
