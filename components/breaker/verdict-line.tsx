import { CircleCheck, CircleDashed, CircleOff, PauseCircle, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatLatency } from '@/components/ui/format';
import { Time } from '@/components/ui/time';
import { LEAST_ANSWERS, type Verdict } from '@/lib/series/verdict';
import { holdCause, latencyWords, plural } from './words';
import styles from './verdict-line.module.css';

type Look = { readonly word: string; readonly icon: ReactNode };

const icon = { size: 14, 'aria-hidden': true } as const;
/** [U-04] Each has its own shape and word; "undecided" is not a pale "within". */
const LOOKS: Record<Verdict['kind'], Look> = {
  off: { word: 'Not judged', icon: <CircleOff {...icon} /> },
  undecided: { word: 'Undecided', icon: <CircleDashed {...icon} /> },
  no_baseline: { word: 'Nothing to compare with', icon: <CircleOff {...icon} /> },
  within: { word: 'Within bounds', icon: <CircleCheck {...icon} /> },
  released: { word: 'Hold released', icon: <CircleCheck {...icon} /> },
  above: { word: 'Above the hold line', icon: <TriangleAlert {...icon} /> },
  held: { word: 'Held', icon: <PauseCircle {...icon} /> },
};

/** The numbers under a verdict: which quantile of how many, against what. */
export function verdictWords(verdict: Verdict): string {
  const { kind, samples, valueMs, limitMs, cause } = verdict;
  if (kind === 'off') return 'holds by latency are switched off for this breaker';
  if (kind === 'undecided') {
    return `${plural(samples, 'answer')} in this step, a P50 needs ${LEAST_ANSWERS}; it neither advances nor falls back by latency`;
  }
  if (valueMs === null) return holdCause(cause ?? 'latency');
  const basis = latencyWords(verdict, verdict.baselineMs);
  return limitMs === null ? basis : `${basis}, holds above ${formatLatency(limitMs)}`;
}

/** What the latency verdict of the step rests on. */
export function VerdictLine({ verdict }: { verdict: Verdict }) {
  const { word, icon: sign } = LOOKS[verdict.kind];
  return (
    <p className={styles.line} data-kind={verdict.kind}>
      <span className={styles.chip}>
        {sign}
        {word}
      </span>
      <span className={styles.basis}>
        <b>Latency verdict</b> {verdictWords(verdict)}
      </span>
      {verdict.since !== null && (
        <span className={styles.since}>
          since <Time at={verdict.since} show="clock" />
        </span>
      )}
    </p>
  );
}
