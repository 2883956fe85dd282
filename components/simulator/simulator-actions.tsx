'use client';

import { FlaskConical, Trash2 } from 'lucide-react';
import { errorText } from '@/lib/client/api-error';
import { useMe } from '@/lib/client/people-queries';
import { useRemoveSimulator, useStartSimulator } from '@/lib/client/simulator';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import { allowsPerson } from '../override/allowed';
import { Button } from '../ui/button';
import styles from './simulator.module.css';

/** Whether this person may start and remove it. */
export function useMaySimulate(): boolean {
  const { data: me } = useMe();
  return allowsPerson(me ?? null, 'simulator.manage', {
    environment: SIMULATED_ENVIRONMENT,
    service: '*',
  });
}

function Failure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <span role="alert" className={styles.failure}>
      {errorText(error)}
    </span>
  );
}

export function StartSimulator({ again = false }: { again?: boolean }) {
  const start = useStartSimulator();
  return (
    <>
      <Button
        icon={<FlaskConical />}
        disabled={start.isPending}
        onClick={() => start.mutate(undefined)}
      >
        {again ? 'Start it again' : 'Start the simulator'}
      </Button>
      <Failure error={start.error} />
    </>
  );
}

/** One click: nothing of it is worth asking twice, and it can be started again. */
export function RemoveSimulator({ size }: { size?: 'small' }) {
  const remove = useRemoveSimulator();
  return (
    <>
      <Button
        {...(size === undefined ? {} : { size })}
        icon={<Trash2 />}
        disabled={remove.isPending}
        onClick={() => remove.mutate(undefined)}
      >
        {remove.isPending ? 'Removing' : 'Remove the simulator'}
      </Button>
      <Failure error={remove.error} />
    </>
  );
}
