import { isState, StateGlyph, stateHatch, stateTone, stateWord } from '@/components/state';
import { formatClock, formatDuration } from '@/components/ui/format';
import { placed } from './percent';
import { useStack } from './stack-context';
import { Scrubber } from './time-cursor';
import { useWidth } from './use-width';
import styles from './ribbon.module.css';

/** Below this a word does not fit and the shape stands alone. */
const WORD_PX = 78;
const GLYPH_PX = 18;

function nameOf(state: string): string {
  return isState(state) ? stateWord(state) : 'Unknown';
}

/** The states as one strip with shape and word: colour is never the only sign. */
export function Ribbon() {
  const { model, geometry } = useStack();
  const [ref, width] = useWidth<HTMLDivElement>();
  const { domain, bands } = model;
  return (
    <div
      className={styles.row}
      style={{ paddingLeft: geometry.left, paddingRight: geometry.right }}
    >
      <div ref={ref} className={styles.strip}>
        {bands.map((band) => {
          const place = placed(domain, band);
          if (place === null) return null;
          const px = place.share * width;
          return (
            <div
              key={`${band.state}:${band.from}`}
              className={styles.band}
              data-tone={isState(band.state) ? stateTone(band.state) : 'unknown'}
              data-hatch={!isState(band.state) || stateHatch(band.state) || undefined}
              style={{ left: place.left, width: place.width }}
              title={`${nameOf(band.state)} for ${formatDuration(band.to - band.from)}, from ${formatClock(band.from)}`}
            >
              {px > GLYPH_PX && isState(band.state) && <StateGlyph state={band.state} size={12} />}
              {px > WORD_PX && <span className={styles.word}>{nameOf(band.state)}</span>}
            </div>
          );
        })}
        <Scrubber />
      </div>
    </div>
  );
}
