'use client';

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { makePasskey } from '@/lib/client/passkey';
import { confirmPasskey, removePasskey, startPasskey } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import type { ProfileBody } from '@/lib/protocol/people';
import { Button } from '../ui/button';
import { Field, Input } from '../ui/field';
import { Time } from '../ui/time';
import { Failure } from './entrance';
import { useFreshOr } from './fresh';
import { realError } from './step-up-dialog';
import styles from './people.module.css';

async function addPasskey(name: string): Promise<void> {
  const { options } = await startPasskey();
  await confirmPasskey(await makePasskey(options), name);
}

export function Passkeys({ passkeys }: Pick<ProfileBody, 'passkeys'>) {
  const [name, setName] = useState('');
  const add = useChange('profile', addPasskey);
  const remove = useChange('profile', removePasskey);
  const freshOr = useFreshOr();
  const runAdd = () => add.mutate(name.trim(), { onError: (error) => freshOr(error, runAdd) });
  const runRemove = (id: string) =>
    remove.mutate(id, { onError: (error) => freshOr(error, () => runRemove(id)) });
  return (
    <div className={styles.narrow}>
      {passkeys.length === 0 && <p>None yet. A passkey signs you in without a password.</p>}
      <ul className={styles.list}>
        {passkeys.map(({ id, name: label, createdAt }) => (
          <li key={id} className={styles.item}>
            <KeyRound size={15} aria-hidden="true" />
            <span className={styles.grow}>
              {label ?? 'Passkey'}
              {createdAt !== null && (
                <>
                  , added <Time at={createdAt} show="instant" />
                </>
              )}
            </span>
            <Button
              size="small"
              kind="quiet"
              busy={remove.isPending && remove.variables === id}
              onClick={() => runRemove(id)}
              aria-label={`Remove ${label ?? 'passkey'}`}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <Field label="Name of a new one" hint="For example: laptop, blue key">
        {(wiring) => (
          <Input {...wiring} value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Failure error={realError(add.error ?? remove.error)} title="Not done" />
      <div>
        <Button busy={add.isPending} onClick={runAdd}>
          Add a passkey
        </Button>
      </div>
    </div>
  );
}
