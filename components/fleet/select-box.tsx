import styles from './row.module.css';

type Props = {
  id: string;
  name: string;
  selected: boolean;
  hands: { onToggle: (id: string) => void; onExtend: (id: string) => void };
};

/** For the mouse; by keys the list itself selects, with one tab stop for all of it. */
export function SelectBox({ id, name, selected, hands }: Props) {
  return (
    <label className={styles.select} data-on={selected || undefined}>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={selected}
        aria-label={`Select ${name}`}
        onClick={(event) => {
          if (event.shiftKey) hands.onExtend(id);
          else hands.onToggle(id);
        }}
        // The list decides; a box that follows it needs a handler all the same.
        onChange={() => undefined}
      />
    </label>
  );
}
