import { Circle, CircleCheck, RadioTower, SearchX, ServerOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { reconnectNow } from '@/lib/client/use-live';
import { SixLines } from '../services/six-lines';
import { Button, ButtonLink } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import styles from './empty.module.css';

type Step = { title: string; isDone: boolean; children: ReactNode };

function Step({ title, isDone, children }: Step) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <Icon size={18} aria-hidden="true" className={styles.mark} />
      <div className={styles.stepBody}>
        <h3>
          {title}
          {isDone && <span className="visually-hidden">, done</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** From nothing to the first breaker on one screen; each step ticks itself off. */
type FirstProps = { hasToken?: boolean; simulator?: ReactNode };

export function NoAgents({ hasToken = false, simulator }: FirstProps) {
  return (
    <div className={styles.first}>
      <header>
        <h2>No service reports here yet</h2>
        <p className={styles.lead}>Three steps to the first breaker. This page notices each.</p>
      </header>
      <ol className={styles.steps}>
        <Step title="Create an agent token" isDone={hasToken}>
          <p>It says which service may report, and is shown once.</p>
          <ButtonLink kind={hasToken ? 'secondary' : 'primary'} href="/services">
            {hasToken ? 'Look at the tokens' : 'Create an agent token'}
          </ButtonLink>
        </Step>
        <Step title="Paste these lines where the service starts" isDone={false}>
          <SixLines />
        </Step>
        <Step title="See the first call" isDone={false}>
          <p>
            The breaker appears here with its first call. Nothing yet? The service says in its log
            why it could not connect.
          </p>
        </Step>
      </ol>
      <div className={styles.looking}>
        <p className={styles.hint}>
          Only looking? The simulator shows every state of a breaker with a small pretend fleet. It
          is marked wherever it appears, and one click removes it with all its data.
        </p>
        {simulator}
      </div>
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
