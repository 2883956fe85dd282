import { useState } from 'react';
import { ApiError } from '@/lib/client/api-error';
import { useImpact, useIssueOverride } from '@/lib/client/queries';
import type { ImpactBody } from '@/lib/client/bodies';
import type { Draft, DraftErrors } from './form';
import { sameFacts } from './impact-words';
import type { Kind } from './kinds';
import { DEFAULT_LEASE_MS } from './lease';
import { reasonError } from './validate';

const NOTHING_TOUCHED = { reason: false };

function errorsOf(draft: Draft): DraftErrors {
  return { reason: reasonError(draft.reason) };
}

/**
 * State of one override dialog. The facts that a person has seen are kept: when the server's change
 * under the form, sending waits for another look.
 */
export function useOverrideDialog(breakerId: string, kind: Kind) {
  const [draft, setDraft] = useState<Draft>({
    reason: '',
    leaseMs: DEFAULT_LEASE_MS,
  });
  const [touched, setTouched] = useState(NOTHING_TOUCHED);
  const [seen, setSeen] = useState<ImpactBody | null>(null);
  const issue = useIssueOverride();
  // While it is being sent or has been, the preview has done its work.
  const impact = useImpact(breakerId, kind, !issue.isPending && !issue.isSuccess);
  const latest = impact.data ?? null;
  const looked = seen ?? latest;
  const changed = looked !== null && latest !== null && !sameFacts(looked, latest);
  const errors = errorsOf(draft);
  const conflict = issue.error instanceof ApiError && issue.error.code === 'conflict';

  const send = () => {
    setTouched({ reason: true });
    if (errors.reason !== null || latest === null || changed) return;
    const { leaseMs } = draft;
    issue.mutate({
      breakerId,
      kind,
      reason: draft.reason.trim(),
      ...(kind === 'reset' ? {} : { leaseMs }),
      expectedGeneration: latest.generation,
      idempotencyKey: crypto.randomUUID(),
    });
  };

  return {
    draft,
    edit: (change: Partial<Draft>) => {
      // From the first key on, the facts on the screen are those that count.
      setSeen((before) => before ?? latest);
      setDraft((before) => ({ ...before, ...change }));
    },
    leave: (field: keyof DraftErrors) => setTouched((before) => ({ ...before, [field]: true })),
    errors: {
      reason: touched.reason ? errors.reason : null,
    },
    impact,
    latest,
    changed,
    lookAgain: () => {
      setSeen(latest);
      issue.reset();
      void impact.refetch();
    },
    conflict,
    issue,
    send,
  };
}
