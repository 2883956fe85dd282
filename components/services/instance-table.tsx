import type { InstanceView } from '@/lib/protocol/views';
import { Button } from '../ui/button';
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

/** Stale is a guess that time decides; offline is known: it said goodbye or was silent for minutes. */
function Since({ instance }: { instance: InstanceView }) {
  const { liveness, lastSeenAt, connected } = instance;
  if (liveness === 'offline') {
    return (
      <>
        since <Time at={lastSeenAt} show="clock" />
      </>
    );
  }
  if (liveness === 'stale') {
    return (
      <>
        may be running, heard <Time at={lastSeenAt} show="age" />
      </>
    );
  }
  return connected ? 'connected' : 'socket lost a moment ago';
}

const RANK = { live: 0, stale: 1, offline: 2 } as const;

const inOrder = (instances: readonly InstanceView[]): InstanceView[] =>
  instances.toSorted(
    (a, b) => RANK[a.liveness] - RANK[b.liveness] || a.instance.localeCompare(b.instance),
  );

type RowProps = { instance: InstanceView; onRemove: ((instance: InstanceView) => void) | null };

function InstanceRow({ instance, onRemove }: RowProps) {
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
      <Td className={styles.cell}>
        <Liveness liveness={instance.liveness} />
        <span className={styles.sub}>
          <Since instance={instance} />
        </span>
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
      {onRemove && (
        <Td>
          {instance.liveness === 'offline' && (
            <Button size="small" onClick={() => onRemove(instance)}>
              Remove<span className="visually-hidden"> {instance.instance}</span>
            </Button>
          )}
        </Td>
      )}
    </tr>
  );
}

type Props = {
  instances: readonly InstanceView[];
  /** Null for somebody who may not. */
  onRemove?: ((instance: InstanceView) => void) | null;
};

export function InstanceTable({ instances, onRemove = null }: Props) {
  const removable = instances.some((one) => one.liveness === 'offline') ? onRemove : null;
  return (
    <Table aria-label="Instances">
      <thead>
        <tr>
          <Th>Instance</Th>
          <Th>Connection</Th>
          <Th>Last heard</Th>
          <Th>Version, agent</Th>
          <Th numeric>Clock</Th>
          <Th>Lost or repeated</Th>
          <Th>Token</Th>
          <Th>Obeys</Th>
          {removable && (
            <Th>
              <span className="visually-hidden">Remove</span>
            </Th>
          )}
        </tr>
      </thead>
      <tbody>
        {inOrder(instances).map((instance) => (
          <InstanceRow key={instance.id} instance={instance} onRemove={removable} />
        ))}
      </tbody>
    </Table>
  );
}
