'use client';

import { errorText } from '@/lib/client/api-error';
import { useRevokeToken } from '@/lib/client/queries';
import type { TokenView } from '@/lib/protocol/views';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { Dialog } from '../ui/dialog';

type Props = { token: TokenView | null; onClose: () => void };

export function RevokeTokenDialog({ token, onClose }: Props) {
  const revoke = useRevokeToken();
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <Dialog
      open={token !== null}
      onOpenChange={close}
      title={`Revoke ${token?.name ?? 'token'}?`}
      description="Agents that use it are disconnected at once and cannot come back with it. Their breakers go on by themselves; nobody here sees them."
      footer={
        <>
          <Button onClick={close}>Keep it</Button>
          <Button
            kind="danger"
            busy={revoke.isPending}
            onClick={() => token && revoke.mutate(token.id, { onSuccess: close })}
          >
            Revoke
          </Button>
        </>
      }
    >
      {revoke.error && (
        <Callout tone="danger" role="alert" title="Not revoked">
          {errorText(revoke.error)}
        </Callout>
      )}
    </Dialog>
  );
}
