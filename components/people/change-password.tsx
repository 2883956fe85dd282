'use client';

import { useState, type FormEvent } from 'react';
import { changePassword } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import { Button } from '../ui/button';
import { Failure, PASSWORD_HINT, TextField } from './entrance';
import styles from './people.module.css';

export function ChangePassword() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useChange('profile', changePassword);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { current, next },
      {
        onSuccess: () => {
          setCurrent('');
          setNext('');
        },
      },
    );
  };
  return (
    <form className={styles.narrow} onSubmit={submit}>
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        onValue={setCurrent}
      />
      <TextField
        label="New password"
        type="password"
        hint={PASSWORD_HINT}
        autoComplete="new-password"
        value={next}
        onValue={setNext}
      />
      <Failure error={change.error} title="Not changed" />
      {change.isSuccess && <output>Changed. Your other sessions have ended.</output>}
      <div>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}
