import { LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, errorText } from '@/lib/client/api-error';
import { Button, ButtonLink } from './button';
import { Callout } from './callout';
import { EmptyState } from './empty-state';
import { SkeletonRows } from './skeleton';

type Query<T> = {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
};

type Props<T> = {
  query: Query<T>;
  what: string;
  rows?: number;
  /** In place of an error when the server knows no such thing. */
  missing?: ReactNode;
  children: (data: T) => ReactNode;
};

function isRefused(error: Error | null, code: ApiError['code']): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** Not an error of anybody: another role is what it takes, and an admin can give it. */
function NotAllowed({ what, error }: { what: string; error: ApiError }) {
  return (
    <EmptyState
      icon={<LockKeyhole size={28} aria-hidden="true" />}
      title={`${what}: your role does not cover this`}
      action={<ButtonLink href="/settings/profile">See your roles</ButtonLink>}
    >
      {error.message} An admin can give you a role that does; nothing here is broken.
    </EmptyState>
  );
}

/** Loading, failed, or what was asked for; data in hand outlives a failed refresh, which is said. */
export function QueryState<T>({ query, what, rows = 4, missing, children }: Props<T>) {
  const { data, error } = query;
  if (data === undefined && isRefused(error, 'not_allowed')) {
    return <NotAllowed what={what} error={error} />;
  }
  if (data === undefined && missing !== undefined && isRefused(error, 'not_found')) return missing;
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
