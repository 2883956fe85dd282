'use client';

import { SimulatedMark } from '@/components/simulator/simulated-mark';
import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button, IconButton } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { formatDuration } from '@/components/ui/format';
import { Countdown, Time } from '@/components/ui/time';
import { useMe } from '@/lib/client/people-queries';
import type { ReleaseView } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';
import { allowsPerson } from './allowed';
import { namesOf, type Group } from './command-words';
import { Gradual, GradualDialog } from './gradual';
import { isActive, KINDS } from './kinds';
import { LeaseDialog } from './lease-dialog';
import { GroupProgress } from './progress';
import { endText, groupProgressText } from './progress-words';
import { ReturnButton, ReturnCommandButton } from './return-button';
import { OVERRIDE_ATTRIBUTE } from './return-key';
import { scopeWords } from './scope';
import { useLinked } from './approval-card';
import styles from './commands.module.css';

function End({ overrides }: { overrides: readonly OverrideView[] }) {
  const running = overrides.filter((one) => one.endedAt === null);
  const [first] = overrides;
  if (first === undefined) return null;
  if (running.length === 0) {
    return (
      <>
        {endText(first)} after {formatDuration((first.endedAt ?? 0) - first.createdAt)}
      </>
    );
  }
  if (first.kind === 'reset') return <>being delivered</>;
  return (
    <>
      ends in <Countdown to={Math.min(...running.map(({ endsAt }) => endsAt))} />
    </>
  );
}

function Title({ group }: { group: Group }) {
  const { command, overrides } = group;
  const [first] = overrides;
  if (first === undefined) return null;
  const text = command === null ? first.breaker : scopeWords(command.scope, namesOf(overrides));
  if (overrides.length > 1) return <b className={styles.name}>{text}</b>;
  return (
    <Link href={`/breakers/${encodeURIComponent(first.breakerId)}`} className={styles.name}>
      {text}
    </Link>
  );
}

/** Change of the lease, gradual return, return at once; nothing of it once all has ended. */
function Handles({ group, release }: { group: Group; release: ReleaseView | null }) {
  const [open, setOpen] = useState<'lease' | 'gradual' | null>(null);
  const { data: me } = useMe();
  const { command, overrides } = group;
  const active = overrides.filter(isActive);
  const [first] = active;
  if (first === undefined) return null;
  const about = command === null ? first.breaker : scopeWords(command.scope, namesOf(overrides));
  const { commandId } = first;
  if (commandId === null) {
    return <ReturnButton overrideId={first.id} size="small" about={about} places={active} />;
  }
  const may = (action: 'override.change' | 'override.release') =>
    me === undefined || allowsPerson(me, action, ...active);
  const close = () => setOpen(null);
  return (
    <>
      {may('override.change') && (
        <Button size="small" onClick={() => setOpen('lease')}>
          Change lease
        </Button>
      )}
      {release === null && may('override.release') && (
        <Button size="small" onClick={() => setOpen('gradual')}>
          Return gradually
        </Button>
      )}
      <ReturnCommandButton id={commandId} size="small" about={about} places={active} />
      {open === 'lease' && (
        <LeaseDialog commandId={commandId} active={active} about={about} onClose={close} />
      )}
      {open === 'gradual' && (
        <GradualDialog commandId={commandId} active={active} about={about} onClose={close} />
      )}
    </>
  );
}

type Props = { group: Group; release?: ReleaseView | undefined; open?: boolean };

/** One command: what, where, who, why, how it went, and what can be done about it. */
export function GroupCard({ group, release, open: first = false }: Props) {
  const [open, setOpen] = useState(first);
  const { command, overrides } = group;
  const ref = useLinked(group.key);
  const [one] = overrides;
  if (one === undefined) return null;
  const { name, tone } = KINDS[one.kind];
  const service = namesOf(overrides).service;
  return (
    <article
      ref={ref}
      id={group.key}
      className={styles.card}
      {...{ [OVERRIDE_ATTRIBUTE]: group.key }}
    >
      <div className={styles.head}>
        <Chip tone={tone}>{name}</Chip>
        <Title group={group} />
        <span className={styles.where}>
          {service === undefined ? '' : `${service}, `}
          {one.environment}
        </span>
        <SimulatedMark environment={one.environment} />
        {command?.breakGlass === true && <Chip tone="open">Break-glass</Chip>}
        {one.includeNew && <Chip>new instances too</Chip>}
        <span className={styles.end}>
          <End overrides={overrides} />
        </span>
        <Handles group={group} release={release ?? null} />
        <IconButton
          size="small"
          label={open ? 'Hide the instances' : 'Show the instances'}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown size={14} className={open ? styles.up : undefined} />
        </IconButton>
      </div>
      <p className={styles.why}>
        “{one.reason}” <b>{one.actor}</b>
        {command !== null && command.approvedBy !== null && (
          <span>approved by {command.approvedBy}</span>
        )}
        <Time at={one.createdAt} />
        <span className={styles.progress}>{groupProgressText(overrides)}</span>
      </p>
      {release !== undefined && <Gradual release={release} />}
      {open && <GroupProgress overrides={overrides} />}
    </article>
  );
}
