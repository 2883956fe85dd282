'use client';

import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import * as people from '@/lib/client/people';
import { Button, ButtonLink } from '../ui/button';
import { Entrance, Failure, goOn, PASSWORD_HINT, TextField } from './entrance';
import styles from './entrance.module.css';

export function JoinView() {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const redeem = useMutation({ mutationFn: people.redeem, onSuccess: goOn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    redeem.mutate({ code, password });
  };
  return (
    <Entrance title="Join or recover">
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label="Code"
          hint="Of the invitation, or of a recovery. It counts once."
          autoComplete="off"
          value={code}
          onValue={setCode}
        />
        <TextField
          label="New password"
          type="password"
          hint={PASSWORD_HINT}
          autoComplete="new-password"
          value={password}
          onValue={setPassword}
        />
        <Failure error={redeem.error} title="Not done" />
        <div className={styles.row}>
          <Button kind="primary" type="submit" busy={redeem.isPending || redeem.isSuccess}>
            Go on
          </Button>
          <ButtonLink href="/sign-in">Back</ButtonLink>
        </div>
      </form>
    </Entrance>
  );
}
