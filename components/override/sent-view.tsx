'use client';

import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog } from '@/components/ui/dialog';
import { Countdown } from '@/components/ui/time';
import { useOverrides } from '@/lib/client/use-live';
import type { OverrideView } from '@/lib/protocol/views';
import { isActive, KINDS } from './kinds';
import { ProgressTable } from './progress';
import { endText, progressOf, progressText, type Progress } from './progress-words';
import { ReturnButton } from './return-button';

const HEAD: Record<Progress, { tone: 'info' | 'warning' | 'danger'; title: string }> = {
  waiting: { tone: 'info', title: 'Sent; waiting for the instances' },
  all: { tone: 'info', title: 'Every instance has applied it' },
  some: { tone: 'warning', title: 'Not every instance has applied it' },
  none: { tone: 'danger', title: 'No instance has applied it' },
};

/** After sending: what each instance answered. The live store knows more than the first answer. */
export function SentView({ issued, onClose }: { issued: OverrideView; onClose: () => void }) {
  const override = useOverrides().find((one) => one.id === issued.id) ?? issued;
  const head = HEAD[progressOf(override)];
  const ended = override.endedAt !== null;
  const active = isActive(override);
  return (
    <Dialog
      open
      width="wide"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`${KINDS[override.kind].name} ${override.breaker}`}
      footer={
        <>
          {active && (
            <ReturnButton overrideId={override.id} kind="secondary" about={override.breaker} />
          )}
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <output>
        <Callout tone={ended ? 'info' : head.tone} title={ended ? endText(override) : head.title}>
          {ended && 'It was '}
          {progressText(override)}
          {active && (
            <>
              {' '}
              · ends in <Countdown to={override.endsAt} />
            </>
          )}
        </Callout>
      </output>
      <ProgressTable override={override} />
    </Dialog>
  );
}
