'use client';

import { Ellipsis } from 'lucide-react';
import { actOnPerson, type PersonAct } from '@/lib/client/people';
import { useChange } from '@/lib/client/people-queries';
import type { PersonView } from '@/lib/protocol/people';
import { IconButton } from '../ui/button';
import { Chip } from '../ui/chip';
import { Menu, MenuItem } from '../ui/menu';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { Failure } from './entrance';
import { grantText } from './grant-text';
import styles from './people.module.css';

function factorsOf({ hasPassword, hasTotp, passkeys, isFederated }: PersonView): string {
  const list = [
    isFederated && 'identity provider',
    hasPassword && 'password',
    hasTotp && 'authenticator app',
    passkeys > 0 && `${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`,
  ];
  return list.filter((one) => one !== false).join(', ');
}

type Props = { people: readonly PersonView[]; onRoles: (person: PersonView) => void };

export function PersonTable({ people, onRoles }: Props) {
  const act = useChange('people', ({ id, what }: { id: string; what: PersonAct }) =>
    actOnPerson(id, what),
  );
  const item = (person: PersonView, what: PersonAct, words: string) => (
    <MenuItem onSelect={() => act.mutate({ id: person.id, what })}>{words}</MenuItem>
  );
  return (
    <div className={styles.stack}>
      <Failure error={act.error} title="Not done" />
      <Table aria-label="People">
        <thead>
          <tr>
            <Th>Person</Th>
            <Th>Roles</Th>
            <Th>Signs in with</Th>
            <Th>Last seen</Th>
            <Th>
              <span className="visually-hidden">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <Td>
                {person.name} {person.disabledAt !== null && <Chip tone="off">Disabled</Chip>}
                <span className={styles.sub}>{person.email}</span>
              </Td>
              <Td>{person.grants.map(grantText).join(' · ') || 'none'}</Td>
              <Td>{factorsOf(person)}</Td>
              <Td>
                {person.lastSeenAt === null ? 'never' : <Time at={person.lastSeenAt} show="age" />}
              </Td>
              <Td numeric>
                <Menu
                  trigger={
                    <IconButton label={`Actions for ${person.name}`}>
                      <Ellipsis size={15} />
                    </IconButton>
                  }
                >
                  <MenuItem onSelect={() => onRoles(person)}>Change roles</MenuItem>
                  {item(person, 'sign-out', 'Sign out everywhere')}
                  {item(person, 'reset-factors', 'Forget app and passkeys')}
                  {person.disabledAt === null
                    ? item(person, 'disable', 'Disable')
                    : item(person, 'enable', 'Enable')}
                </Menu>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
