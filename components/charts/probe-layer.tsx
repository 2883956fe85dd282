import { useXAxisScale, useYAxisScale, ZIndexLayer } from 'recharts';
import type { ProbeMark, ProbeShape } from '@/lib/series/probes';
import { probeShapes } from '@/lib/series/probes';
import styles from './layers.module.css';

const R = 3;

/** Circle, cross or triangle about a point, as one path command. */
const DRAW: Record<ProbeShape, (x: number, y: number) => string> = {
  success: (x, y) => `M${x - R + 0.5} ${y}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`,
  failure: (x, y) => `M${x - R} ${y - R}L${x + R} ${y + R}M${x + R} ${y - R}L${x - R} ${y + R}`,
  timeout: (x, y) => `M${x} ${y - R - 1}L${x + R + 1} ${y + R}L${x - R - 1} ${y + R}Z`,
};

const round = (value: number) => Math.round(value * 10) / 10;

/** All probes in three paths, one a shape: a thousand marks cost three elements. */
export function ProbeLayer({ marks, axis }: { marks: readonly ProbeMark[]; axis: string }) {
  const toX = useXAxisScale();
  const toY = useYAxisScale(axis);
  if (!toX || !toY) return null;
  const path = (shape: ProbeShape) =>
    marks
      .filter((mark) => mark.shape === shape)
      .map((mark) => DRAW[shape](round(toX(mark.at) ?? 0), round(toY(mark.drawnMs) ?? 0)))
      .join('');
  return (
    <ZIndexLayer zIndex={600}>
      {probeShapes.map((shape) => (
        <path key={shape} d={path(shape)} className={styles[shape]} />
      ))}
    </ZIndexLayer>
  );
}
