'use client';

import { Eye, Pencil } from 'lucide-react';
import { usePreparing, usePresence } from '@/lib/client/use-live';
import type { PresentPerson } from '@/lib/protocol/live-frames';
import { Callout } from '../ui/callout';
import { Chip } from '../ui/chip';
import { namesText, preparing, preparingText } from './words';

/** From props alone, for the page of the breaker. Locks nothing. */
export function PresenceMark({ people }: { people: readonly PresentPerson[] }) {
  if (people.length === 0) return null;
  const isPreparing = preparing(people).length > 0;
  const Icon = isPreparing ? Pencil : Eye;
  const everybody = people.map(({ name }) => name).join(', ');
  return (
    <Chip
      tone={isPreparing ? 'accent' : 'neutral'}
      icon={<Icon size={11} aria-hidden="true" />}
      title={`Also at this breaker: ${everybody}`}
    >
      <bdi>
        {isPreparing
          ? preparingText(people)
          : `${namesText(people.map(({ name }) => name))} also here`}
      </bdi>
    </Chip>
  );
}

/** [U-48] Who else is at this breaker now; whoever listens is told of an override in the making. */
export function PresentHere({ breakerId }: { breakerId: string }) {
  const people = usePresence(breakerId);
  return (
    <span aria-live="polite">
      <PresenceMark people={people} />
    </span>
  );
}

/** In the dialog: tells the others, and of the others. */
export function AlsoPreparing({ breakerId }: { breakerId: string }) {
  usePreparing(breakerId);
  const people = usePresence(breakerId);
  if (preparing(people).length === 0) return null;
  return (
    <div aria-live="polite">
      <Callout tone="info" title={`${preparingText(people)} of this breaker too`}>
        Nothing is locked: whoever sends second is asked to look again.
      </Callout>
    </div>
  );
}
