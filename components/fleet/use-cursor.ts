'use client';

import { useMemo, useState, type KeyboardEvent } from 'react';
import type { Line } from './groups';
import { moveTo, type Place } from './move';

type Options = {
  readonly lines: readonly Line[];
  readonly initial: string | null;
  readonly page: () => number;
  readonly onReach: (key: string, line: number) => void;
  readonly onAnyKey: () => void;
};

type Cursor = { readonly key: string | null; readonly last: Place | null };

/** The keys of a line's cells: breakers by id, so that the cursor stays on them wherever they go. */
const cellsOf = (line: Line): readonly string[] => (line.kind === 'group' ? [line.key] : line.ids);

const keyAt = (lines: readonly Line[], { line, cell }: Place): string | null => {
  const found = lines[line];
  return found === undefined ? null : (cellsOf(found)[cell] ?? null);
};

/** One tab stop: keys move the cursor, which belongs to a breaker or a group, not to a place. */
export function useCursor({ lines, initial, page, onReach, onAnyKey }: Options) {
  const [{ key, last }, setCursor] = useState<Cursor>({ key: initial, last: null });
  const places = useMemo(() => {
    const map = new Map<string, Place>();
    lines.forEach((line, at) =>
      cellsOf(line).forEach((cellKey, cell) => map.set(cellKey, { line: at, cell })),
    );
    return map;
  }, [lines]);
  const place = key === null ? null : (places.get(key) ?? null);

  const reach = (next: string | null) => {
    const at = next === null ? null : (places.get(next) ?? null);
    setCursor({ key: next, last: at });
    if (next !== null && at !== null) onReach(next, at.line);
  };
  return {
    /** Null while it is filtered out; it comes back with its breaker. */
    key: place === null ? null : key,
    line: place?.line ?? null,
    reach,
    /** Entering the list starts at its first line, or where one was before. */
    enter: () => {
      if (place === null)
        reach(keyAt(lines, last ?? { line: 0, cell: 0 }) ?? keyAt(lines, { line: 0, cell: 0 }));
    },
    /** True when the key moved the cursor. */
    onKey: (event: KeyboardEvent): string | null => {
      onAnyKey();
      const widths = lines.map((line) => cellsOf(line).length);
      const next = moveTo(event.key, place ?? last, { widths, page: page() });
      if (next === null) return null;
      event.preventDefault();
      const reached = keyAt(lines, next);
      reach(reached);
      return reached;
    },
  };
}
