import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '@/lib/client/api-error';
import { useAct, usePreview } from '@/lib/client/command-queries';
import { issueCommand, type CommandBody } from '@/lib/client/commands';
import { queryKeys } from '@/lib/client/query-keys';
import { setPaused } from '@/lib/client/use-live';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { IssueCommandBody } from '@/lib/protocol/commands';
import {
  askedOf,
  bodyOf,
  draftOf,
  isFine,
  previewFor,
  problemsOf,
  type Draft,
  type First,
} from './draft';
import { changedFacts } from './preview-words';
import type { Kind } from './kinds';
import type { Row } from './scope';

/** The fresh preview that a refusal brings along. */
export function freshPreview(error: unknown): CommandPreview | null {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return null;
  const preview: unknown = error.details['preview'];
  const is = typeof preview === 'object' && preview !== null && 'digest' in preview;
  return is ? (preview as CommandPreview) : null;
}

type Asking = {
  readonly row: Row;
  readonly kind: Kind;
  readonly first: First | null;
  readonly now: number;
  readonly onSent: (issued: CommandBody) => void;
};

/**
 * State of one override dialog. The facts that a person has seen are kept: when the server's change
 * under the form, sending waits for another look.
 */
export function useOverrideDialog({ row, kind, first, now, onSent }: Asking) {
  const client = useQueryClient();
  // Nobody decides on a picture that stands still.
  useEffect(() => setPaused(false), []);
  const [draft, setDraft] = useState<Draft>(() => draftOf(first));
  const [tried, setTried] = useState(false);
  const [seen, setSeen] = useState<CommandPreview | null>(null);
  const [sent, setSent] = useState<IssueCommandBody | null>(null);
  const issue = useAct(issueCommand);
  const asked = askedOf(row, kind, draft);
  // While it is being sent or has been, the preview has done its work.
  const preview = usePreview(asked, !issue.isPending && !issue.isSuccess);
  const latest = previewFor(preview.data, asked);
  const looked = previewFor(seen, asked) ?? latest;
  const changes = looked !== null && latest !== null ? changedFacts(looked, latest) : [];
  const problems = problemsOf(row, draft, latest, now);

  const put = (body: IssueCommandBody) => {
    setSent(body);
    setSeen(looked);
    issue.mutate(body, {
      onSuccess: onSent,
      onError: (error) => {
        const fresh = freshPreview(error);
        if (fresh !== null) client.setQueryData(queryKeys.preview(asked), fresh);
      },
    });
  };
  return {
    draft,
    edit: (change: Partial<Draft>) => {
      // From the first key on, the facts on the screen are those that count.
      setSeen(looked);
      setDraft((before) => ({ ...before, ...change }));
    },
    leave: () => setTried(true),
    problems,
    /** Shown once a person has tried to send or has left the field. */
    shown: tried ? problems : { ...problems, reason: null, start: null },
    preview,
    latest,
    /** The facts that were on the screen when it was decided. */
    looked,
    changes,
    lookAgain: () => {
      setSeen(latest);
      issue.reset();
      void preview.refetch();
    },
    canSend: latest !== null && changes.length === 0 && problems.name === null,
    send: () => {
      setTried(true);
      if (asked === null || latest === null || changes.length > 0 || !isFine(problems)) return;
      put(bodyOf(asked, draft, latest, crypto.randomUUID()));
    },
    /** The same command once more, now with the proof that it asked for. */
    sendProved: (stepUpId: string) => {
      if (sent !== null) put({ ...sent, stepUpId });
    },
    issue,
  };
}

export type HeldDialog = ReturnType<typeof useOverrideDialog>;
