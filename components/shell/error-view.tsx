'use client';

import { Button, ButtonLink } from '../ui/button';
import { EmptyState } from '../ui/empty-state';

/** A page that broke; the breakers themselves do not care, and the words say so. */
export function ErrorView({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <EmptyState
      title="This page could not be drawn"
      action={
        <>
          <Button kind="primary" onClick={onRetry}>
            Try again
          </Button>
          <ButtonLink href="/">Open the fleet</ButtonLink>
        </>
      }
    >
      The console met an error of its own: {error.message || 'no message'}. Breakers and overrides
      are not affected.
    </EmptyState>
  );
}
