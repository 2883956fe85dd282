import { useId, type KeyboardEvent } from 'react';
import { formatInstant } from '@/components/ui/format';
import { brushTo } from '@/lib/series/domain';
import { moveView, nextEdge, type Move } from '@/lib/series/moves';
import { useCursorStore } from './cursor-store';
import { useReading } from './legend';
import { CHART_IDS, useStack } from './stack-context';
import styles from './scrubber.module.css';

const HELP =
  'Arrows move the cursor, comma and full stop jump between changes of state. Plus and minus zoom, ' +
  'shift with an arrow moves the view. Enter marks a span, Enter again zooms to it. ' +
  'Y shows the numbers as tables, Escape lets go, 0 goes back to live.';

const MOVES: Record<string, Move> = {
  '+': 'in',
  '=': 'in',
  '-': 'out',
  'Shift+ArrowLeft': 'earlier',
  'Shift+ArrowRight': 'later',
};

/** What the keys do while the scrubber has the focus; false leaves the key to the browser. */
function useKeys(at: number) {
  const { model, limits, tables, onZoom, onMove, onReset, onTables } = useStack();
  const cursor = useCursorStore();
  const jump = (way: 'before' | 'after') => {
    const edge = nextEdge(model.bands, at, way);
    if (edge !== null) cursor.pin(edge);
  };
  const mark = () => {
    const anchor = cursor.anchor();
    if (anchor === null) return cursor.mark(at);
    cursor.mark(null);
    const span = brushTo(model.domain, anchor, at);
    if (span !== null) onZoom(span);
  };
  const letGo = () => (cursor.anchor() === null ? cursor.pin(null) : cursor.mark(null));
  const keys: Record<string, () => void> = {
    ',': () => jump('before'),
    '.': () => jump('after'),
    Enter: mark,
    Escape: letGo,
    y: () => onTables(tables.length > 0 ? [] : CHART_IDS),
    '0': onReset,
  };
  return (key: string): boolean => {
    const move = MOVES[key];
    if (move !== undefined) onMove(moveView(limits, model.domain, move, at));
    else keys[key]?.();
    return move !== undefined || key in keys;
  };
}

function keyOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const arrow = event.key.startsWith('Arrow');
  return event.shiftKey && arrow ? `Shift+${event.key}` : event.key;
}

/** One focus stop for all charts: its keys are the hover, the wheel and the brush of the pointer. */
export function Scrubber() {
  const { model, zone } = useStack();
  const cursor = useCursorStore();
  const reading = useReading();
  const press = useKeys(reading.at);
  const help = useId();
  const { domain, resolutionMs } = model;
  // On a step: between two of them the browser would round, and an arrow would go two or none.
  const stepAt = domain.from + Math.floor((reading.at - domain.from) / resolutionMs) * resolutionMs;
  return (
    <>
      <input
        type="range"
        className={styles.scrubber}
        data-plot
        aria-label="Time cursor of the charts"
        aria-valuetext={formatInstant(reading.at, zone)}
        aria-describedby={help}
        min={domain.from}
        max={Math.min(domain.to, Math.max(model.now, domain.from + resolutionMs))}
        step={resolutionMs}
        value={stepAt}
        onChange={(event) => cursor.pin(Number(event.target.value) + resolutionMs / 2)}
        onKeyDown={(event) => {
          const key = keyOf(event);
          if (key === null || !press(key)) return;
          event.preventDefault();
          // The console has keys of its own.
          event.stopPropagation();
        }}
      />
      <span id={help} className="visually-hidden">
        {HELP}
      </span>
    </>
  );
}
