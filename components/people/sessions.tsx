'use client';

import { endOtherSessions, endSession } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import type { SessionView } from '@/lib/protocol/people';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { Failure } from './entrance';
import styles from './people.module.css';

export function Sessions({ sessions }: { sessions: readonly SessionView[] }) {
  const end = useChange('profile', endSession);
  const endOthers = useChange('profile', endOtherSessions);
  return (
    <div className={styles.stack}>
      <Table aria-label="Your sessions">
        <thead>
          <tr>
            <Th>Browser</Th>
            <Th>Address</Th>
            <Th>Signed in with</Th>
            <Th>Began</Th>
            <Th>Last used</Th>
            <Th>
              <span className="visually-hidden">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <tr key={session.id}>
              <Td className={styles.agent}>
                <bdi>{session.userAgent ?? 'unknown'}</bdi>{' '}
                {session.isCurrent && <Chip>This one</Chip>}
              </Td>
              <Td>{session.ip ?? 'unknown'}</Td>
              <Td>{session.factors.join(', ')}</Td>
              <Td>
                <Time at={session.createdAt} show="instant" />
              </Td>
              <Td>
                <Time at={session.lastSeenAt} show="age" />
              </Td>
              <Td numeric>
                {!session.isCurrent && (
                  <Button size="small" kind="quiet" onClick={() => end.mutate(session.id)}>
                    End
                  </Button>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Failure error={end.error ?? endOthers.error} title="Not ended" />
      {sessions.length > 1 && (
        <div>
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
            End all others
          </Button>
        </div>
      )}
    </div>
  );
}
