'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { changeAddress } from '@/lib/client/address';
import type { Connection } from '@/lib/client/connection';
import { leaveScreen } from '@/lib/client/screen';
import { summarize, type FleetSummary } from '@/lib/client/summary';
import { useBreakerList, useConnection, useWallNow } from '@/lib/client/use-live';
import { countable } from '@/lib/protocol/simulated';
import type { BreakerView } from '@/lib/protocol/views';
import { usePageTitle } from '../shell/page-title';
import { StateGlyph } from '../state';
import { Button } from '../ui/button';
import { formatAge, formatClock, formatCount, formatRate } from '../ui/format';
import { Segmented } from '../ui/segmented';
import { useZone } from '../ui/zone-context';
import { pageAt, readWall, ROTATIONS_S, shiftAt, troubleOf } from './wall-model';
import { WallRow } from './wall-row';
import styles from './wall.module.css';

/** Of the row in the style sheet, as a share of the unit. */
const ROW_UNITS = 8.4;
const ORDER_EVERY_MS = 5_000;

type Figure = { label: string; value: string; tone?: string | undefined; glyph?: React.ReactNode };

const tone = (count: number, name: string) => (count > 0 ? name : undefined);

function figuresOf(summary: FleetSummary): Figure[] {
  const { open, recovering, forced, stale, refusedPerSecond } = summary;
  return [
    {
      label: 'Open',
      value: formatCount(open),
      tone: tone(open, 'open'),
      glyph: <StateGlyph state="open" size={30} />,
    },
    {
      label: 'Recovering',
      value: formatCount(recovering),
      tone: tone(recovering, 'half'),
      glyph: <StateGlyph state="half_open" size={30} />,
    },
    {
      label: 'Forced',
      value: formatCount(forced),
      tone: tone(forced, 'forced'),
      glyph: <StateGlyph state="forced_closed" size={30} />,
    },
    {
      label: 'Stale',
      value: formatCount(stale),
      glyph: <StateGlyph state="closed" freshness="stale" size={30} />,
    },
    {
      label: 'Refused/s',
      value: formatRate(refusedPerSecond),
      tone: tone(refusedPerSecond, 'open'),
    },
  ];
}

