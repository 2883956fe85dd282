import type { InstanceView } from '@/lib/protocol/views';
import { Chip } from '../ui/chip';
import { formatDuration, NONE } from '../ui/format';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { Liveness } from './liveness';
import styles from './services.module.css';

const CLOCK_WARNING_MS = 2_000;

const POLICY_WORDS = {
  force_open: 'force open',
  force_closed: 'force closed',
  reset: 'reset',
} as const;

function ClockOffset({ ms }: { ms: number | null }) {
  if (ms === null) return <span className={styles.muted}>{NONE}</span>;
  const text = `${ms > 0 ? '+' : ''}${Math.abs(ms) < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`}`;
  return Math.abs(ms) > CLOCK_WARNING_MS ? (
    <Chip tone="forced" title="Its clock is off; times of its events are corrected by this much">
      {text}
    </Chip>
  ) : (
    <span>{text}</span>
  );
}

function Losses({ instance }: { instance: InstanceView }) {
  const { droppedEvents, droppedSamples, duplicates } = instance;
  if (droppedEvents + droppedSamples + duplicates === 0) {
    return <span className={styles.muted}>none</span>;
  }
  const parts = [
    droppedEvents > 0 ? `${droppedEvents} events` : '',
    droppedSamples > 0 ? `${droppedSamples} samples` : '',
    duplicates > 0 ? `${duplicates} repeated` : '',
  ];
  return <span className={styles.wrong}>{parts.filter(Boolean).join(', ')}</span>;
}

function Policy({ accepts }: { accepts: InstanceView['accepts'] }) {
  if (accepts.kinds.length === 0) return <span className={styles.muted}>nothing</span>;
  return (
    <span title={`Leases up to ${formatDuration(accepts.maxLeaseMs)}`}>
      {accepts.kinds.map((kind) => POLICY_WORDS[kind]).join(', ')}
    </span>
  );
}

function InstanceRow({ instance }: { instance: InstanceView }) {
  const { host, pid } = instance;
  const place = [host, pid === null ? null : `pid ${pid}`].filter(Boolean).join(' · ');
  return (
    <tr>
      <Td className={styles.cell}>
        <span className={styles.badges}>
          <span className={styles.name}>{instance.instance}</span>
          {instance.duplicateIdentity && (
            <Chip tone="open" title="Another live process claims the same instance name">
              Claimed twice
            </Chip>
          )}
        </span>
        <span className={styles.sub}>{place === '' ? NONE : place}</span>
      </Td>
      <Td>
        <Liveness liveness={instance.liveness} />
      </Td>
      <Td>
        <Time at={instance.lastSeenAt} show="age" />
      </Td>
      <Td className={styles.cell}>
        {instance.version ?? NONE}
        <span className={styles.sub}>{instance.sdk}</span>
      </Td>
      <Td numeric>
        <ClockOffset ms={instance.clockOffsetMs} />
      </Td>
      <Td>
        <Losses instance={instance} />
      </Td>
      <Td>{instance.tokenName ?? <span className={styles.muted}>unknown</span>}</Td>
      <Td>
        <Policy accepts={instance.accepts} />
      </Td>
    </tr>
  );
}

export function InstanceTable({ instances }: { instances: readonly InstanceView[] }) {
  return (
    <Table aria-label="Instances">
      <thead>
        <tr>
          <Th>Instance</Th>
          <Th>Connection</Th>
          <Th>Last heard</Th>
          <Th>Version</Th>
          <Th numeric>Clock</Th>
          <Th>Lost or repeated</Th>
          <Th>Token</Th>
          <Th>Obeys</Th>
        </tr>
      </thead>
      <tbody>
        {instances.map((instance) => (
          <InstanceRow key={instance.id} instance={instance} />
        ))}
      </tbody>
    </Table>
  );
}
