import { createContext, use } from 'react';
import type { TimeDomain } from '@/lib/series/types';
import type { Geometry } from './geometry';
import type { ChartModel } from './model';

export type Stack = {
  readonly model: ChartModel;
  readonly geometry: Geometry;
  readonly onZoom: (domain: TimeDomain) => void;
  readonly onReset: () => void;
};

const StackContext = createContext<Stack | null>(null);
export const StackProvider = StackContext.Provider;

export function useStack(): Stack {
  const stack = use(StackContext);
  if (stack === null) throw new Error('a chart stands inside a ChartStack');
  return stack;
}
