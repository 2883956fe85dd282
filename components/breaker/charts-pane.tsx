'use client';

import { LazyChartStack } from '@/components/charts/lazy-stack';
import type { ChartStackProps } from '@/components/charts/chart-stack';
import type { ChartInput } from '@/components/charts/model';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { errorText } from '@/lib/client/api-error';
import type { useSeries } from '@/lib/client/queries';
import styles from './charts-pane.module.css';

type Props = {
  input: ChartInput | null;
  query: Pick<ReturnType<typeof useSeries>, 'error' | 'isError' | 'isPlaceholderData' | 'refetch'>;
} & Omit<ChartStackProps, 'input'>;

/** The charts, or why there are none. */
export function ChartsPane({ input, query, ...stack }: Props) {
  const problem = query.isError && (
    <Callout
      tone="warning"
      title={input === null ? 'The history could not be read' : 'Not up to date'}
      action={
        <Button size="small" onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {errorText(query.error)}
    </Callout>
  );
  if (input === null) {
    return (
      <div className={styles.placeholder} aria-busy={!query.isError}>
        {problem || 'Loading history'}
      </div>
    );
  }
  return (
    <>
      {problem}
      <LazyChartStack {...stack} input={input} stale={stack.stale === true || query.isError} />
    </>
  );
}
