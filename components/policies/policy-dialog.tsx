'use client';

import { useState } from 'react';
import { errorText } from '@/lib/client/api-error';
import { useAct } from '@/lib/client/command-queries';
import { setPolicy } from '@/lib/client/commands';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { Dialog } from '../ui/dialog';
import { Field, Input, Select, TextArea } from '../ui/field';
import { bodyOfPolicy, LEVELS, policyProblems, type PolicyDraft } from './policy-text';
import styles from './policies.module.css';

type FieldsProps = {
  draft: PolicyDraft;
  isNew: boolean;
  problems: ReturnType<typeof policyProblems>;
  onDraft: (change: Partial<PolicyDraft>) => void;
};

function Fields({ draft, isNew, problems, onDraft }: FieldsProps) {
  return (
    <>
      <Field
        label="Environment"
        hint="An exact name, or a prefix with * at the end. The exact name counts before a prefix."
        error={problems.environment}
      >
        {(wiring) => (
          <Input
            {...wiring}
            autoComplete="off"
            readOnly={!isNew}
            value={draft.environment}
            onChange={(event) => onDraft({ environment: event.target.value })}
          />
        )}
      </Field>
      <Field label="Second person" hint="Another person has to approve it before it is sent.">
        {(wiring) => (
          <Select
            {...wiring}
            options={LEVELS}
            value={draft.twoPerson}
            onValue={(twoPerson) => onDraft({ twoPerson })}
          />
        )}
      </Field>
      <Field label="Step-up" hint="A fresh factor, for exactly this command.">
        {(wiring) => (
          <Select
            {...wiring}
            options={LEVELS}
            value={draft.stepUp}
            onValue={(stepUp) => onDraft({ stepUp })}
          />
        )}
      </Field>
      <Field
        label="Tier-1 services"
        hint="One a line; everything on them is L3. A * at the end is a prefix."
        error={problems.tierOne}
      >
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={4}
            value={draft.tierOne}
            onChange={(event) => onDraft({ tierOne: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

type Props = { first: PolicyDraft; isNew: boolean; onClose: () => void };

export function PolicyDialog({ first, isNew, onClose }: Props) {
  const [draft, setDraft] = useState(first);
  const [tried, setTried] = useState(false);
  const problems = policyProblems(draft);
  const save = useAct(setPolicy);
  const none = { environment: null, tierOne: null };
  const submit = () => {
    setTried(true);
    if (problems.environment !== null || problems.tierOne !== null) return;
    save.mutate(bodyOfPolicy(draft), { onSuccess: onClose });
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={isNew ? 'New policy' : `Policy of ${first.environment}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={save.isPending} onClick={submit}>
            Save
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {save.error !== null && (
          <Callout tone="danger" role="alert" title="It was not saved">
            {errorText(save.error)}
          </Callout>
        )}
        <Fields
          draft={draft}
          isNew={isNew}
          problems={tried ? problems : none}
          onDraft={(change) => setDraft({ ...draft, ...change })}
        />
      </div>
    </Dialog>
  );
}
