'use client';

import { useState, type FormEvent } from 'react';
import { invite } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import type { Grant } from '@/lib/protocol/access';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { Failure, TextField } from './entrance';
import entrance from './entrance.module.css';
import { GrantsEditor } from './grants-editor';
import styles from './people.module.css';

const FIRST: readonly Grant[] = [{ role: 'viewer', environment: '*', service: '*' }];

export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [grants, setGrants] = useState(FIRST);
  const run = useChange('people', invite);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate({ name, email, grants: [...grants] });
  };
  if (run.data) {
    return (
      <Dialog open onOpenChange={onClose} title={`The code for ${run.data.invitation.name}`}>
        <div className={styles.form}>
          <Callout tone="warning" title="Shown this once">
            Give it to the person yourself; it is good for seven days, at /join.
          </Callout>
          <div className={entrance.secret}>
            <code>{run.data.code}</code>
            <CopyButton text={run.data.code} label="Copy the code" />
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      width="wide"
      onOpenChange={onClose}
      title="Invite somebody"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="invite" busy={run.isPending}>
            Make the code
          </Button>
        </>
      }
    >
      <form id="invite" className={styles.form} onSubmit={submit}>
        <TextField label="Name" autoComplete="off" value={name} onValue={setName} />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="off"
          value={email}
          onValue={setEmail}
        />
        <GrantsEditor grants={grants} onGrants={setGrants} />
        <Failure error={run.error} title="Not invited" />
      </form>
    </Dialog>
  );
}
