import { useRef, type PointerEvent } from 'react';
import { brushTo, fromRatio, panBy, spanOf } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';
import { useCursorStore } from './cursor-store';
import { useStack } from './stack-context';

/** Less than this is a click. */
const CLICK_PX = 4;

type Drag = {
  readonly kind: 'brush' | 'pan';
  readonly x: number;
  readonly at: number;
  readonly domain: TimeDomain;
};

type PlotEvent = PointerEvent<HTMLElement>;

function kindOf(event: PlotEvent): Drag['kind'] | null {
  // A finger scrolls the page; only a mouse or a pen draws a span.
  if (event.pointerType === 'touch') return null;
  if (event.button === 1 || (event.button === 0 && event.shiftKey)) return 'pan';
  return event.button === 0 ? 'brush' : null;
}

function instantUnder(event: PlotEvent, domain: TimeDomain): number {
  const box = event.currentTarget.getBoundingClientRect();
  const ratio = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
  return fromRatio(domain, ratio);
}

/**
 * Hover moves the shared cursor and a click pins it. A drag marks a span and zooms to it, with shift
 * or the middle button it moves the view.
 */
export function usePlotPointer() {
  const { model, limits, onZoom, onMove, onReset } = useStack();
  const cursor = useCursorStore();
  const drag = useRef<Drag | null>(null);
  const { domain } = model;

  const pan = (event: PlotEvent, from: Drag) => {
    const share = (from.x - event.clientX) / event.currentTarget.getBoundingClientRect().width;
    onMove(panBy(limits, from.domain, share));
  };
  const click = (event: PlotEvent, at: number) => {
    const near = (spanOf(domain) * 6) / event.currentTarget.getBoundingClientRect().width;
    const pinned = cursor.pinned();
    cursor.pin(pinned !== null && Math.abs(pinned - at) < near ? null : at);
  };
  const end = () => {
    drag.current = null;
    cursor.mark(null);
  };

  return {
    onPointerDown(event: PlotEvent) {
      const at = instantUnder(event, domain);
      cursor.hover(at);
      const kind = kindOf(event);
      if (kind === null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { kind, x: event.clientX, at, domain };
    },
    onPointerMove(event: PlotEvent) {
      const { current } = drag;
      if (current?.kind === 'pan') return pan(event, current);
      cursor.hover(instantUnder(event, domain));
      const moved = current !== null && Math.abs(event.clientX - current.x) >= CLICK_PX;
      if (moved) cursor.mark(current.at);
    },
    onPointerUp(event: PlotEvent) {
      const { current } = drag;
      end();
      const at = instantUnder(event, domain);
      if (current === null) {
        if (event.pointerType === 'touch') cursor.pin(at);
        return;
      }
      if (Math.abs(event.clientX - current.x) < CLICK_PX) return click(event, at);
      const next = current.kind === 'brush' ? brushTo(domain, current.at, at) : null;
      if (next !== null) onZoom(next);
    },
    onPointerCancel: end,
    onPointerLeave() {
      if (drag.current === null) cursor.hover(null);
    },
    onDoubleClick: onReset,
  };
}
