import type { FleetSummary } from '@/lib/client/summary';
import type { ReactNode } from 'react';
import { StateGlyph } from '../state';
import { formatCount, formatRate } from '../ui/format';
import type { StateFilter } from './filter';
import styles from './summary-strip.module.css';

type FigureProps = {
  label: string;
  value: string;
  glyph?: ReactNode;
  tone?: string | undefined;
  pressed?: boolean;
  onPress?: () => void;
};

function Figure({ label, value, glyph, tone, pressed, onPress }: FigureProps) {
  const inner = (
    <>
      <span className={styles.value} data-tone={tone}>
        {value}
      </span>
      <span className={styles.label}>
        {glyph}
        {label}
      </span>
    </>
  );
  if (!onPress) return <div className={styles.figure}>{inner}</div>;
  return (
    <button type="button" className={styles.figure} aria-pressed={pressed} onClick={onPress}>
      {inner}
    </button>
  );
}

const tone = (count: number, name: string) => (count > 0 ? name : undefined);

type Props = {
  label?: string;
  summary: FleetSummary;
  chosen: readonly StateFilter[];
  onChoose: (state: StateFilter) => void;
};

/** The answer to "how bad is it" in five figures; each state also filters the list. */
export function SummaryStrip({ label = 'Fleet now', summary, chosen, onChoose }: Props) {
  const filter = (state: StateFilter) => ({
    pressed: chosen.includes(state),
    onPress: () => onChoose(state),
  });
  return (
    <section className={styles.strip} aria-label={label}>
      <Figure
        label="Open"
        value={formatCount(summary.open)}
        tone={tone(summary.open, 'open')}
        glyph={<StateGlyph state="open" size={12} />}
        {...filter('open')}
      />
      <Figure
        label="Recovering"
        value={formatCount(summary.recovering)}
        tone={tone(summary.recovering, 'half')}
        glyph={<StateGlyph state="half_open" size={12} />}
        {...filter('recovering')}
      />
      <Figure
        label="Forced"
        value={formatCount(summary.forced)}
        tone={tone(summary.forced, 'forced')}
        glyph={<StateGlyph state="forced_closed" size={12} />}
        {...filter('forced')}
      />
      <Figure
        label="Stale"
        value={formatCount(summary.stale)}
        glyph={<StateGlyph state="closed" freshness="stale" size={12} />}
        {...filter('stale')}
      />
      <Figure
        label="Refused/s"
        value={formatRate(summary.refusedPerSecond)}
        tone={tone(summary.refusedPerSecond, 'open')}
      />
      <Figure label="Calls/s" value={formatRate(summary.callsPerSecond)} />
    </section>
  );
}
