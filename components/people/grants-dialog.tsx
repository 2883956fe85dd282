'use client';

import { useState } from 'react';
import { setGrants } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import type { Grant } from '@/lib/protocol/access';
import type { PersonView } from '@/lib/protocol/people';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Failure } from './entrance';
import { GrantsEditor } from './grants-editor';
import styles from './people.module.css';

export function GrantsDialog({ person, onClose }: { person: PersonView; onClose: () => void }) {
  const [grants, edit] = useState<readonly Grant[]>(person.grants);
  const save = useChange('people', () => setGrants(person.id, grants));
  return (
    <Dialog
      open
      width="wide"
      onOpenChange={onClose}
      title={`Roles of ${person.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={save.isPending}
            onClick={() => save.mutate(undefined, { onSuccess: onClose })}
          >
            Save roles
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        <GrantsEditor grants={grants} onGrants={edit} />
        <Failure error={save.error} title="Not saved" />
      </div>
    </Dialog>
  );
}
