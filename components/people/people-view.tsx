'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { revokeInvitation } from '@/lib/client/people';
import { useChange, usePeople } from '@/lib/client/people-queries';
import type { InvitationView, PersonView } from '@/lib/protocol/people';
import { Page, Section } from '../shell/page';
import { Button } from '../ui/button';
import { QueryState } from '../ui/query-state';
import { Time } from '../ui/time';
import { Failure } from './entrance';
import { grantText } from './grant-text';
import { GrantsDialog } from './grants-dialog';
import { InviteDialog } from './invite-dialog';
import { PersonTable } from './person-table';
import styles from './people.module.css';

function Invitations({ invitations }: { invitations: readonly InvitationView[] }) {
  const revoke = useChange('people', revokeInvitation);
  return (
    <div className={styles.stack}>
      <Failure error={revoke.error} title="Not taken back" />
      <ul className={styles.list}>
        {invitations.map((one) => (
          <li key={one.id} className={styles.item}>
            <span className={styles.grow}>
              {one.name}, {one.email}: {one.grants.map(grantText).join(' · ') || 'no role'}; until{' '}
              <Time at={one.expiresAt} show="instant" />
            </span>
            <Button size="small" kind="quiet" onClick={() => revoke.mutate(one.id)}>
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function PeopleView() {
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<PersonView | null>(null);
  const people = usePeople();
  return (
    <Page
      title="People"
      description="Who may do what, in which environments and for which services."
      actions={
        <Button kind="primary" icon={<Plus />} onClick={() => setInviting(true)}>
          Invite
        </Button>
      }
    >
      <QueryState query={people} what="The people">
        {(data) => (
          <>
            <PersonTable people={data.people} onRoles={setEditing} />
            {data.invitations.length > 0 && (
              <Section title="Open invitations">
                <Invitations invitations={data.invitations} />
              </Section>
            )}
          </>
        )}
      </QueryState>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      {editing !== null && <GrantsDialog person={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}
