import { useMemo, type ReactNode } from 'react';
import { readAt, type Reading } from '@/lib/series/cursor';
import { useCursorAt } from './cursor-store';
import { useStack } from './stack-context';
import styles from './legend.module.css';

export type SwatchKind = 'line' | 'area' | 'dash' | 'circle' | 'cross' | 'triangle';
type Tone = '1' | '2' | '3' | '4' | 'fail' | 'axis' | 'open';

const SHAPES: Record<SwatchKind, ReactNode> = {
  line: <path d="M1 6h12" strokeWidth="2" />,
  dash: <path d="M1 6h12" strokeWidth="1.5" strokeDasharray="3 2" />,
  area: <rect x="1" y="2" width="12" height="8" fill="currentColor" fillOpacity="0.25" />,
  circle: <circle cx="7" cy="6" r="3" fill="currentColor" fillOpacity="0.25" />,
  cross: <path d="M4 3l6 6M10 3l-6 6" strokeWidth="1.75" />,
  triangle: <path d="M7 2l4 7H3z" fill="currentColor" />,
};

type SwatchProps = { kind: SwatchKind; tone: Tone; label: string; value?: string };

export function Swatch({ kind, tone, label, value }: SwatchProps) {
  return (
    <span className={styles.item} data-export="legend">
      <svg width="14" height="12" viewBox="0 0 14 12" data-tone={tone} aria-hidden="true">
        <g fill="none" stroke="currentColor">
          {SHAPES[kind]}
        </g>
      </svg>
      {label}
      {value !== undefined && <b className={styles.value}>{value}</b>}
    </span>
  );
}

/** What the charts show under the cursor; at rest, at the last instant that is known. */
export function useReading(): Reading & { readonly resting: boolean } {
  const { model } = useStack();
  const at = useCursorAt();
  return useMemo(() => {
    const last = model.points.at(-1);
    const rest = Math.min(model.now, (last?.at ?? model.now) + model.resolutionMs) - 1;
    return { ...readAt(model, at ?? rest), resting: at === null };
  }, [model, at]);
}

type ReadingProps = {
  swatch: SwatchKind;
  tone: Tone;
  label: string;
  read: (reading: Reading) => string;
};

/** A legend entry that carries the value under the cursor. */
export function ReadingValue({ swatch, tone, label, read }: ReadingProps) {
  return <Swatch kind={swatch} tone={tone} label={label} value={read(useReading())} />;
}
