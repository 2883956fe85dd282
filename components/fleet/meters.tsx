import { memo } from 'react';
import { formatLatency, formatShare } from '../ui/format';
import { cx } from '../ui/cx';
import styles from './meters.module.css';

type RampProps = { step: number; steps: number; share: number; hold: boolean };

/** One block a step; `step` counts from zero. The words carry the same facts. */
export const RampMeter = memo(function RampMeter({ step, steps, share, hold }: RampProps) {
  return (
    <span className={styles.ramp} title={hold ? 'Held: latency is too high to go on' : undefined}>
      <span className={styles.blocks} aria-hidden="true">
        {Array.from({ length: steps }, (_, index) => (
          <i key={index} data-on={index < step ? 'past' : index === step ? 'now' : undefined} />
        ))}
      </span>
      <span className={styles.rampText}>
        {step + 1}/{steps} · {formatShare(share)}
        {hold && <b> hold</b>}
      </span>
    </span>
  );
});

type ShareProps = { share: number | null; threshold: number | null };

/** Failure share on a fixed 0 to 100 % track, with a tick where it trips. */
export const FailureBar = memo(function FailureBar({ share, threshold }: ShareProps) {
  const over = share !== null && threshold !== null && share >= threshold;
  const trips = threshold === null ? '' : `, trips at ${formatShare(threshold)}`;
  return (
    <span className={styles.failure} title={`Failures ${formatShare(share)}${trips}`}>
      <span className={cx(styles.number, over && styles.over)}>{formatShare(share)}</span>
      <svg
        className={styles.track}
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect y="3" width="100" height="4" className={styles.trackGround} />
        {share !== null && (
          <rect
            y="3"
            width={Math.max(share * 100, share > 0 ? 2 : 0)}
            height="4"
            className={styles.trackFill}
          />
        )}
        {threshold !== null && (
          <rect x={Math.min(98, threshold * 100)} width="2" height="10" className={styles.tick} />
        )}
      </svg>
    </span>
  );
});

const NOTABLE_RATIO = 1.5;

/** p95 now and how many times the learned baseline that is. */
export const LatencyAgainst = memo(function LatencyAgainst({
  p95,
  baseline,
}: {
  p95: number | null;
  baseline: number | null;
}) {
  const ratio = p95 === null || baseline === null || baseline <= 0 ? null : p95 / baseline;
  return (
    <span
      className={styles.latency}
      title={`p95 ${formatLatency(p95)}, baseline ${formatLatency(baseline)}`}
    >
      <span className={cx(p95 === null && styles.none)}>{formatLatency(p95)}</span>
      <span className={cx(styles.ratio, ratio !== null && ratio >= NOTABLE_RATIO && styles.slow)}>
        {ratio === null ? '' : `×${ratio < 10 ? ratio.toFixed(1) : Math.round(ratio)}`}
      </span>
    </span>
  );
});
