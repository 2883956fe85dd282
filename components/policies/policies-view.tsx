'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { usePolicies } from '@/lib/client/command-queries';
import { useMe } from '@/lib/client/people-queries';
import type { PolicyView } from '@/lib/protocol/commands';
import { allowsPerson } from '../override/allowed';
import { Page, Section } from '../shell/page';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { QueryState } from '../ui/query-state';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { PolicyDialog } from './policy-dialog';
import { draftOfPolicy, EMPTY_POLICY, levelText, type PolicyDraft } from './policy-text';
import styles from './policies.module.css';

type TableProps = {
  label: string;
  policies: readonly PolicyView[];
  builtIn?: boolean;
  onEdit: ((policy: PolicyView) => void) | null;
};

function PolicyTable({ label, policies, builtIn = false, onEdit }: TableProps) {
  return (
    <Table aria-label={label}>
      <thead>
        <tr>
          <Th>Environment</Th>
          <Th>Second person</Th>
          <Th>Step-up</Th>
          <Th>Tier-1 services</Th>
          {!builtIn && <Th>Changed</Th>}
          {onEdit !== null && <Th>{builtIn ? 'Override' : 'Edit'}</Th>}
        </tr>
      </thead>
      <tbody>
        {policies.map((policy) => (
          <tr key={policy.environment}>
            <Td className={styles.name}>{policy.environment}</Td>
            <Td>{levelText(policy.twoPerson)}</Td>
            <Td>{levelText(policy.stepUp)}</Td>
            <Td className={styles.services}>{policy.tierOneServices.join(', ') || 'None'}</Td>
            {!builtIn && (
              <Td>
                <Time at={policy.updatedAt} show="instant" /> by {policy.updatedBy}
              </Td>
            )}
            {onEdit !== null && (
              <Td>
                <Button size="small" onClick={() => onEdit(policy)}>
                  Change<span className="visually-hidden">: {policy.environment}</span>
                </Button>
              </Td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type Editing = { draft: PolicyDraft; isNew: boolean };

/** Which risk asks for a second person or for a fresh factor, by environment. */
export function PoliciesView() {
  const query = usePolicies();
  const { data: me } = useMe();
  const [editing, setEditing] = useState<Editing | null>(null);
  const may = allowsPerson(me ?? null, 'policy.manage');
  const edit = may
    ? (policy: PolicyView) => setEditing({ draft: draftOfPolicy(policy), isNew: false })
    : null;
  return (
    <Page
      title="Policies"
      description="What an override asks of people before it is sent. L2 is one breaker; L3 is forced closed, a whole service or target, more than 10 instances, or a tier-1 service."
      actions={
        may && (
          <Button
            kind="primary"
            icon={<Plus />}
            onClick={() => setEditing({ draft: EMPTY_POLICY, isNew: true })}
          >
            New policy
          </Button>
        )
      }
    >
      {me !== undefined && !may && <p className={styles.hint}>Only an admin changes them.</p>}
      <QueryState query={query} what="The policies">
        {({ policies, builtIn }) => (
          <>
            <Section title="Set here">
              {policies.length === 0 ? (
                <EmptyState title="No policy has been set">
                  What is built in holds everywhere.
                </EmptyState>
              ) : (
                <PolicyTable label="Policies" policies={policies} onEdit={edit} />
              )}
            </Section>
            <Section title="Built in, where none is set">
              <PolicyTable label="Built-in policies" policies={builtIn} builtIn onEdit={edit} />
            </Section>
          </>
        )}
      </QueryState>
      {editing !== null && (
        <PolicyDialog
          first={editing.draft}
          isNew={editing.isNew}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}
