'use client';

import { errorText } from '@/lib/client/api-error';
import { useRemoveInstance } from '@/lib/client/queries';
import type { InstanceView } from '@/lib/protocol/views';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { Dialog } from '../ui/dialog';
import { Time } from '../ui/time';

type Props = { instance: InstanceView | null; onClose: () => void };

/** For what is gone for good: a list of dead copies hides those that should be there. */
export function RemoveInstanceDialog({ instance, onClose }: Props) {
  const remove = useRemoveInstance();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Dialog
      open={instance !== null}
      onOpenChange={close}
      title={`Remove ${instance?.instance ?? 'instance'}?`}
      description="It leaves every list and count. What it reported stays in the history, and it is back by itself as soon as it reports again. The audit trail names you."
      footer={
        <>
          <Button onClick={close}>Keep it</Button>
          <Button
            kind="danger"
            busy={remove.isPending}
            onClick={() => instance && remove.mutate(instance.id, { onSuccess: close })}
          >
            Remove
          </Button>
        </>
      }
    >
      {instance && (
        <p>
          Last heard <Time at={instance.lastSeenAt} />.
        </p>
      )}
      {remove.error && (
        <Callout tone="danger" role="alert" title="Not removed">
          {errorText(remove.error)}
        </Callout>
      )}
    </Dialog>
  );
}
