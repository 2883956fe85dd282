'use client';

import { useState } from 'react';
import type { TokenView } from '@/lib/protocol/views';
import { EnvironmentChip } from '../shell/environments';
import { Button } from '../ui/button';
import { Chip } from '../ui/chip';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import { RevokeTokenDialog } from './revoke-token-dialog';
import styles from './services.module.css';

const SOON_MS = 7 * 86_400_000;

function TokenState({ token, now }: { token: TokenView; now: number }) {
  if (token.revokedAt !== null) return <Chip tone="off">Revoked</Chip>;
  if (token.expiresAt <= now) return <Chip tone="open">Expired</Chip>;
  if (token.expiresAt - now < SOON_MS) return <Chip tone="forced">Expires soon</Chip>;
  return <Chip>Active</Chip>;
}

type RowProps = { token: TokenView; now: number; onRevoke: () => void };

function TokenRow({ token, now, onRevoke }: RowProps) {
  return (
    <tr>
      <Td className={styles.cell}>
        <span className={styles.name}>{token.name}</span>
        <span className={styles.sub}>
          <code>{token.hint}</code>
        </span>
      </Td>
      <Td>
        <code>{token.servicePattern}</code>
      </Td>
      <Td>
        <EnvironmentChip name={token.environment} quiet />
      </Td>
      <Td>{token.abilities.join(', ')}</Td>
      <Td>
        <TokenState token={token} now={now} />
      </Td>
      <Td>
        <Time at={token.expiresAt} show="instant" />
      </Td>
      <Td>
        {token.lastUsedAt === null ? (
          <span className={styles.muted}>never</span>
        ) : (
          <Time at={token.lastUsedAt} show="age" />
        )}
      </Td>
      <Td numeric>
        {token.revokedAt === null && (
          <Button size="small" kind="quiet" onClick={onRevoke} aria-label={`Revoke ${token.name}`}>
            Revoke
          </Button>
        )}
      </Td>
    </tr>
  );
}

export function TokenTable({ tokens, now }: { tokens: readonly TokenView[]; now: number }) {
  const [revoking, setRevoking] = useState<TokenView | null>(null);
  if (tokens.length === 0) {
    return <p className={styles.muted}>No token yet. Nothing can connect without one.</p>;
  }
  return (
    <>
      <Table aria-label="Agent tokens">
        <thead>
          <tr>
            <Th>Token</Th>
            <Th>Services</Th>
            <Th>Environment</Th>
            <Th>May</Th>
            <Th>State</Th>
            <Th>Expires</Th>
            <Th>Last used</Th>
            <Th>
              <span className="visually-hidden">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} now={now} onRevoke={() => setRevoking(token)} />
          ))}
        </tbody>
      </Table>
      <RevokeTokenDialog token={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}
