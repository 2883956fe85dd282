'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { revokeApiToken } from '@/lib/client/people';
import { useApiTokens, useChange } from '@/lib/client/people-queries';
import type { ApiTokenView } from '@/lib/protocol/api-tokens';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { QueryState } from '../ui/query-state';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { ApiTokenDialog } from './api-token-dialog';
import { Failure } from './entrance';
import { grantText } from './grant-text';
import styles from './people.module.css';

type RowProps = { token: ApiTokenView; now: number; onRevoke: () => void };

function TokenRow({ token, now, onRevoke }: RowProps) {
  const { kind, name, hint, owner, grants, expiresAt, lastUsedAt, revokedAt } = token;
  return (
    <tr>
      <Td className={styles.agent}>
        {name}
        <span className={styles.sub}>
          <code>{hint}</code> of {owner}
        </span>
      </Td>
      <Td>
        {kind === 'screen' && <Chip>Screen</Chip>} {grants.map(grantText).join(' · ')}
      </Td>
      <Td>
        {revokedAt !== null && <Chip tone="off">Revoked</Chip>}
        {revokedAt === null && expiresAt <= now && <Chip tone="open">Expired</Chip>}
        {revokedAt === null && expiresAt > now && <Time at={expiresAt} show="instant" />}
      </Td>
      <Td>{lastUsedAt === null ? 'never' : <Time at={lastUsedAt} show="age" />}</Td>
      <Td numeric>
        {revokedAt === null && (
          <Button size="small" kind="quiet" onClick={onRevoke} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        )}
      </Td>
    </tr>
  );
}

/** For scripts, the command line and screens: a part of one's own roles, without a session. */
export function ApiTokens() {
  const [creating, setCreating] = useState(false);
  const tokens = useApiTokens();
  const revoke = useChange('apiTokens', revokeApiToken);
  return (
    <div className={styles.stack}>
      <QueryState query={tokens} what="Your API tokens">
        {(data) =>
          data.tokens.length === 0 ? (
            <p className={styles.sub}>
              None yet. A script, the command line and a screen on the wall need one.
            </p>
          ) : (
            <Table aria-label="API tokens">
              <thead>
                <tr>
                  <Th>Token</Th>
                  <Th>May</Th>
                  <Th>Ends</Th>
                  <Th>Last used</Th>
                  <Th>
                    <span className="visually-hidden">Actions</span>
                  </Th>
                </tr>
              </thead>
              <tbody>
                {data.tokens.map((token) => (
                  <TokenRow
                    key={token.id}
                    token={token}
                    now={data.now}
                    onRevoke={() => revoke.mutate(token.id)}
                  />
                ))}
              </tbody>
            </Table>
          )
        }
      </QueryState>
      <Failure error={revoke.error} title="Not revoked" />
      <div>
        <Button icon={<Plus />} onClick={() => setCreating(true)}>
          New API token
        </Button>
      </div>
      {creating && <ApiTokenDialog onClose={() => setCreating(false)} />}
    </div>
  );
}
