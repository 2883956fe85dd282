/** How one report lies over buckets of `widthMs`: the first bucket's start and how many there are. */
export function spread(
  report: { readonly at: number; readonly periodMs: number },
  widthMs: number,
): { readonly first: number; readonly pieces: number } {
  const { at, periodMs } = report;
  const pieces = Math.max(1, Math.round(periodMs / widthMs));
  // The middle of the first piece decides, so that a report a moment late stays in its bucket.
  const pieceMs = pieces === 1 ? periodMs : widthMs;
  return { first: Math.floor((at - periodMs + pieceMs / 2) / widthMs) * widthMs, pieces };
}

/** Whole numbers whose sum over all pieces is the total. */
export function partOf(total: number, piece: number, pieces: number): number {
  return Math.round((total * (piece + 1)) / pieces) - Math.round((total * piece) / pieces);
}
