'use client';

import { useSimulatorQuery } from '@/lib/client/simulator';
import type { SimulatorBody } from '@/lib/protocol/simulation';
import { Page, Section } from '../shell/page';
import { ButtonLink } from '../ui/button';
import { QueryState } from '../ui/query-state';
import { Time } from '../ui/time';
import { RemoveSimulator, StartSimulator, useMaySimulate } from './simulator-actions';
import { SimulatedMark } from './simulated-mark';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import styles from './simulator.module.css';

const TITLES = { absent: 'Not running', running: 'Running', stopped: 'Stopped' } as const;

function Now({ state, endsAt, breakers }: SimulatorBody) {
  if (state === 'absent') return 'Nothing of it is in this console.';
  if (state === 'running' && endsAt !== null) {
    return (
      <>
        {breakers === 0 ? 'Its services are connecting.' : `${breakers} simulated breakers report.`}{' '}
        It stops by itself at <Time at={endsAt} show="clock" />.
      </>
    );
  }
  return `${breakers} simulated breakers and their history are left; nothing reports.`;
}

function Actions({ state }: SimulatorBody) {
  if (!useMaySimulate()) {
    return <p className={styles.hint}>Only an admin of all environments starts or removes it.</p>;
  }
  return (
    <div className={styles.actions}>
      {state !== 'running' && <StartSimulator again={state === 'stopped'} />}
      {state !== 'absent' && <ButtonLink href="/?env=simulator">Look at it</ButtonLink>}
      {state !== 'absent' && <RemoveSimulator />}
    </div>
  );
}

/** [U-39] The pretend fleet of an empty console. */
export function SimulatorView() {
  const query = useSimulatorQuery();
  return (
    <Page
      title="Simulator"
      aside={<SimulatedMark environment={SIMULATED_ENVIRONMENT} />}
      description="A small pretend fleet that shows every state a breaker can be in. It is marked wherever it appears, is left out of the figures of real services, sends no notices, and removing it deletes everything but its rows in the audit."
    >
      <QueryState query={query} what="The simulator" rows={2}>
        {(body) => (
          <Section title={TITLES[body.state]}>
            <p className={styles.hint}>
              <Now {...body} />
            </p>
            <Actions {...body} />
          </Section>
        )}
      </QueryState>
    </Page>
  );
}
