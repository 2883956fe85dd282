'use client';

import { useMutation } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useRef, useState, type FormEvent, type Ref } from 'react';
import { ApiError } from '@/lib/client/api-error';
import { provePasskey } from '@/lib/client/passkey';
import * as people from '@/lib/client/people';
import type { FactorName } from '@/lib/protocol/people';
import { Button } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Failure, TextField } from './entrance';

const FACTORS: readonly FactorName[] = ['password', 'totp', 'passkey'];

/** The factors that would do, when an error asks for one; null for any other error. */
export function stepUpFactors(error: unknown): FactorName[] | null {
  if (!(error instanceof ApiError) || error.code !== 'step_up_needed') return null;
  const given = error.details['factors'];
  return Array.isArray(given) ? FACTORS.filter((factor) => given.includes(factor)) : [];
}

/** Being asked for a proof is no failure. */
export const realError = (error: Error | null): Error | null =>
  stepUpFactors(error) === null ? error : null;

type Props = {
  /** The act that it is for, in words; left out where the page says it. */
  what?: string;
  /** Of the command that the proof is for, as the server made it. */
  digest: string;
  factors: readonly FactorName[];
  onProved: (stepUp: string) => void;
  onClose: () => void;
};

async function withText(digest: string, isCode: boolean, text: string): Promise<string> {
  const proof = isCode
    ? ({ kind: 'totp', code: text } as const)
    : ({ kind: 'password', password: text } as const);
  return (await people.stepUp({ digest, proof })).stepUp;
}

async function withPasskey(digest: string): Promise<string> {
  const { options } = await people.getStepUpOptions();
  const response = (await provePasskey(options)) as { id: string };
  return (await people.stepUp({ digest, proof: { kind: 'passkey', response } })).stepUp;
}

const FORM = 'step-up';

type TypedProps = {
  isCode: boolean;
  text: string;
  onText: (text: string) => void;
  onSubmit: () => void;
  inputRef: Ref<HTMLInputElement>;
};

function TypedProof({ isCode, text, onText, onSubmit, inputRef }: TypedProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={FORM} onSubmit={submit}>
      <TextField
        label={isCode ? 'Code of your authenticator app' : 'Password'}
        type={isCode ? 'text' : 'password'}
        autoComplete={isCode ? 'one-time-code' : 'current-password'}
        {...(isCode ? { inputMode: 'numeric' } : {})}
        inputRef={inputRef}
        value={text}
        onValue={onText}
      />
    </form>
  );
}

/** What is typed, or the passkey: the one that was tried last says how it went. */
function useProofs({ digest, factors, onProved }: Props) {
  const [text, setText] = useState('');
  const isCode = factors.includes('totp');
  const onSuccess = (stepUp: string) => onProved(stepUp);
  const typed = useMutation({
    mutationFn: () => withText(digest, isCode, text),
    onSuccess,
  });
  const passkey = useMutation({ mutationFn: () => withPasskey(digest), onSuccess });
  return {
    isCode,
    isTyped: isCode || factors.includes('password'),
    text,
    setText,
    typed,
    passkey,
    error: typed.error ?? passkey.error,
    sendText: () => {
      passkey.reset();
      typed.mutate();
    },
    askPasskey: () => {
      typed.reset();
      passkey.mutate();
    },
  };
}

/** [S-13] A fresh factor for one command. */
export function StepUpDialog(props: Props) {
  const { what, factors, onClose } = props;
  const { isCode, isTyped, text, setText, typed, passkey, error, ...proofs } = useProofs(props);
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Is it still you?"
      initialFocus={isTyped ? input : button}
      {...(what === undefined ? {} : { description: `One proof, for this alone: ${what}` })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {factors.includes('passkey') && (
            <Button
              ref={button}
              kind={isTyped ? 'secondary' : 'primary'}
              icon={<KeyRound />}
              busy={passkey.isPending}
              onClick={proofs.askPasskey}
            >
              Use a passkey
            </Button>
          )}
          {isTyped && (
            <Button kind="primary" type="submit" form={FORM} busy={typed.isPending}>
              Go on
            </Button>
          )}
        </>
      }
    >
      {factors.length === 0 && (
        <p>Nothing here can prove it: add an authenticator app or a passkey first.</p>
      )}
      {isTyped && (
        <TypedProof
          isCode={isCode}
          text={text}
          onText={setText}
          onSubmit={proofs.sendText}
          inputRef={input}
        />
      )}
      {!isTyped && factors.includes('passkey') && (
        <p>This device asks for your finger, your face or its PIN.</p>
      )}
      <Failure error={error} title="Not proved" />
    </Dialog>
  );
}
