'use client';

import { useState, type FormEvent } from 'react';
import { encode } from 'uqr';
import { confirmTotp, removeTotp, startTotp } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { Failure, TextField } from './entrance';
import entrance from './entrance.module.css';
import { useFreshOr } from './fresh';
import { realError } from './step-up-dialog';
import styles from './people.module.css';

/** Drawn here: the secret goes to no other place, not even as a picture. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 1 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg className={entrance.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label="QR code">
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}

function Confirm({ uri }: { uri: string }) {
  const [code, setCode] = useState('');
  const confirm = useChange('profile', confirmTotp);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code);
  };
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form className={styles.narrow} onSubmit={submit}>
      <QrCode text={uri} />
      <div className={entrance.secret}>
        <code>{secret}</code>
        <CopyButton text={secret} compact label="Copy the secret" />
      </div>
      <TextField
        label="First code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onValue={setCode}
      />
      <Failure error={confirm.error} title="Not added" />
      <div>
        <Button kind="primary" type="submit" busy={confirm.isPending}>
          Add it
        </Button>
      </div>
    </form>
  );
}

function Start({ hasPassword, onUri }: { hasPassword: boolean; onUri: (uri: string) => void }) {
  const [password, setPassword] = useState('');
  const start = useChange('profile', startTotp);
  const freshOr = useFreshOr();
  const run = () =>
    start.mutate(password, {
      onSuccess: ({ uri }) => onUri(uri),
      onError: (error) => freshOr(error, run),
    });
  return (
    <form
      className={styles.narrow}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      {hasPassword && (
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
      )}
      <Failure error={realError(start.error)} title="Not begun" />
      <div>
        <Button type="submit" busy={start.isPending}>
          Add an authenticator app
        </Button>
      </div>
    </form>
  );
}

function Remove() {
  const remove = useChange('profile', removeTotp);
  const freshOr = useFreshOr();
  const run = () => remove.mutate(undefined, { onError: (error) => freshOr(error, run) });
  return (
    <div className={styles.narrow}>
      <p>Each sign-in asks for a code.</p>
      <Failure error={realError(remove.error)} title="Not removed" />
      <div>
        <Button kind="danger" busy={remove.isPending} onClick={run}>
          Remove it
        </Button>
      </div>
    </div>
  );
}

type Props = { hasTotp: boolean; hasPassword: boolean };

export function AuthenticatorApp({ hasTotp, hasPassword }: Props) {
  const [uri, setUri] = useState<string | null>(null);
  if (hasTotp) return <Remove />;
  return uri === null ? <Start hasPassword={hasPassword} onUri={setUri} /> : <Confirm uri={uri} />;
}
