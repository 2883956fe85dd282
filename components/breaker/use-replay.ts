import { useEffect, useState } from 'react';
import type { TimeDomain } from '@/lib/series/types';
import { SPEEDS, type Speed } from './replay';

/** The charts are drawn anew with each step: often enough to look alive, seldom enough to be cheap. */
const STEP_MS = 250;

type Playing = {
  readonly range: TimeDomain;
  readonly at: number;
  readonly speed: Speed;
  readonly isPlaying: boolean;
};

export type Replay = Playing & {
  readonly seek: (at: number) => void;
  readonly setSpeed: (speed: Speed) => void;
  readonly toggle: () => void;
  readonly leave: () => void;
};

const DEFAULT_SPEED: Speed = SPEEDS[2];

const same = (a: TimeDomain, b: TimeDomain): boolean => a.from === b.from && a.to === b.to;

/** One step of the player; it stops at the end of the range. */
export function stepped(playing: Playing, elapsedMs: number): Playing {
  const { range, at, speed, isPlaying } = playing;
  if (!isPlaying) return playing;
  const next = Math.min(range.to, at + elapsedMs * speed);
  return { ...playing, at: next, isPlaying: next < range.to };
}

/** From the beginning again once it is over. */
export function toggled(playing: Playing): Playing {
  const { range, at, isPlaying } = playing;
  return { ...playing, at: at >= range.to ? range.from : at, isPlaying: !isPlaying };
}

/** [U-51] Plays a range that is over. Another range, or the live view, ends it. */
export function useReplay(past: TimeDomain | null): {
  replay: Replay | null;
  start: (at: number | null) => void;
} {
  const [playing, setPlaying] = useState<Playing | null>(null);
  const shown = playing !== null && past !== null && same(playing.range, past) ? playing : null;
  const isPlaying = shown?.isPlaying ?? false;

  useEffect(() => {
    if (!isPlaying) return undefined;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      const elapsedMs = now - last;
      last = now;
      setPlaying((before) => before && stepped(before, elapsedMs));
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);

  const change = (next: (before: Playing) => Playing) =>
    setPlaying((before) => before && next(before));
  return {
    replay: shown && {
      ...shown,
      seek: (at) => change((before) => ({ ...before, at })),
      setSpeed: (speed) => change((before) => ({ ...before, speed })),
      toggle: () => change(toggled),
      leave: () => setPlaying(null),
    },
    start: (at) => {
      if (past === null) return;
      const inside = at !== null && at > past.from && at < past.to;
      setPlaying({
        range: past,
        at: inside ? at : past.from,
        speed: DEFAULT_SPEED,
        isPlaying: true,
      });
    },
  };
}
