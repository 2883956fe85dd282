import {
  Boxes,
  CircleUser,
  Crosshair,
  FileText,
  Hand,
  Keyboard,
  type LucideIcon,
} from 'lucide-react';
import { isApple, keycaps } from '../shortcuts/chord';
import { rollUpFreshness, StateGlyph, stateLabel } from '../state';
import { Kbd } from '../ui/kbd';
import type { Item, ItemKind } from './items';
import styles from './palette.module.css';

const ICONS: Record<Exclude<ItemKind, 'Breaker'>, LucideIcon> = {
  Service: Boxes,
  Target: Crosshair,
  Page: FileText,
  Action: Keyboard,
  Command: Hand,
  Person: CircleUser,
};

function Sign({ item: { kind, row } }: { item: Item }) {
  if (kind === 'Breaker') {
    return row === undefined ? null : (
      <StateGlyph state={row.state} freshness={rollUpFreshness(row.instances)} />
    );
  }
  const Icon = ICONS[kind];
  return <Icon size={14} aria-hidden="true" />;
}

/** One line: sign, name, where it is, and what it takes. */
export function PaletteRow({ item }: { item: Item }) {
  const { row, risk, lacks, keys } = item;
  return (
    <>
      <span className={styles.sign}>
        <Sign item={item} />
      </span>
      <span className={styles.name}>
        <bdi>{item.name}</bdi>
      </span>
      <span className={styles.detail}>
        <bdi>{item.detail}</bdi>
      </span>
      <span className={styles.end}>
        {row !== undefined && (
          <span className={styles.state}>
            {stateLabel(row.state, rollUpFreshness(row.instances))}
          </span>
        )}
        {risk !== undefined && (
          <span className={styles.risk} data-risk={risk.level} title={risk.takes}>
            {risk.label}
          </span>
        )}
        {lacks !== undefined && <span className={styles.lacks}>needs {lacks}</span>}
        {keys !== undefined && <Kbd caps={keycaps(keys, isApple())} />}
        <span className={styles.kind}>{item.kind}</span>
      </span>
    </>
  );
}
