/**
 * When patches go out. Ten frames a second: figures wait for their neighbours, and so does a state
 * that follows closely on another one. Overrides are what a person waits for and never wait.
 */
import { mergePatches } from '@/lib/live';
import type { LivePatch } from '@/lib/protocol/live-frames';
import type { Clock } from '../../services/contract';
import { FRAME_EVERY_MS } from './limits';

export type Pace = {
  readonly take: (patch: LivePatch) => void;
  /** Sends what is held back, if anything. */
  readonly flush: () => void;
  /** The first revision that is held back; null when none is. */
  readonly heldFrom: () => number | null;
};

const changesState = (patch: LivePatch): boolean =>
  patch.removedBreakers !== undefined ||
  (patch.breakers ?? []).some(({ state }) => state !== undefined);

export function createPace(
  clock: Pick<Clock, 'mono' | 'after'>,
  send: (patch: LivePatch) => void,
): Pace {
  let held: [LivePatch, ...LivePatch[]] | null = null;
  let timer: { cancel(): void } | null = null;
  let timerDue = Infinity;
  let sentMono = -Infinity;
  let stateSentMono = -Infinity;

  function flush(): void {
    timer?.cancel();
    timer = null;
    timerDue = Infinity;
    if (held === null) return;
    const patch = mergePatches(held);
    held = null;
    sentMono = clock.mono();
    if (changesState(patch)) stateSentMono = sentMono;
    send(patch);
  }

  return {
    take(patch) {
      if (held === null) held = [patch];
      else held.push(patch);
      const since = changesState(patch) ? stateSentMono : sentMono;
      const due = patch.overrides === undefined ? since + FRAME_EVERY_MS : -Infinity;
      const now = clock.mono();
      if (due <= now) {
        flush();
      } else if (due < timerDue) {
        timer?.cancel();
        timerDue = due;
        timer = clock.after(due - now, flush);
      }
    },
    flush,
    heldFrom: () => held?.[0].fromRevision ?? null,
  };
}
