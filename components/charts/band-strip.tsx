import { isState, StateGlyph, stateHatch, stateTone } from '@/components/state';
import { formatClock, formatDuration } from '@/components/ui/format';
import type { Band } from '@/lib/series/bands';
import { bandWord } from './band-words';
import { placed } from './percent';
import { useStack } from './stack-context';
import styles from './band-strip.module.css';

/** Below this a word does not fit and the shape stands alone. */
const WORD_PX = 78;
const GLYPH_PX = 18;

type Props = { bands: readonly Band[]; width: number };

/** States over time with shape and word: colour is never the only sign. */
export function BandStrip({ bands, width }: Props) {
  const { model, zone } = useStack();
  const { domain } = model;
  return bands.map((band) => {
    const place = placed(domain, band);
    if (place === null) return null;
    const px = place.share * width;
    return (
      <div
        key={`${band.state}:${band.from}`}
        className={styles.band}
        data-export="box"
        data-tone={isState(band.state) ? stateTone(band.state) : 'unknown'}
        data-hatch={!isState(band.state) || stateHatch(band.state) || undefined}
        style={{ left: place.left, width: place.width }}
        title={`${bandWord(band.state)} for ${formatDuration(band.to - band.from)}, from ${formatClock(band.from, zone)}`}
      >
        {px > GLYPH_PX && isState(band.state) && <StateGlyph state={band.state} size={12} />}
        {px > WORD_PX && (
          <span className={styles.word} data-export="text">
            {bandWord(band.state)}
          </span>
        )}
      </div>
    );
  });
}
