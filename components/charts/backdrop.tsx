import { memo } from 'react';
import { isState, stateHatch, stateTone } from '@/components/state';
import { Gap } from './gap';
import { leftOf, placed } from './percent';
import { useStack } from './stack-context';
import styles from './backdrop.module.css';

/** State bands, gaps and the edge of now, behind the lines of one chart. */
export const Backdrop = memo(function Backdrop() {
  const { model } = useStack();
  const { domain, bands, gaps, holds, now } = model;
  return (
    <>
      {bands.map((band) => {
        const place = placed(domain, band);
        if (place === null) return null;
        const known = isState(band.state);
        return (
          <div
            key={`${band.state}:${band.from}`}
            className={styles.band}
            data-export="box"
            data-tone={isState(band.state) ? stateTone(band.state) : 'unknown'}
            data-hatch={(isState(band.state) && stateHatch(band.state)) || !known || undefined}
            style={{ left: place.left, width: place.width }}
          />
        );
      })}
      {holds.map((hold) => {
        const place = placed(domain, hold);
        return place === null ? null : (
          <div
            key={`hold:${hold.instanceId}:${hold.from}`}
            className={styles.hold}
            data-export="box"
            style={{ left: place.left, width: place.width }}
          />
        );
      })}
      {gaps.map((gap) => (
        <Gap key={`gap:${gap.from}`} domain={domain} span={gap} reason={gap.reasons.join(', ')} />
      ))}
      {now > domain.from && now < domain.to && (
        <div
          className={styles.ahead}
          data-export="box"
          style={{ left: leftOf(domain, now), right: 0 }}
        />
      )}
    </>
  );
});
