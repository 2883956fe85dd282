'use client';

import { DatabaseZap } from 'lucide-react';
import { useHealth, type ServerHealth } from '@/lib/client/health';
import { useConnection } from '@/lib/client/use-live';
import styles from './connection-banner.module.css';

type Words = { title: string; body: string };

/** What to do about it; the breakers themselves go on in every case. */
export function healthWords({ status, reason }: ServerHealth): Words | null {
  if (status === 'ready') return null;
  if (status === 'starting') {
    return {
      title: 'The server is starting.',
      body: 'It checks its data before it takes changes. This ends by itself.',
    };
  }
  const why = reason ?? 'no reason given';
  if (/damaged/.test(why)) {
    return {
      title: 'Read only: the data of this server is damaged.',
      body: 'History can be read, nothing can be changed, and agents keep their reports. Stop the server and restore the last backup.',
    };
  }
  if (/sink/.test(why)) {
    return {
      title: 'Nothing can be changed: the second audit record is not being kept.',
      body: 'Every change must be recorded twice. Mend the second sink; it is tried again by itself.',
    };
  }
  if (/store/.test(why)) {
    return {
      title: 'Read only: the disk of this server takes no writes.',
      body: 'Agents keep their reports until it does. Free space in the data folder, or mend the disk; it is tried again by itself.',
    };
  }
  return { title: 'The server takes no changes.', body: `It says: ${why}.` };
}

/** The banner itself, from props alone. */
export function HealthBannerView({ health }: { health: ServerHealth }) {
  const words = healthWords(health);
  if (words === null) return null;
  return (
    <div className={styles.banner} data-kind="health" role="alert">
      <DatabaseZap size={16} aria-hidden="true" className={styles.icon} />
      <p className={styles.text}>
        <strong>{words.title}</strong> <span>{words.body}</span>
      </p>
    </div>
  );
}

export function HealthBanner() {
  const health = useHealth();
  const { status } = useConnection();
  if (health === null || status !== 'live') return null;
  return <HealthBannerView health={health} />;
}
