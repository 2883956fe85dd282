'use client';

import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { openScreen } from '@/lib/client/screen';
import { useConnection } from '@/lib/client/use-live';
import { Entrance, Failure, TextField } from '../people/entrance';
import styles from '../people/entrance.module.css';
import { Button } from '../ui/button';
import { WallView } from './wall-view';

function TokenForm() {
  const [token, setToken] = useState('');
  // Anew, so that nothing of the refusal before is left.
  const open = useMutation({
    mutationFn: openScreen,
    onSuccess: () => window.location.reload(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    open.mutate(token);
  };
  return (
    <Entrance title="Set this screen up">
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label="Token of the screen"
          hint="Made under Settings, Profile, API tokens. It shows the fleet and changes nothing."
          type="password"
          autoComplete="off"
          value={token}
          onValue={setToken}
        />
        <Failure error={open.error} title="Not set up" />
        <Button kind="primary" type="submit" busy={open.isPending || open.isSuccess}>
          Show the wall
        </Button>
      </form>
    </Entrance>
  );
}

/** [S-44] The wall at a screen that nobody is signed in at. */
export function ScreenView() {
  const connection = useConnection();
  const isRefused = connection.status === 'offline' && connection.refused;
  return isRefused ? <TokenForm /> : <WallView isScreen />;
}
