'use client';

import { FlaskConical } from 'lucide-react';
import { useMemo } from 'react';
import { useSimulatorQuery } from '@/lib/client/simulator';
import { isSimulated } from '@/lib/protocol/simulated';
import type { BreakerView } from '@/lib/protocol/views';
import { formatCount } from '../ui/format';
import { Time } from '../ui/time';
import { RemoveSimulator, StartSimulator, useMaySimulate } from './simulator-actions';
import styles from './simulator.module.css';

function Running() {
  const { data } = useSimulatorQuery();
  if (data?.state === 'stopped') return 'The simulator has stopped.';
  if (data === undefined || data.endsAt === null) return null;
  return (
    <>
      It stops by itself at <Time at={data.endsAt} show="clock" />.
    </>
  );
}

function Actions() {
  const { data } = useSimulatorQuery();
  if (!useMaySimulate()) return null;
  return (
    <span className={styles.actions}>
      {data?.state === 'stopped' && <StartSimulator again />}
      <RemoveSimulator />
    </span>
  );
}

/** Above a fleet in which something is made up: how much, how long, and the way out. */
export function SimulatorBar({ list }: { list: readonly BreakerView[] }) {
  const simulated = useMemo(() => list.filter(isSimulated).length, [list]);
  if (simulated === 0) return null;
  const isAll = simulated === list.length;
  return (
    <aside className={styles.bar} aria-label="Simulator">
      <FlaskConical size={15} aria-hidden="true" />
      <p className={styles.text}>
        <b>{isAll ? 'Everything here is simulated.' : `${formatCount(simulated)} simulated.`}</b>{' '}
        {isAll
          ? 'No real service is behind it.'
          : 'The figures above leave them out; they stand below the real ones.'}{' '}
        <Running />
      </p>
      <Actions />
    </aside>
  );
}
