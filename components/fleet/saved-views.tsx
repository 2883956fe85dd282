'use client';

import { Bookmark, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { Button, IconButton } from '../ui/button';
import { Field, Input } from '../ui/field';
import { Popover } from '../ui/popover';
import { addressQuery, readAddress } from './address';
import styles from './saved-views.module.css';
import { useViews } from './use-views';
import { BUILT_IN, MAX_NAME, withView, type SavedView } from './views';

/** The look without the cursor: a view is a way of looking, not a place in it. */
function viewQuery(params: URLSearchParams): string {
  return addressQuery({ ...readAddress(params), at: null });
}

function ViewLink({
  view,
  here,
  onRemove,
}: {
  view: SavedView;
  here: string;
  onRemove?: () => void;
}) {
  const pathname = usePathname();
  return (
    <li className={styles.item}>
      <Link
        href={pathname + view.query}
        className={styles.link}
        aria-current={view.query === here ? 'true' : undefined}
      >
        <bdi>{view.name}</bdi>
      </Link>
      {onRemove && (
        <IconButton label={`Remove ${view.name}`} size="small" onClick={onRemove}>
          <Trash2 size={13} />
        </IconButton>
      )}
    </li>
  );
}

function SaveForm({ here, onSave }: { here: string; onSave: (view: SavedView) => boolean }) {
  const [name, setName] = useState('');
  const [refused, setRefused] = useState(false);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const saved = onSave({ name, query: here });
        setRefused(!saved);
        if (saved) setName('');
      }}
    >
      <Field
        label="Keep this view as"
        error={
          refused
            ? `A name of 1 to ${MAX_NAME} characters that no built-in view has, please.`
            : null
        }
      >
        {(wiring) => (
          <Input
            {...wiring}
            value={name}
            maxLength={MAX_NAME}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" size="small">
        Save
      </Button>
    </form>
  );
}

/** Named addresses. They are links, so they open in a tab and can be sent to somebody. */
export function SavedViews() {
  const { views, save } = useViews();
  const here = viewQuery(new URLSearchParams(useSearchParams().toString()));
  const current = [...BUILT_IN, ...views].find((view) => view.query === here && view.query !== '');
  return (
    <Popover
      title="Views"
      trigger={
        <Button icon={<Bookmark />}>
          <span className={styles.current}>
            <span className={current && 'visually-hidden'}>Views </span>
            {current?.name}
          </span>
        </Button>
      }
    >
      <ul className={styles.list}>
        {BUILT_IN.map((view) => (
          <ViewLink key={view.name} view={view} here={here} />
        ))}
        {views.map((view) => (
          <ViewLink
            key={view.name}
            view={view}
            here={here}
            onRemove={() => save(views.filter((one) => one !== view))}
          />
        ))}
      </ul>
      <SaveForm
        here={here}
        onSave={(view) => {
          const next = withView(views, view);
          if (next !== null) save(next);
          return next !== null;
        }}
      />
      <p className={styles.note}>Kept in this browser. Every view is a link: send the address.</p>
    </Popover>
  );
}
