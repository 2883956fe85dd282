import type { ReactNode } from 'react';
import { stateTone, type Freshness, type State } from './words';
import styles from './state.module.css';

const RING = <circle cx="8" cy="8" r="5.25" fill="none" stroke="currentColor" strokeWidth="1.5" />;

/** Sits in the lower right corner on a cleared plate, so that it reads at 14 px. */
const LOCK = (
  <g>
    <rect x="7.2" y="7.4" width="8.8" height="8.6" rx="2" className={styles.plate} />
    <rect x="8.6" y="10.6" width="6" height="4.4" rx="0.9" fill="currentColor" />
    <path
      d="M10 10.6V9.7a1.6 1.6 0 0 1 3.2 0v.9"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.2"
    />
  </g>
);

const SHAPES: Record<State, ReactNode> = {
  closed: RING,
  half_open: (
    <>
      {RING}
      <path d="M8 2.75a5.25 5.25 0 0 1 0 10.5z" fill="currentColor" />
    </>
  ),
  open: (
    <>
      <path d="M2.5 3.5a1 1 0 0 1 1-1h7.3L2.5 10.8z" fill="currentColor" />
      <path d="M13.5 5.2v7.3a1 1 0 0 1-1 1H5.2z" fill="currentColor" />
    </>
  ),
  forced_open: (
    <>
      <rect x="1.5" y="1.5" width="12" height="12" rx="1" fill="currentColor" />
      <path d="M1.5 7.5l6-6M1.5 12.5l11-11M5.5 13.5l8-8" className={styles.cut} />
      {LOCK}
    </>
  ),
  forced_closed: (
    <>
      <circle cx="7" cy="7" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M7 3.9v3.6" stroke="currentColor" strokeWidth="1.7" strokeLinecap="round" />
      <circle cx="5.9" cy="9.9" r="0.9" fill="currentColor" />
      {LOCK}
    </>
  ),
  disabled: (
    <>
      {RING}
      <path d="M2.2 13.8L13.8 2.2" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
  metrics_only: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.25" />
      <path
        d="M3.9 8q1.7-2.7 4.1-2.7T12.1 8q-1.7 2.7-4.1 2.7T3.9 8z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.1"
      />
      <circle cx="8" cy="8" r="1.2" fill="currentColor" />
    </>
  ),
};

const DASHED = (
  <rect
    x="1"
    y="1"
    width="14"
    height="14"
    rx="2"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.25"
    strokeDasharray="2.4 1.8"
  />
);

function shape(state: State, freshness: Freshness): ReactNode {
  if (freshness === 'offline') return DASHED;
  if (freshness === 'live') return SHAPES[state];
  return (
    <>
      <g transform="translate(2.4 2.4) scale(0.7)">{SHAPES[state]}</g>
      {DASHED}
    </>
  );
}

type Props = { state: State; freshness?: Freshness; size?: number };

/** The shape alone; always beside its word, hence hidden from a screen reader. */
export function StateGlyph({ state, freshness = 'live', size = 14 }: Props) {
  return (
    <svg
      className={styles.glyph}
      data-tone={stateTone(state, freshness)}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      focusable="false"
    >
      {shape(state, freshness)}
    </svg>
  );
}
