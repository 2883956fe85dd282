'use client';

import { Pause, Play } from 'lucide-react';
import { useEffect } from 'react';
import {
  setPaused,
  useBreakerList,
  useMissedFleet,
  usePausedAt,
  useWallNow,
} from '@/lib/client/use-live';
import { useKeys, useShortcut } from '../shortcuts/use-shortcut';
import { Button, IconButton } from '../ui/button';
import { formatAge, formatClock } from '../ui/format';
import { useZone } from '../ui/zone-context';
import { describeChanges, statesOf } from './changes-text';
import styles from './connection-banner.module.css';

/** Stops and starts everything that moves by itself. [U-31] */
export function PauseButton() {
  const paused = usePausedAt() !== null;
  const { keys, aria } = useKeys('pause');
  const toggle = () => setPaused(!paused);
  useShortcut('pause', toggle);
  useEffect(() => {
    document.documentElement.toggleAttribute('data-paused', paused);
  }, [paused]);
  const word = paused ? 'Resume live updates' : 'Pause live updates';
  return (
    <IconButton
      label={word}
      title={`${word} (${keys})`}
      aria-keyshortcuts={aria}
      aria-pressed={paused}
      onClick={toggle}
    >
      {paused ? <Play aria-hidden="true" /> : <Pause aria-hidden="true" />}
    </IconButton>
  );
}

type BannerProps = { at: number; now: number | null; news: string };

/** The banner itself, from props alone. */
export function PausedBannerView({ at, now, news }: BannerProps) {
  const zone = useZone();
  const age = now === null ? '' : ` (${formatAge(now - at)})`;
  return (
    <output className={styles.banner} data-kind="paused">
      <Pause size={16} aria-hidden="true" className={styles.icon} />
      <span className={styles.text}>
        <strong>
          Paused since {formatClock(at, zone)}
          {age}.
        </strong>{' '}
        <span>
          {news === ''
            ? 'No breaker has changed its state since. The server is still heard.'
            : `Since then: ${news}.`}
        </span>
      </span>
      <Button size="small" icon={<Play />} onClick={() => setPaused(false)}>
        Resume
      </Button>
    </output>
  );
}

/** A pause that is forgotten would be a console that lies: what was missed is counted all the while. */
export function PausedBanner() {
  const at = usePausedAt();
  const now = useWallNow();
  const shown = useBreakerList();
  const latest = useMissedFleet();
  if (at === null) return null;
  const news = describeChanges(statesOf(shown), statesOf([...latest.breakers.values()]));
  return <PausedBannerView at={at} now={now} news={news} />;
}
