import { useEffect, type RefObject } from 'react';
import { fromRatio, panBy, zoomAbout } from '@/lib/series/domain';
import { wheelFactor } from '@/lib/series/moves';
import { plotWidth } from './geometry';
import type { Stack } from './stack-context';

/** Ctrl or Cmd with the wheel, and a pinch, which browsers report as that. */
const isZoom = (event: WheelEvent) => event.ctrlKey || event.metaKey;

function sideways(event: WheelEvent): number {
  if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) return event.deltaX;
  return event.shiftKey ? event.deltaY : 0;
}

/** Zooms and moves by wheel over a plot. A wheel on its own scrolls the page, as everywhere. */
export function useWheel(ref: RefObject<HTMLElement | null>, stack: Stack): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const { model, geometry, limits, onMove } = stack;
    const turn = (event: WheelEvent) => {
      const plot = event.target instanceof Element ? event.target.closest('[data-plot]') : null;
      if (plot === null) return;
      const shift = sideways(event);
      if (!isZoom(event) && shift === 0) return;
      // Without this the browser would zoom the page, or go back.
      event.preventDefault();
      if (!isZoom(event)) {
        onMove(panBy(limits, model.domain, shift / Math.max(1, plotWidth(geometry))));
        return;
      }
      const box = plot.getBoundingClientRect();
      const ratio = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
      const at = fromRatio(model.domain, ratio);
      onMove(zoomAbout(limits, model.domain, at, wheelFactor(event.deltaY)));
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [ref, stack]);
}
