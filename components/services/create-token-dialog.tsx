'use client';

import { useState, type FormEvent } from 'react';
import { errorText } from '@/lib/client/api-error';
import type { CreatedTokenBody } from '@/lib/client/bodies';
import { useCreateToken } from '@/lib/client/queries';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { SixLines } from './six-lines';
import styles from './services.module.css';
import { EMPTY_TOKEN, tokenProblems, type TokenDraft } from './token-draft';
import { TokenFields } from './token-fields';

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

/** Pattern "checkout*" names no single service; the lines then show a service it would admit. */
const exampleService = (pattern: string) => pattern.replace(/\*$/, '') || 'my-service';

/** The only time the token is shown. */
function CreatedDialog({ open, onOpenChange, created }: Props & { created: CreatedTokenBody }) {
  const { token, view } = created;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      width="wide"
      title={`Token ${view.name} is ready`}
      footer={
        <Button kind="primary" onClick={() => onOpenChange(false)}>
          I have copied it
        </Button>
      }
    >
      <Callout tone="warning" title="Copy it now">
        It is shown this once. Only its fingerprint is stored.
      </Callout>
      <div className={styles.secret}>
        <code>{token}</code>
        <CopyButton text={token} label="Copy token" />
      </div>
      <SixLines
        token={token}
        service={exampleService(view.servicePattern)}
        environment={view.environment}
      />
    </Dialog>
  );
}

/** A form first; then the token, once, with the lines to paste. */
export function CreateTokenDialog({ open, onOpenChange }: Props) {
  const [draft, setDraft] = useState<TokenDraft>(EMPTY_TOKEN);
  const [tried, setTried] = useState(false);
  const create = useCreateToken();
  const problems = tokenProblems(draft);

  const change = (next: boolean) => {
    if (!next) {
      create.reset();
      setDraft(EMPTY_TOKEN);
      setTried(false);
    }
    onOpenChange(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    create.mutate({ ...draft, expiresInDays: Number(draft.expiresInDays) });
  };

  if (create.data) {
    return <CreatedDialog open={open} onOpenChange={change} created={create.data} />;
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title="Create an agent token"
      description="One token for the services it names, in one environment."
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          <Button kind="primary" type="submit" form="create-token" busy={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form id="create-token" className={styles.form} onSubmit={submit} noValidate>
        <TokenFields draft={draft} problems={tried ? problems : {}} onChange={setDraft} />
      </form>
      {create.error && (
        <Callout tone="danger" role="alert" title="Not created">
          {errorText(create.error)}
        </Callout>
      )}
    </Dialog>
  );
}
