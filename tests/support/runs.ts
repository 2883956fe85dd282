const share = Number(process.env['FC_SHARE'] ?? '1');

/** All random histories are wanted: nothing has asked for a part of them. */
export const inFull = share === 1;

/** How many random histories to try. A mutant is shown only a part: it has the other tests too. */
export function runs(full: number): number {
  return Math.max(1, Math.round(full * share));
}