function Figures({ summary }: { summary: FleetSummary }) {
  return (
    <dl className={styles.figures}>
      {figuresOf(summary).map(({ label, value, tone, glyph }) => (
        <div key={label} className={styles.figure} data-tone={tone}>
          <dt>
            {glyph}
            {label}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Loud on purpose: a wall that shows old news as if it were new is worse than a dark one. */
function Lost({ connection, now }: { connection: Connection; now: number | null }) {
  const zone = useZone();
  if (connection.status !== 'stale' && connection.status !== 'offline') return null;
  const { since } = connection;
  return (
    <div className={styles.lost} role="alert">
      <strong>NOT LIVE</strong>
      <span>
        {since === null || now === null
          ? 'The server does not answer.'
          : `No word since ${formatClock(since, zone)}, ${formatAge(now - since)} ago. What you see is old.`}
      </span>
    </div>
  );
}

function Clock({ list, now }: { list: readonly BreakerView[]; now: number | null }) {
  const zone = useZone();
  const last = useMemo(() => list.reduce((latest, { asOf }) => Math.max(latest, asOf), 0), [list]);
  return (
    <div className={styles.clock}>
      <time className={styles.time}>{now === null ? '--:--:--' : formatClock(now, zone)}</time>
      <span className={styles.update}>
        {last === 0 || now === null
          ? 'No report yet'
          : `Last update ${formatClock(last, zone)}, ${formatAge(now - last)} ago`}
      </span>
    </div>
  );
}

/** How many rows fit; measured, as a wall may be any screen. */
function useCapacity() {
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const [capacity, setCapacity] = useState(8);
  useEffect(() => {
    if (frame === null) return undefined;
    const observer = new ResizeObserver(() => {
      const unit = Number.parseFloat(getComputedStyle(frame).getPropertyValue('font-size')) || 10;
      setCapacity(Math.max(1, Math.floor(frame.clientHeight / (unit * ROW_UNITS))));
    });
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame]);
  return { setFrame, capacity };
}

/** Silence is not health: a wall over nothing says that it sees nothing. */
export function Calm({ breakers, live }: { breakers: number; live: boolean }) {
  if (breakers === 0) return <p className={styles.calm}>No breaker reports here</p>;
  return (
    <p className={styles.calm}>
      <StateGlyph state="closed" size={120} />
      {live ? 'All quiet' : 'Was quiet'}: {formatCount(breakers)}{' '}
      {breakers === 1 ? 'breaker' : 'breakers'}
    </p>
  );
}

function Trouble({
  list,
  now,
  rotateS,
  live,
}: {
  list: readonly BreakerView[];
  now: number;
  rotateS: number | null;
  live: boolean;
}) {
  const { setFrame, capacity } = useCapacity();
  const step = Math.floor(now / ORDER_EVERY_MS) * ORDER_EVERY_MS;
  const ids = useMemo(() => troubleOf(list, step), [list, step]);
  const page = pageAt(ids, { capacity, rotateS, now });
  return (
    <section ref={setFrame} className={styles.trouble} aria-label="What needs attention">
      {ids.length === 0 ? (
        <Calm breakers={list.length} live={live} />
      ) : (
        <ol className={styles.rows}>
          {page.ids.map((id) => (
            <WallRow key={id} id={id} />
          ))}
        </ol>
      )}
      {page.others > 0 && (
        <p className={styles.more}>
          {rotateS === null
            ? `and ${formatCount(page.others)} more`
            : `page ${page.page + 1} of ${page.pages}`}
        </p>
      )}
    </section>
  );
}

const ROTATION_OPTIONS = [
  { value: 'off', label: 'Stay on the worst' },
  ...ROTATIONS_S.map((seconds) => ({ value: String(seconds), label: `Turn every ${seconds} s` })),
];

function Controls({ rotateS, isScreen }: { rotateS: number | null; isScreen: boolean }) {
  const leave = useMutation({
    mutationFn: leaveScreen,
    onSuccess: () => window.location.reload(),
  });
  return (
    <div className={styles.controls}>
      {isScreen ? (
        <Button size="small" busy={leave.isPending} onClick={() => leave.mutate()}>
          Forget this screen
        </Button>
      ) : (
        <Link href="/">Back to the fleet</Link>
      )}
      <Segmented
        label="Pages"
        value={rotateS === null ? 'off' : String(rotateS)}
        options={ROTATION_OPTIONS}
        onValue={(value) => changeAddress({ rotate: value === 'off' ? null : value })}
      />
    </div>
  );
}

/**
 * For a screen on the wall: few words, all of them big; calm when all is well, loud when blind.
 * `isScreen`: nobody is signed in here.
 */
export function WallView({ isScreen = false }: { isScreen?: boolean }) {
  usePageTitle('Wall');
  const all = useBreakerList();
  const query = useSearchParams().toString();
  const { environment, rotateS } = useMemo(() => readWall(new URLSearchParams(query)), [query]);
  const list = useMemo(
    () =>
      environment === null ? countable(all) : all.filter((row) => row.environment === environment),
    [all, environment],
  );
  const connection = useConnection();
  const now = useWallNow();
  const { x, y } = shiftAt(now ?? 0);
  const { status } = connection;
  return (
    <div className={styles.wall} data-theme="wall" data-connection={status}>
      <div className={styles.shift} style={{ transform: `translate(${x}px, ${y}px)` }}>
        <Lost connection={connection} now={now} />
        <header className={styles.header}>
          <h1 className={styles.title}>
            Recloser <span className={styles.environment}>{environment ?? 'all environments'}</span>
          </h1>
          <Clock list={list} now={now} />
        </header>
        {status !== 'connecting' && <Figures summary={summarize(list)} />}
        {status === 'connecting' ? (
          <p className={styles.calm}>Connecting</p>
        ) : (
          <Trouble list={list} now={now ?? 0} rotateS={rotateS} live={status === 'live'} />
        )}
        <Controls rotateS={rotateS} isScreen={isScreen} />
      </div>
    </div>
  );
}
