import { Lock } from 'lucide-react';
import { StateText } from '@/components/state';
import { Chip } from '@/components/ui/chip';
import { formatRate, formatShare, NONE } from '@/components/ui/format';
import { Table, Td, Th } from '@/components/ui/table';
import { Countdown, Time } from '@/components/ui/time';
import { formatAge } from '@/components/ui/format';
import type { BreakerInstanceView } from '@/lib/protocol/views';
import styles from './instance-table.module.css';

function Reported({ override }: Pick<BreakerInstanceView, 'override'>) {
  if (override === null) return <span className={styles.none}>None</span>;
  return (
    <Chip
      tone={override.kind === 'force_closed' ? 'forced' : 'open'}
      icon={<Lock size={11} aria-hidden="true" />}
    >
      {override.kind.replaceAll('_', ' ')}
      {override.endsAt !== null && (
        <>
          {' '}
          <Countdown to={override.endsAt} />
        </>
      )}
    </Chip>
  );
}

function Retry({ one }: { one: BreakerInstanceView }) {
  if (one.state !== 'open' || one.retryAt === null) return <>{NONE}</>;
  return <Countdown to={one.retryAt} past={(ms) => `eligible ${formatAge(ms)}`} />;
}

function stepText(one: BreakerInstanceView): string {
  if (one.state !== 'half_open' || one.step === null) return NONE;
  return `${one.step + 1}/${one.steps}${one.hold ? ' hold' : ''}`;
}

function Row({ one, odd }: { one: BreakerInstanceView; odd: boolean }) {
  return (
    <tr>
      <Td className={styles.name}>
        {one.instance}
        {one.host !== null && one.host !== one.instance && (
          <span className={styles.host}>{one.host}</span>
        )}
      </Td>
      <Td>
        <StateText state={one.state} freshness={one.liveness} />
      </Td>
      <Td numeric>{stepText(one)}</Td>
      <Td numeric>{formatShare(one.share)}</Td>
      <Td numeric>
        <Retry one={one} />
      </Td>
      <Td numeric>{one.inFlight}</Td>
      <Td numeric>{formatRate(one.callsPerSecond)}</Td>
      <Td numeric>{formatRate(one.refusedPerSecond)}</Td>
      <Td>
        <Reported override={one.override} />
      </Td>
      <Td className={styles.hash} title={one.configHash}>
        {one.configHash.slice(0, 8) || NONE}
        {odd && <b className={styles.odd}>differs</b>}
      </Td>
      <Td>
        <Time at={one.asOf} show="age" />
      </Td>
    </tr>
  );
}

/** What each instance says for itself; never what the console wishes. */
export function InstanceTable({ instances }: { instances: readonly BreakerInstanceView[] }) {
  const common = mostCommon(instances.map((one) => one.configHash));
  return (
    <Table className={styles.table} aria-label="Instances">
      <thead>
        <tr>
          <Th>Instance</Th>
          <Th>State</Th>
          <Th numeric>Step</Th>
          <Th numeric>Share</Th>
          <Th numeric>Next probe</Th>
          <Th numeric>In flight</Th>
          <Th numeric>Calls/s</Th>
          <Th numeric>Refused/s</Th>
          <Th>Override it reports</Th>
          <Th>Config</Th>
          <Th>As of</Th>
        </tr>
      </thead>
      <tbody>
        {instances.map((one) => (
          <Row key={one.instanceId} one={one} odd={one.configHash !== common} />
        ))}
      </tbody>
    </Table>
  );
}

function mostCommon(values: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
