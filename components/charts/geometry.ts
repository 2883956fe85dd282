/** All charts of a stack share these gutters, so that one instant is one vertical line. */
export type Geometry = {
  readonly width: number;
  readonly left: number;
  readonly right: number;
};

const COMPACT_BELOW = 560;
export const PLOT_TOP = 6;
export const AXIS_HEIGHT = 22;
export const FOOT = 5;

export function geometryFor(width: number): Geometry {
  const compact = width < COMPACT_BELOW;
  return { width, left: compact ? 44 : 52, right: compact ? 34 : 46 };
}

export function plotWidth(geometry: Geometry): number {
  return Math.max(0, geometry.width - geometry.left - geometry.right);
}

/** About one time label every 84 px; below that they touch. */
export function tickCount(geometry: Geometry): number {
  return Math.max(2, Math.floor(plotWidth(geometry) / 84));
}
