'use client';

import { useState } from 'react';
import { realError } from '@/components/people/step-up-dialog';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { Segmented } from '@/components/ui/segmented';
import { Countdown } from '@/components/ui/time';
import { errorText } from '@/lib/client/api-error';
import { useAct } from '@/lib/client/command-queries';
import { changeLease } from '@/lib/client/commands';
import { useServerNow } from '@/lib/client/use-live';
import type { OverrideView } from '@/lib/protocol/views';
import { DEFAULT_LEASE_MS, endsText, leasesFor, minutes } from './lease';
import { StepUp } from './step-up';
import styles from './commands.module.css';

type Props = {
  commandId: string;
  active: readonly OverrideView[];
  about: string;
  onClose: () => void;
};

/** The lease that was on the screen, where all of it has the same one. */
function expected(active: readonly OverrideView[]) {
  const revisions = new Set(active.map(({ leaseRevision }) => leaseRevision));
  const [only] = revisions;
  return only !== undefined && revisions.size === 1 ? { expectedLeaseRevision: only } : {};
}

/** Longer or shorter, counted from now. Longer is as grave as asking for it: the policy decides. */
export function LeaseDialog({ commandId, active, about, onClose }: Props) {
  const [leaseMs, setLeaseMs] = useState(DEFAULT_LEASE_MS);
  const [seen] = useState(() => expected(active));
  const now = useServerNow();
  const kind = active[0]?.kind ?? 'force_open';
  const endsAt = Math.min(...active.map((one) => one.endsAt));
  const change = useAct((stepUpId: string | null) =>
    changeLease(commandId, { leaseMs, ...seen, ...(stepUpId === null ? {} : { stepUpId }) }),
  );
  const error = realError(change.error);
  const go = (stepUpId: string | null) => change.mutate(stepUpId, { onSuccess: onClose });
  const longer = now !== null && now + leaseMs > endsAt;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Change the lease: ${about}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={change.isPending} onClick={() => go(null)}>
            {longer ? 'Extend' : 'Shorten'} to {minutes(leaseMs)} from now
          </Button>
        </>
      }
    >
      {error !== null && (
        <Callout tone="danger" role="alert" title="The lease was not changed">
          {errorText(error)}
        </Callout>
      )}
      <div className={styles.stack}>
        <p>
          It ends in <Countdown to={endsAt} />.
        </p>
        <Segmented
          label="Lease from now"
          value={String(leaseMs)}
          options={leasesFor(kind).map((ms) => ({ value: String(ms), label: minutes(ms) }))}
          onValue={(value) => setLeaseMs(Number(value))}
        />
        {now !== null && <p className={styles.hint}>{endsText(now, leaseMs)}</p>}
      </div>
      <StepUp
        what={`${longer ? 'Extend' : 'Shorten'} to ${minutes(leaseMs)}: ${about}`}
        error={change.error}
        onProved={go}
        onClose={() => change.reset()}
      />
    </Dialog>
  );
}
