'use client';

import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ApiError } from '@/lib/client/api-error';
import { provePasskey } from '@/lib/client/passkey';
import * as people from '@/lib/client/people';
import type { FactorName } from '@/lib/protocol/people';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Failure, TextField } from './entrance';
import styles from './entrance.module.css';

const FACTORS: readonly FactorName[] = ['password', 'totp', 'passkey'];

/** The factors that would do, when an error asks for one; null for any other error. */
export function stepUpFactors(error: unknown): FactorName[] | null {
  if (!(error instanceof ApiError) || error.code !== 'step_up_needed') return null;
  const given = error.details['factors'];
  return Array.isArray(given) ? FACTORS.filter((factor) => given.includes(factor)) : [];
}

type Props = {
  /** The act that it is for, in words; left out where the page says it. */
  what?: string;
  /** Of the command that the proof is for, as the server made it. */
  digest: string;
  factors: readonly FactorName[];
  onProved: (stepUp: string) => void;
  onClose: () => void;
};

async function withPasskey(digest: string): Promise<string> {
  const { options } = await people.getStepUpOptions();
  const response = (await provePasskey(options)) as { id: string };
  return (await people.stepUp({ digest, proof: { kind: 'passkey', response } })).stepUp;
}

function TypedProof({ digest, factors, onProved }: Omit<Props, 'what' | 'onClose'>) {
  const [text, setText] = useState('');
  const isCode = factors.includes('totp');
  const prove = useMutation({
    mutationFn: () =>
      people.stepUp({
        digest,
        proof: isCode ? { kind: 'totp', code: text } : { kind: 'password', password: text },
      }),
    onSuccess: ({ stepUp }) => onProved(stepUp),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    prove.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={isCode ? 'Code of your authenticator app' : 'Password'}
        type={isCode ? 'text' : 'password'}
        autoComplete={isCode ? 'one-time-code' : 'current-password'}
        value={text}
        onValue={setText}
      />
      <Failure error={prove.error} title="Not proved" />
      <Button kind="primary" type="submit" busy={prove.isPending}>
        Go on
      </Button>
    </form>
  );
}

/** [S-13] A fresh factor for one command. */
export function StepUpDialog({ what, digest, factors, onProved, onClose }: Props) {
  const passkey = useMutation({ mutationFn: () => withPasskey(digest), onSuccess: onProved });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Is it still you?"
      {...(what === undefined ? {} : { description: `One proof, for this alone: ${what}` })}
    >
      <div className={styles.form}>
        {factors.length === 0 && (
          <p>Nothing here can prove it: add an authenticator app or a passkey first.</p>
        )}
        {factors.some((factor) => factor !== 'passkey') && (
          <TypedProof digest={digest} factors={factors} onProved={onProved} />
        )}
        {factors.includes('passkey') && (
          <Button busy={passkey.isPending} onClick={() => passkey.mutate()}>
            Use a passkey
          </Button>
        )}
        <Failure error={passkey.error} title="Not proved" />
      </div>
    </Dialog>
  );
}
