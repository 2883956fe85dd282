import type { BreakerView } from '@/lib/protocol/views';
import { attentionOrder, needsAttention } from '../fleet/attention';

const MINUTE_MS = 60_000;
/** Places that the picture wanders over, so that no pixel shows the same edge for days. */
const SHIFTS = [
  [0, 0],
  [6, 3],
  [10, -4],
  [4, -8],
  [-5, -6],
  [-10, 0],
  [-7, 7],
  [0, 9],
  [8, 6],
] as const;

/** One step a minute, in pixels; small enough that nobody sees it move. */
export function shiftAt(now: number): { readonly x: number; readonly y: number } {
  const [x, y] = SHIFTS[Math.floor(now / MINUTE_MS) % SHIFTS.length] ?? [0, 0];
  return { x, y };
}

export const ROTATIONS_S = [10, 20, 60] as const;

export type WallAddress = {
  readonly environment: string | null;
  /** Seconds to a page; null stays on the worst ones, which is how it begins. */
  readonly rotateS: number | null;
};

export function readWall(params: { get(name: string): string | null }): WallAddress {
  const asked = Number(params.get('rotate') ?? Number.NaN);
  return {
    environment: params.get('env'),
    rotateS: ROTATIONS_S.find((seconds) => seconds === asked) ?? null,
  };
}

/** What somebody has to look at, worst first. */
export function troubleOf(list: readonly BreakerView[], now: number): string[] {
  return attentionOrder(list, now, (row) => needsAttention(row, now));
}

export type WallPage = {
  readonly ids: readonly string[];
  readonly page: number;
  readonly pages: number;
  /** Not on this page. */
  readonly others: number;
};

/** The page that is shown now. Without rotation that is always the first one: the worst. */
export function pageAt(
  ids: readonly string[],
  { capacity, rotateS, now }: { capacity: number; rotateS: number | null; now: number },
): WallPage {
  const size = Math.max(1, capacity);
  const pages = Math.max(1, Math.ceil(ids.length / size));
  const page = rotateS === null ? 0 : Math.floor(now / (rotateS * 1_000)) % pages;
  const shown = ids.slice(page * size, (page + 1) * size);
  return { ids: shown, page, pages, others: ids.length - shown.length };
}
