'use client';

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { Callout } from '../ui/callout';
import { choose } from './choose';
import type { Item } from './items';
import styles from './palette.module.css';
import { PaletteRow } from './row';
import type { Chosen } from './use-chosen';
import { useSource } from './use-source';

type ListProps = { items: Item[]; onChoose: (item: Item) => void };

function Results({ items, onChoose }: ListProps) {
  return (
    <>
      <Autocomplete.Status className="visually-hidden">
        {items.length === 1 ? '1 result' : `${items.length} results`}
      </Autocomplete.Status>
      <Autocomplete.Empty>
        <p className={styles.empty}>
          Nothing has such a name. Try part of a breaker, service, target or page.
        </p>
      </Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(item: Item) => (
          <Autocomplete.Item
            key={item.id}
            value={item}
            className={styles.item}
            disabled={item.lacks !== undefined}
            onClick={() => onChoose(item)}
          >
            <PaletteRow item={item} />
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </>
  );
}

/** The inside, mounted while open: what it chooses from is the fleet of that moment. */
function Inside({ chosen }: { chosen: Chosen }) {
  const { query, setQuery } = chosen;
  const source = useSource();
  const items = choose(source, query);
  const onChoose = (item: Item) => {
    if (item.act.type === 'type') setQuery(item.act.text);
    else chosen.run(item);
  };
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      items={items}
      value={query}
      // A choice would write its own name into the field.
      onValueChange={(text, { reason }) => {
        if (reason !== 'item-press') setQuery(text);
      }}
      itemToStringValue={({ name }: Item) => name}
      autoHighlight="always"
      keepHighlight
    >
      <div className={styles.field}>
        <Search size={16} aria-hidden="true" />
        <Autocomplete.Input
          className={styles.input}
          aria-label="Search everything"
          placeholder="Breaker, service, target, page or command"
        />
        <kbd className={styles.esc}>Esc</kbd>
      </div>
      {chosen.error !== null && (
        <Callout tone="danger" role="alert" title="It was not done">
          {chosen.error}
        </Callout>
      )}
      <Results items={items} onChoose={onChoose} />
    </Autocomplete.Root>
  );
}

export default function Palette({ chosen }: { chosen: Chosen }) {
  return (
    <Dialog.Root
      open={chosen.isOpen}
      onOpenChange={(open) => {
        if (!open) chosen.close();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Search everything">
          <Inside chosen={chosen} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
