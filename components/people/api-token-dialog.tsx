'use client';

import { useState, type FormEvent } from 'react';
import { createApiToken } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import type { ApiTokenRole, ApiTokenView } from '@/lib/protocol/api-tokens';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { Field, Select, type Option } from '../ui/field';
import { Failure, TextField } from './entrance';
import { FRESH_DIGEST } from './fresh';
import entrance from './entrance.module.css';
import { stepUpFactors, StepUpDialog } from './step-up-dialog';
import styles from './people.module.css';

const ROLES: readonly Option<ApiTokenRole>[] = [
  { value: 'viewer', label: 'Viewer: reads the fleet' },
  { value: 'responder', label: 'Responder' },
  { value: 'operator', label: 'Operator: forces and releases' },
  { value: 'auditor', label: 'Auditor: reads the audit' },
];

const DAYS: readonly Option<'7' | '30' | '90' | '365'>[] = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
];

const KINDS: readonly Option<ApiTokenView['kind']>[] = [
  { value: 'script', label: 'A script or the command line' },
  { value: 'screen', label: 'A screen on the wall' },
];

const START = {
  kind: 'script',
  name: '',
  role: 'viewer',
  environment: '*',
  service: '*',
  days: '90',
} as const;
type Draft = {
  kind: ApiTokenView['kind'];
  name: string;
  role: ApiTokenRole;
  environment: string;
  service: string;
  days: (typeof DAYS)[number]['value'];
};

function Created({ token, onClose }: { token: string; onClose: () => void }) {
  const isScreen = token.startsWith('rcl_k_');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="The API token"
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.form}>
        <Callout tone="warning" title="Shown this once">
          {isScreen
            ? 'Open the path /screen of this console on that screen and enter it there.'
            : 'Put it where your script reads it, as RECLOSER_TOKEN or in a file.'}
        </Callout>
        <div className={entrance.secret}>
          <code>{token}</code>
          <CopyButton text={token} label="Copy the token" />
        </div>
      </div>
    </Dialog>
  );
}

type FieldsProps = { draft: Draft; onChange: (part: Partial<Draft>) => void };

function DraftFields({ draft, onChange }: FieldsProps) {
  return (
    <>
      <Field label="For">
        {(wiring) => (
          <Select
            {...wiring}
            options={KINDS}
            value={draft.kind}
            onValue={(kind) => onChange({ kind, role: 'viewer', days: '90' })}
          />
        )}
      </Field>
      <TextField
        label="Name"
        autoComplete="off"
        value={draft.name}
        onValue={(name) => onChange({ name })}
      />
      {draft.kind === 'script' && (
        <Field label="Role">
          {(wiring) => (
            <Select
              {...wiring}
              options={ROLES}
              value={draft.role}
              onValue={(role) => onChange({ role })}
            />
          )}
        </Field>
      )}
      <TextField
        label="Environment"
        autoComplete="off"
        value={draft.environment}
        onValue={(environment) => onChange({ environment })}
      />
      <TextField
        label="Service"
        autoComplete="off"
        value={draft.service}
        onValue={(service) => onChange({ service })}
      />
      <Field label="Ends after">
        {(wiring) => (
          <Select
            {...wiring}
            options={draft.kind === 'script' ? DAYS : DAYS.filter(({ value }) => value !== '365')}
            value={draft.days}
            onValue={(days) => onChange({ days })}
          />
        )}
      </Field>
    </>
  );
}

export function ApiTokenDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(START);
  const run = useChange('apiTokens', createApiToken);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const make = () => {
    const { kind, name, role, environment, service, days } = draft;
    run.mutate({
      kind,
      name,
      grants: [{ role, environment, service }],
      expiresInDays: Number(days),
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make();
  };
  const factors = stepUpFactors(run.error);
  if (factors !== null) {
    return (
      <StepUpDialog
        digest={FRESH_DIGEST}
        factors={factors}
        onProved={make}
        onClose={() => run.reset()}
      />
    );
  }
  if (run.data) return <Created token={run.data.token} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New API token"
      description="It can do a part of what you can, and ends with you."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="api-token" busy={run.isPending}>
            Make the token
          </Button>
        </>
      }
    >
      <form id="api-token" className={styles.form} onSubmit={submit}>
        <DraftFields draft={draft} onChange={change} />
        <Failure error={run.error} title="Not made" />
      </form>
    </Dialog>
  );
}
