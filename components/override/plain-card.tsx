import { SimulatedMark } from '@/components/simulator/simulated-mark';
import { Chip } from '@/components/ui/chip';
import { formatDuration } from '@/components/ui/format';
import { Countdown, Time } from '@/components/ui/time';
import type { CommandView } from '@/lib/protocol/command-views';
import { useServiceOf } from '@/lib/client/use-live';
import { placesOf } from './allowed';
import { TakeBack } from './approval-card';
import { KINDS } from './kinds';
import { ScopeName } from './scope-name';
import { breakersOf } from './waiting-notice';
import styles from './commands.module.css';

const ENDED: Partial<Record<CommandView['status'], string>> = {
  denied: 'Denied',
  cancelled: 'Taken back',
  expired: 'Expired: nobody approved it in time',
  failed: 'Not started',
};

/** A command that no instance has heard of: planned, or over before it began. */
export function PlainCard({ command }: { command: CommandView }) {
  const { kind, status, startAt, leaseMs } = command;
  const serviceOf = useServiceOf(breakersOf([command]));
  const scheduled = status === 'scheduled';
  return (
    <article id={command.id} className={styles.card}>
      <div className={styles.head}>
        <Chip tone={KINDS[kind].tone}>{KINDS[kind].name}</Chip>
        <b className={styles.name}>
          <ScopeName command={command} />
        </b>
        <span className={styles.where}>in {command.environment}</span>
        <SimulatedMark environment={command.environment} />
        <span className={styles.end}>
          {scheduled && startAt !== null && (
            <>
              starts <Time at={startAt} show="instant" />, in <Countdown to={startAt} />
            </>
          )}
          {!scheduled && (
            <>
              {ENDED[status] ?? status}
              {command.statusBy !== null && ` by ${command.statusBy}`}
            </>
          )}
        </span>
      </div>
      <p className={styles.why}>
        “{command.reason}” <b>{command.actor}</b> <Time at={command.createdAt} />
        {scheduled && kind !== 'reset' && <span>for {formatDuration(leaseMs)}</span>}
        {!scheduled && command.statusReason !== null && <span>{command.statusReason}</span>}
      </p>
      {scheduled && <TakeBack id={command.id} places={placesOf(command, serviceOf)} />}
    </article>
  );
}
