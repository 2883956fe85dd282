import type { ReactNode } from 'react';
import { ApiError, errorText } from '@/lib/client/api-error';
import { Button } from './button';
import { Callout } from './callout';
import { SkeletonRows } from './skeleton';

type Query<T> = {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
};

type Props<T> = { query: Query<T>; what: string; rows?: number; children: (data: T) => ReactNode };

/** Loading, failed, or what was asked for; data in hand outlives a failed refresh, which is said. */
export function QueryState<T>({ query, what, rows = 4, children }: Props<T>) {
  const { data, error } = query;
  const failed = error && (
    <Callout
      tone="danger"
      role="alert"
      title={data === undefined ? `${what} could not be loaded` : `${what} could not be refreshed`}
      action={
        <Button size="small" onClick={() => void query.refetch()}>
          Try again
        </Button>
      }
    >
      {errorText(error)}
      {error instanceof ApiError && error.requestId !== null && ` Request ${error.requestId}.`}
    </Callout>
  );
  if (data === undefined) return failed || <SkeletonRows rows={rows} />;
  return (
    <>
      {failed}
      {children(data)}
    </>
  );
}
