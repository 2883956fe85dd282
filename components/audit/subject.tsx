'use client';

import Link from 'next/link';
import { useBreaker } from '@/lib/client/use-live';
import type { AuditRow } from '@/lib/protocol/views';
import { subjectOf } from './details-text';
import styles from './audit.module.css';

/** The breaker by its name where it is known, with the recorded id on hover. */
export function Subject({ row }: { row: AuditRow }) {
  const { breakerId, name } = subjectOf(row);
  const breaker = useBreaker(breakerId);
  return (
    <span className={styles.subject} title={row.subject}>
      {breaker === null ? (
        name
      ) : (
        <Link href={`/breakers/${encodeURIComponent(breaker.id)}`}>
          {breaker.service} / {breaker.name}
        </Link>
      )}
    </span>
  );
}
