import type { AuditRow } from '@/lib/protocol/views';
import styles from './audit.module.css';
import { diffOf, textOf, type DiffLine } from './diff';

type Fact = readonly [name: string, value: string];

function whoFacts({ who, actor }: AuditRow): Fact[] {
  if (who === null) return [['Done by', `${actor} (no person)`]];
  const given: [string, string | null][] = [
    ['Name', who.name],
    ['Kind', who.kind.replace('_', ' ')],
    ['Id', who.id],
    ['Role used', who.role],
    ['Signed in with', who.factors.join(', ')],
    ['Session', who.session],
    ['Address', who.ip],
    ['Program', who.userAgent],
  ];
  return given.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <section className={styles.facts}>
      <h3>{title}</h3>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Diff({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <section className={styles.facts}>
      <h3>Before and after</h3>
      <table className={styles.diff}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ field, before, after, changed }) => (
            <tr key={field} data-changed={changed}>
              <th scope="row">{field}</th>
              <td>
                {before === null ? <em>not there</em> : changed ? <del>{before}</del> : before}
              </td>
              <td>{after === null ? <em>not there</em> : changed ? <ins>{after}</ins> : after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const IN_DIFF = new Set(['before', 'after']);

/** Everything that was recorded, as text. */
export function RowDetails({ row }: { row: AuditRow }) {
  const diff = diffOf(row);
  const details = Object.entries(row.details)
    .filter(([key, value]) => value !== null && !IN_DIFF.has(key))
    .map(([key, value]): Fact => [key, textOf(value)]);
  const { id, subject, hash, previousHash, at } = row;
  return (
    <div className={styles.expanded}>
      {diff !== null && <Diff lines={diff} />}
      <Facts title="What" facts={[['Subject', subject], ...details]} />
      <Facts title="Who" facts={whoFacts(row)} />
      <Facts
        title="Proof"
        facts={[
          ['Row', String(id)],
          ['Time (UTC)', new Date(at).toISOString()],
          ['Hash', hash ?? 'none: from before the chain began'],
          ...(previousHash === null ? [] : ([['Follows', previousHash]] as const)),
        ]}
      />
    </div>
  );
}
