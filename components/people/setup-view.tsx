'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useState, type FormEvent } from 'react';
import * as people from '@/lib/client/people';
import { useSignInOptions } from '@/lib/client/people-queries';
import { Button } from '../ui/button';
import { Entrance, Failure, goOn, PASSWORD_HINT, TextField } from './entrance';
import styles from './entrance.module.css';

const EMPTY = { token: '', name: '', email: '', password: '' };

function SetupForm() {
  const [draft, setDraft] = useState(EMPTY);
  const set = (field: keyof typeof EMPTY) => (value: string) =>
    setDraft((before) => ({ ...before, [field]: value }));
  const setUp = useMutation({ mutationFn: people.setUp, onSuccess: goOn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUp.mutate(draft);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Token"
        hint="Printed when the server started; good for 15 minutes. A restart prints another one."
        autoComplete="off"
        value={draft.token}
        onValue={set('token')}
      />
      <TextField label="Your name" autoComplete="name" value={draft.name} onValue={set('name')} />
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username"
        value={draft.email}
        onValue={set('email')}
      />
      <TextField
        label="Password"
        type="password"
        hint={PASSWORD_HINT}
        autoComplete="new-password"
        value={draft.password}
        onValue={set('password')}
      />
      <Failure error={setUp.error} title="Not set up" />
      <Button kind="primary" type="submit" busy={setUp.isPending || setUp.isSuccess}>
        Make me the admin
      </Button>
    </form>
  );
}

export function SetupView() {
  const options = useSignInOptions();
  return (
    <Entrance title="Set the console up">
      {options.data?.needsSetup === false ? (
        <p>
          This console has been set up. <Link href="/sign-in">Sign in</Link>
        </p>
      ) : (
        <SetupForm />
      )}
    </Entrance>
  );
}
