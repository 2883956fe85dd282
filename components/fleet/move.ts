/** A place in the list: which line, and which cell of it. Tiles have many in a line, rows one. */
export type Place = { readonly line: number; readonly cell: number };

type Shape = {
  /** How many cells each line has. */
  readonly widths: readonly number[];
  /** Lines to a page. */
  readonly page: number;
};

type Step = (place: Place, shape: Shape) => Place;

const last = ({ widths }: Shape): Place => {
  const line = widths.length - 1;
  return { line, cell: (widths[line] ?? 1) - 1 };
};

const lines =
  (by: (shape: Shape) => number): Step =>
  ({ line, cell }, shape) => ({ line: line + by(shape), cell });

const down = lines(() => 1);
const up = lines(() => -1);

const right: Step = ({ line, cell }, { widths }) =>
  cell + 1 < (widths[line] ?? 1) ? { line, cell: cell + 1 } : { line: line + 1, cell: 0 };

const left: Step = ({ line, cell }, { widths }) =>
  cell > 0 ? { line, cell: cell - 1 } : { line: line - 1, cell: (widths[line - 1] ?? 1) - 1 };

const STEPS: Record<string, Step> = {
  ArrowDown: down,
  j: down,
  ArrowUp: up,
  k: up,
  PageDown: lines(({ page }) => page),
  PageUp: lines(({ page }) => -page),
  Home: () => ({ line: 0, cell: 0 }),
  End: (_place, shape) => last(shape),
};

/** In tiles only: a row of the table has nothing beside it. */
const SIDEWAYS: Record<string, Step> = { ArrowRight: right, ArrowLeft: left };

const stepOf = (steps: Record<string, Step>, key: string): Step | undefined =>
  Object.hasOwn(steps, key) ? steps[key] : undefined;

function inside(place: Place, shape: Shape): Place {
  if (place.line < 0) return { line: 0, cell: 0 };
  if (place.line >= shape.widths.length) return last(shape);
  const width = shape.widths[place.line] ?? 1;
  return { line: place.line, cell: Math.min(width - 1, Math.max(0, place.cell)) };
}

/** Where a key leads (from null: nowhere yet); null when the key is not for moving. */
export function moveTo(key: string, from: Place | null, shape: Shape): Place | null {
  const wide = shape.widths.some((width) => width > 1);
  const step = stepOf(STEPS, key) ?? (wide ? stepOf(SIDEWAYS, key) : undefined);
  if (step === undefined || shape.widths.length === 0) return null;
  if (from === null && key !== 'End') return { line: 0, cell: 0 };
  return inside(step(from ?? { line: 0, cell: 0 }, shape), shape);
}
