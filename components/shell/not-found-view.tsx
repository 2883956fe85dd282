import { ButtonLink } from '../ui/button';
import { EmptyState } from '../ui/empty-state';

export function NotFoundView() {
  return (
    <EmptyState
      title="There is no such page"
      action={<ButtonLink href="/">Open the fleet</ButtonLink>}
    >
      The address may be mistyped, or the breaker or service was archived.
    </EmptyState>
  );
}
