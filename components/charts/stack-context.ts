import { createContext, use } from 'react';
import type { TimeDomain } from '@/lib/series/types';
import type { Geometry } from './geometry';
import type { ChartModel } from './model';

export const CHART_IDS = ['ramp', 'latency', 'backoff', 'instances'] as const;
export type ChartId = (typeof CHART_IDS)[number];

export const isChartId = (value: string): value is ChartId =>
  CHART_IDS.some((one) => one === value);

export type Stack = {
  readonly model: ChartModel;
  readonly geometry: Geometry;
  /** Of all times that are shown. */
  readonly zone: string;
  /** Whose charts they are, for the title and the name of a file. */
  readonly subject: string;
  /** No view begins before or ends after. */
  readonly limits: TimeDomain;
  readonly tables: readonly ChartId[];
  /** A choice of its own, such as a brush. */
  readonly onZoom: (domain: TimeDomain) => void;
  /** One of many small moves: drawn at once, told once they have come to rest. */
  readonly onMove: (domain: TimeDomain) => void;
  readonly onReset: () => void;
  readonly onTables: (tables: readonly ChartId[]) => void;
};

const StackContext = createContext<Stack | null>(null);
export const StackProvider = StackContext.Provider;

export function useStack(): Stack {
  const stack = use(StackContext);
  if (stack === null) throw new Error('a chart stands inside a ChartStack');
  return stack;
}
