import { RadioTower, SearchX, ServerOff } from 'lucide-react';
import { reconnectNow } from '@/lib/client/use-live';
import { SixLines } from '../services/six-lines';
import { Button, ButtonLink } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import styles from './empty.module.css';

export function NoAgents() {
  return (
    <div className={styles.first}>
      <EmptyState
        icon={<RadioTower size={28} aria-hidden="true" />}
        title="No service reports here yet"
        action={
          <ButtonLink kind="primary" href="/services">
            Create an agent token
          </ButtonLink>
        }
      >
        Create a token for a service, paste these lines where it starts, and its breakers appear
        here with their first call.
      </EmptyState>
      <SixLines />
    </div>
  );
}

export function NoBreakers({ instances }: { instances: number }) {
  return (
    <EmptyState
      icon={<RadioTower size={28} aria-hidden="true" />}
      title="Services are connected, none has a breaker"
      action={<ButtonLink href="/services">Look at the services</ButtonLink>}
    >
      {instances} {instances === 1 ? 'instance reports' : 'instances report'}, and none has created
      a breaker. It appears here when the service guards its first call.
    </EmptyState>
  );
}

export function NothingMatches({ total, onClear }: { total: number; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={28} aria-hidden="true" />}
      title="The filter hides every breaker"
      action={<Button onClick={onClear}>Show all {total}</Button>}
    >
      {total} {total === 1 ? 'breaker is' : 'breakers are'} known, none matches what was asked for.
    </EmptyState>
  );
}

export function Unreachable() {
  return (
    <EmptyState
      icon={<ServerOff size={28} aria-hidden="true" />}
      title="The Recloser server does not answer"
      action={
        <Button kind="primary" onClick={reconnectNow}>
          Try again now
        </Button>
      }
    >
      Nothing has been received yet, so nothing can be shown. Breakers go on without the console.
      Check that the server runs and that this address is right.
    </EmptyState>
  );
}
