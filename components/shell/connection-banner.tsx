'use client';

import { Unplug } from 'lucide-react';
import type { Connection } from '@/lib/client/connection';
import { reconnectNow, useConnection, useWallNow } from '@/lib/client/use-live';
import { Button } from '../ui/button';
import { formatAge, formatClock } from '../ui/format';
import { useZone } from '../ui/zone-context';
import styles from './connection-banner.module.css';

type Lost = Extract<Connection, { status: 'stale' | 'offline' }>;

function words(
  connection: Lost,
  now: number | null,
  zone: string,
): { title: string; body: string } {
  if (connection.status === 'offline' && connection.refused) {
    return {
      title: 'The server closed this connection for good.',
      body: 'Reload the page to come back with the current version.',
    };
  }
  if (connection.since === null) {
    return {
      title: 'The Recloser server does not answer.',
      body: 'Nothing has been received yet. Trying again on its own.',
    };
  }
  const age = now === null ? '' : ` (${formatAge(now - connection.since)})`;
  return {
    title: `No word from the server since ${formatClock(connection.since, zone)}${age}.`,
    body: 'Everything below is the last known state and does not move. Breakers go on without the console.',
  };
}

/** The banner itself, from props alone. */
export function LostBanner({ connection, now }: { connection: Lost; now: number | null }) {
  const { title, body } = words(connection, now, useZone());
  return (
    <div className={styles.banner} role="alert">
      <Unplug size={16} aria-hidden="true" className={styles.icon} />
      <p className={styles.text}>
        <strong>{title}</strong> <span>{body}</span>
      </p>
      <Button size="small" onClick={reconnectNow}>
        Reconnect now
      </Button>
    </div>
  );
}

export function ConnectionBanner() {
  const connection = useConnection();
  const now = useWallNow();
  if (connection.status !== 'stale' && connection.status !== 'offline') return null;
  return <LostBanner connection={connection} now={now} />;
}
