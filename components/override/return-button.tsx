'use client';

import { Undo2 } from 'lucide-react';
import { Button, type ButtonKind } from '@/components/ui/button';
import { errorText } from '@/lib/client/api-error';
import { useReleaseOverride } from '@/lib/client/queries';
import styles from './return-button.module.css';

type Props = { overrideId: string; kind?: ButtonKind; size?: 'small' | 'medium'; about: string };

/** One click and no typing: the safe direction is the cheapest. */
export function ReturnButton({ overrideId, kind = 'primary', size = 'medium', about }: Props) {
  const release = useReleaseOverride();
  return (
    <span className={styles.wrap}>
      {release.isError && (
        <span role="alert" className={styles.error}>
          {errorText(release.error)}
        </span>
      )}
      <Button
        kind={kind}
        size={size}
        icon={<Undo2 />}
        busy={release.isPending}
        onClick={() => release.mutate({ id: overrideId, body: {} })}
      >
        Return to automatic<span className="visually-hidden">: {about}</span>
      </Button>
    </span>
  );
}
