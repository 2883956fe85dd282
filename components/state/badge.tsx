import { memo, type ReactNode } from 'react';
import { StateGlyph } from './glyph';
import { stateHatch, stateLabel, stateTone, type Freshness, type State } from './words';
import styles from './state.module.css';

type Props = {
  state: State;
  freshness?: Freshness;
  /** Said after the word: "2/5", "12:40 left", "since 14:02Z". */
  detail?: ReactNode;
  size?: 'small' | 'large';
};

/** Shape, word and colour together; hatched where the grammar asks for it. */
export function StateBadge({ state, freshness = 'live', detail, size = 'small' }: Props) {
  return (
    <span
      className={styles.badge}
      data-tone={stateTone(state, freshness)}
      data-hatch={stateHatch(state, freshness) || undefined}
      data-dashed={freshness === 'live' ? undefined : true}
      data-size={size}
    >
      <StateGlyph state={state} freshness={freshness} size={size === 'large' ? 18 : 14} />
      <span className={styles.word}>{stateLabel(state, freshness)}</span>
      {detail !== undefined && detail !== null && <span className={styles.detail}>{detail}</span>}
    </span>
  );
}

/** Shape and word without a ground, for table cells. */
export const StateText = memo(function StateText({
  state,
  freshness = 'live',
  detail,
}: Omit<Props, 'size'>) {
  return (
    <span className={styles.inline} data-tone={stateTone(state, freshness)}>
      <StateGlyph state={state} freshness={freshness} />
      <span className={styles.word}>{stateLabel(state, freshness)}</span>
      {detail !== undefined && detail !== null && <span className={styles.detail}>{detail}</span>}
    </span>
  );
});
