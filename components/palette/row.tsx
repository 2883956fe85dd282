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
import type { Item, ItemKind, Risk } from './items';
import styles from './palette.module.css';

const ICONS: Record<Exclude<ItemKind, 'Breaker'>, LucideIcon> = {
  Service: Boxes,
  Target: Crosshair,
  Page: FileText,
  Action: Keyboard,
  Command: Hand,
  Person: CircleUser,
};

const RISKS: Record<Risk, string> = {
  L1: 'L1: at once, can be asked for again',
  L2: 'L2: a dialog with preview, reason and lease',
  L3: 'L3: as L2, with the name typed, a fresh proof and, by policy, a second person',
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
          <span className={styles.risk} data-risk={risk} title={RISKS[risk]}>
            {risk}
          </span>
        )}
        {lacks !== undefined && <span className={styles.lacks}>needs {lacks}</span>}
        {keys !== undefined && <Kbd caps={keycaps(keys, isApple())} />}
        <span className={styles.kind}>{item.kind}</span>
      </span>
    </>
  );
}
