'use client';

import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useState, type FormEvent } from 'react';
import { provePasskey } from '@/lib/client/passkey';
import * as people from '@/lib/client/people';
import { useSignInOptions } from '@/lib/client/people-queries';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { Entrance, Failure, goOn, nextPath, TextField } from './entrance';
import styles from './entrance.module.css';

function PasswordForm({ onSecondFactor }: { onSecondFactor: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: people.signIn,
    onSuccess: ({ state }) => (state === 'second_factor' ? onSecondFactor() : goOn()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ email, password });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="username webauthn"
        value={email}
        onValue={setEmail}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="current-password"
        value={password}
        onValue={setPassword}
      />
      <Failure error={signIn.error} title="Not signed in" />
      <Button kind="primary" type="submit" busy={signIn.isPending || signIn.isSuccess}>
        Sign in
      </Button>
    </form>
  );
}

function CodeForm({ onBack }: { onBack: () => void }) {
  const [code, setCode] = useState('');
  const signIn = useMutation({ mutationFn: people.signInTotp, onSuccess: goOn });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(code);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Code of your authenticator app"
        hint="Each code counts once."
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onValue={setCode}
      />
      <Failure error={signIn.error} title="Not signed in" />
      <div className={styles.row}>
        <Button kind="primary" type="submit" busy={signIn.isPending || signIn.isSuccess}>
          Sign in
        </Button>
        <Button onClick={onBack}>Begin again</Button>
      </div>
    </form>
  );
}

async function enterWithPasskey(): Promise<void> {
  const { options } = await people.getPasskeyOptions();
  await people.signInPasskey(await provePasskey(options));
}

async function goToProvider(): Promise<void> {
  const { url } = await people.startOidc(nextPath());
  window.location.assign(url);
}

function OtherWays({ oidc }: { oidc: { label: string } | null }) {
  const passkey = useMutation({ mutationFn: enterWithPasskey, onSuccess: goOn });
  const provider = useMutation({ mutationFn: goToProvider });
  return (
    <div className={styles.or}>
      {oidc !== null && (
        <Button busy={provider.isPending} onClick={() => provider.mutate()}>
          {oidc.label}
        </Button>
      )}
      <Button icon={<KeyRound />} busy={passkey.isPending} onClick={() => passkey.mutate()}>
        Use a passkey
      </Button>
      <Failure error={passkey.error ?? provider.error} title="Not signed in" />
      <p className={styles.note}>
        <Link href="/join">I have an invitation or a recovery code</Link>
      </p>
    </div>
  );
}

export function SignInView() {
  const [step, setStep] = useState<'password' | 'code'>('password');
  const refused = useSearchParams().get('error') === 'provider';
  const options = useSignInOptions();
  return (
    <Entrance title="Sign in">
      {refused && (
        <Callout tone="warning" role="alert" title="The provider let you in, this console did not">
          Nobody has invited you here, or this sign-in took too long.
        </Callout>
      )}
      {step === 'password' ? (
        <>
          <PasswordForm onSecondFactor={() => setStep('code')} />
          <OtherWays oidc={options.data?.oidc ?? null} />
        </>
      ) : (
        <CodeForm onBack={() => setStep('password')} />
      )}
    </Entrance>
  );
}
