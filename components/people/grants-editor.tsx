import { Plus, X } from 'lucide-react';
import type { Grant, Role } from '@/lib/protocol/access';
import { Button, IconButton } from '../ui/button';
import { Field, Input, Select, type Option } from '../ui/field';
import styles from './people.module.css';

const ROLES: readonly Option<Role>[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'responder', label: 'Responder' },
  { value: 'operator', label: 'Operator' },
  { value: 'approver', label: 'Approver' },
  { value: 'auditor', label: 'Auditor' },
  { value: 'admin', label: 'Admin' },
];

const EMPTY: Grant = { role: 'viewer', environment: '*', service: '*' };

type Props = { grants: readonly Grant[]; onGrants: (grants: readonly Grant[]) => void };

/** Roles, each in an environment and for services; a trailing * stands for whatever follows. */
export function GrantsEditor({ grants, onGrants }: Props) {
  const change = (index: number, part: Partial<Grant>) =>
    onGrants(grants.map((grant, at) => (at === index ? { ...grant, ...part } : grant)));
  return (
    <div className={styles.form}>
      {grants.map((grant, index) => (
        // Rows have no identity but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={styles.grant}>
          <Field label="Role">
            {(wiring) => (
              <Select
                {...wiring}
                options={ROLES}
                value={grant.role}
                onValue={(role) => change(index, { role })}
              />
            )}
          </Field>
          <Field label="Environment">
            {(wiring) => (
              <Input
                {...wiring}
                value={grant.environment}
                onChange={(event) => change(index, { environment: event.target.value })}
              />
            )}
          </Field>
          <Field label="Service">
            {(wiring) => (
              <Input
                {...wiring}
                value={grant.service}
                onChange={(event) => change(index, { service: event.target.value })}
              />
            )}
          </Field>
          <IconButton
            label="Remove this role"
            onClick={() => onGrants(grants.filter((_grant, at) => at !== index))}
          >
            <X size={15} />
          </IconButton>
        </div>
      ))}
      <div>
        <Button size="small" icon={<Plus />} onClick={() => onGrants([...grants, EMPTY])}>
          Add a role
        </Button>
      </div>
    </div>
  );
}
