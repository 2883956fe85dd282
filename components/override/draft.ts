import {
  isName,
  isOf,
  mayIncludeNew,
  nameToType,
  scopeOf,
  type Row,
  type ScopeKind,
} from './scope';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { IssueCommandBody, PreviewCommandBody } from '@/lib/protocol/commands';
import type { Kind } from './kinds';
import { BREAK_GLASS_REASON_MIN, DEFAULT_LEASE_MS, startError } from './lease';
import { REASON_MIN, reasonError } from './validate';

/** What a person has filled in, before the server has seen any of it. */
export type Draft = {
  readonly reason: string;
  readonly leaseMs: number;
  readonly scope: ScopeKind;
  readonly instanceIds: readonly string[];
  readonly includeNew: boolean;
  /** As a `datetime-local` field has it; null starts now. */
  readonly start: string | null;
  readonly typed: string;
  readonly breakGlass: boolean;
};

/** What a retry begins with: the failed instances of one breaker. */
export type First = {
  readonly row: Row;
  readonly reason: string;
  readonly instanceIds: readonly string[];
};

export const draftOf = (first: Omit<First, 'row'> | null): Draft => ({
  reason: first?.reason ?? '',
  leaseMs: DEFAULT_LEASE_MS,
  scope: first === null ? 'breaker' : 'instances',
  instanceIds: first?.instanceIds ?? [],
  includeNew: false,
  start: null,
  typed: '',
  breakGlass: false,
});

/** What to ask a preview for; null while the scope is empty. */
export function askedOf(row: Row, kind: Kind, draft: Draft): PreviewCommandBody | null {
  const scope = scopeOf(row, draft.scope, draft.instanceIds);
  if (scope === null) return null;
  const includeNew = draft.includeNew && mayIncludeNew(kind, draft.scope);
  return { scope, kind, includeNew, ...(kind === 'reset' ? {} : { leaseMs: draft.leaseMs }) };
}

/** A preview counts only for the act that it was made for. */
export const previewFor = (
  preview: CommandPreview | null | undefined,
  asked: PreviewCommandBody | null,
): CommandPreview | null => (preview && asked !== null && isOf(preview, asked) ? preview : null);

export type Problems = {
  readonly reason: string | null;
  readonly start: string | null;
  readonly name: string | null;
};

/** Break-glass is for when a second person is asked for and there is none. */
export const breaksGlass = (draft: Draft, preview: CommandPreview | null): boolean =>
  draft.breakGlass && preview?.needs.secondPerson === true;

export function problemsOf(
  row: Row,
  draft: Draft,
  preview: CommandPreview | null,
  now: number,
): Problems {
  const glass = breaksGlass(draft, preview);
  const name = nameToType(row, draft.scope);
  return {
    reason: reasonError(draft.reason, glass ? BREAK_GLASS_REASON_MIN : REASON_MIN),
    start: draft.start === null || glass ? null : startError(draft.start, now),
    name: preview?.risk === 'L3' && !isName(draft.typed, name) ? `Type ${name} to go on.` : null,
  };
}

export const isFine = ({ reason, start, name }: Problems): boolean =>
  reason === null && start === null && name === null;

export function bodyOf(
  asked: PreviewCommandBody,
  draft: Draft,
  preview: CommandPreview,
  idempotencyKey: string,
): IssueCommandBody {
  const breakGlass = breaksGlass(draft, preview);
  const startAt = draft.start === null || breakGlass ? {} : { startAt: Date.parse(draft.start) };
  return {
    ...asked,
    ...startAt,
    reason: draft.reason.trim(),
    breakGlass,
    expectedGenerations: preview.expectedGenerations,
    previewDigest: preview.digest,
    idempotencyKey,
  };
}
