'use client';

import { Undo2 } from 'lucide-react';
import { Button, type ButtonKind } from '@/components/ui/button';
import { errorText } from '@/lib/client/api-error';
import { useAct } from '@/lib/client/command-queries';
import { releaseCommand } from '@/lib/client/commands';
import { useMe } from '@/lib/client/people-queries';
import { useReleaseOverride } from '@/lib/client/queries';
import { useKeys } from '../shortcuts/use-shortcut';
import { allowsPerson, type Place } from './allowed';
import { RETURN_ATTRIBUTE } from './return-key';
import styles from './return-button.module.css';

type Look = {
  kind?: ButtonKind;
  size?: 'small' | 'medium';
  about: string;
  /** Where it is in force: hidden from whoever may not let go there. */
  places: readonly Place[];
};
type Act = { isPending: boolean; error: Error | null; go: () => void };

/** One click, or one key, and no typing: the safe direction is the cheapest. [U-21] */
function Returning(props: Look & { act: Act }) {
  const { kind = 'primary', size = 'medium', about, places, act } = props;
  const me = useMe().data;
  const { keys, aria } = useKeys('return');
  if (me !== undefined && !allowsPerson(me, 'override.release', ...places)) return null;
  return (
    <span className={styles.wrap}>
      {act.error !== null && (
        <span role="alert" className={styles.error}>
          {errorText(act.error)}
        </span>
      )}
      <Button
        kind={kind}
        size={size}
        icon={<Undo2 />}
        busy={act.isPending}
        aria-keyshortcuts={aria}
        title={`Key: ${keys}`}
        {...{ [RETURN_ATTRIBUTE]: '' }}
        onClick={act.go}
      >
        Return to automatic<span className="visually-hidden">: {about}</span>
      </Button>
    </span>
  );
}

export function ReturnButton({ overrideId, ...look }: Look & { overrideId: string }) {
  const { isPending, error, mutate } = useReleaseOverride();
  const go = () => mutate({ id: overrideId, body: {} });
  return <Returning {...look} act={{ isPending, error, go }} />;
}

/** Everything of one command at once. */
export function ReturnCommandButton({ id, ...look }: Look & { id: string }) {
  const { isPending, error, mutate } = useAct(() => releaseCommand(id, {}));
  return <Returning {...look} act={{ isPending, error, go: () => mutate(undefined) }} />;
}
