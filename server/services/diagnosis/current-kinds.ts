import type { FindingKind } from '@/lib/protocol/findings';
import type { Examined } from '../fleet/entries';

/** Kinds of the findings of the last hour, worst first; what the fleet shows. */
export const currentKinds = (examined: Examined | null): FindingKind[] =>
  (examined?.findings ?? []).filter(({ current }) => current).map(({ kind }) => kind);
