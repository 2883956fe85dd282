import { findingTexts } from '@/lib/diagnosis/texts';
import type { FindingKind } from '@/lib/protocol/findings';
import type { BreakerView } from '@/lib/protocol/views';
import { Stethoscope } from 'lucide-react';
import { Chip } from '../ui/chip';
import styles from './diagnosis.module.css';

const namesOf = (kinds: readonly FindingKind[]): string =>
  [...new Set(kinds)].map((kind) => findingTexts[kind].title).join(', ');

/** How many findings a breaker has now; their names on hover and for a screen reader. */
export function FindingMark({ findings = [] }: Pick<BreakerView, 'findings'>) {
  if (findings.length === 0) return null;
  const names = namesOf(findings);
  return (
    <Chip icon={<Stethoscope size={11} aria-hidden="true" />} title={`Diagnosis: ${names}`}>
      <span aria-hidden="true">{findings.length}</span>
      <span className="visually-hidden">Diagnosis: {names}</span>
    </Chip>
  );
}

/** The first finding by its name, with a way to the panel. */
export function FindingsLink({ findings = [] }: Pick<BreakerView, 'findings'>) {
  const [first] = findings;
  if (first === undefined) return null;
  const more = findings.length > 1 ? ` +${findings.length - 1}` : '';
  return (
    <a href="#diagnosis" className={styles.link} title={`Diagnosis: ${namesOf(findings)}`}>
      <Chip icon={<Stethoscope size={11} aria-hidden="true" />}>
        {findingTexts[first].title}
        {more}
      </Chip>
    </a>
  );
}
