import { History, Pause, Play, X } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { formatInstant } from '@/components/ui/format';
import { Segmented } from '@/components/ui/segmented';
import { useZone } from '@/components/ui/zone-context';
import { SPEEDS } from './replay';
import styles from './replay-bar.module.css';
import type { Replay } from './use-replay';

const STEP_MS = 1_000;
const SPEED_OPTIONS = SPEEDS.map((speed) => ({
  value: String(speed),
  label: `${speed}×`,
  name: `${speed} seconds a second`,
}));

/** Nobody takes a replay for the present: it says so for as long as it lasts, in words. */
export function ReplayBar({ replay }: { replay: Replay }) {
  const zone = useZone();
  const { range, at, speed, isPlaying, seek, setSpeed, toggle, leave } = replay;
  return (
    <section className={styles.bar} aria-label="Replay">
      <Chip tone="accent" icon={<History size={11} aria-hidden="true" />}>
        Replay
      </Chip>
      <time className={styles.at}>{formatInstant(at, zone)}</time>
      <Button size="small" icon={isPlaying ? <Pause /> : <Play />} onClick={toggle}>
        {isPlaying ? 'Hold' : 'Play'}
      </Button>
      <Segmented
        label="Speed of the replay"
        value={String(speed)}
        options={SPEED_OPTIONS}
        onValue={(value) => setSpeed(SPEEDS.find((one) => String(one) === value) ?? speed)}
      />
      <input
        type="range"
        className={styles.scrub}
        aria-label="Moment of the replay"
        aria-valuetext={formatInstant(at, zone)}
        min={range.from}
        max={range.to}
        step={STEP_MS}
        value={at}
        onChange={(event) => seek(Number(event.target.value))}
      />
      <span className={styles.note}>State, figures and charts are of then; actions are off.</span>
      <Button size="small" icon={<X />} onClick={leave}>
        Leave the replay
      </Button>
    </section>
  );
}
