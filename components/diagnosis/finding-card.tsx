import Link from 'next/link';
import { docOf, findingTexts, severityWords } from '@/lib/diagnosis/texts';
import type { Advice, Evidence, Finding } from '@/lib/protocol/findings';
import { formatCount, formatDuration, formatLatency, formatRate, formatShare } from '../ui/format';
import { Time } from '../ui/time';
import { SeverityMark } from './severity-mark';
import styles from './diagnosis.module.css';

/** A latency has decimals that a wait of minutes does not need. */
const LONG_MS = 60_000;

function Figure({ line }: { line: Evidence }) {
  if (line.unit === 'text') return line.text;
  switch (line.unit) {
    case 'at':
      return <Time at={line.value} />;
    case 'ms':
      return line.value >= LONG_MS ? formatDuration(line.value) : formatLatency(line.value);
    case 'share':
      return formatShare(line.value);
    case 'per_second':
      return `${formatRate(line.value)}/s`;
    default:
      return formatCount(line.value);
  }
}

function EvidenceList({ lines }: { lines: readonly Evidence[] }) {
  return (
    <div>
      <h4 className={styles.heading}>Evidence</h4>
      <dl className={styles.evidence}>
        {lines.map((line) => (
          <div key={line.label + (line.unit === 'text' ? line.text : '')}>
            <dt>{line.label}</dt>
            <dd>
              <Figure line={line} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Change({ advice }: { advice: Advice }) {
  const { option, now, suggest, text } = advice;
  if (option === null) return <li>{text}</li>;
  return (
    <li>
      <code className={styles.option}>{option}</code>
      <span className={styles.values}>
        <code>{now}</code>
        <span aria-hidden="true">→</span>
        <span className="visually-hidden">to</span>
        <code className={styles.suggest}>{suggest}</code>
      </span>
      <span className={styles.because}>{text}</span>
    </li>
  );
}

function AdviceList({ items }: { items: readonly Advice[] }) {
  return (
    <div>
      <h4 className={styles.heading}>What to change</h4>
      <ul className={styles.advice}>
        {items.map((advice) => (
          <Change key={`${advice.option ?? ''} ${advice.text}`} advice={advice} />
        ))}
      </ul>
    </div>
  );
}

type Props = {
  finding: Finding;
  /** Which breaker, where several are listed. */
  breaker?: { name: string; path: string };
  open?: boolean;
};

/** What was seen, why it matters and what to change; folded to its sentence until asked for. */
export function FindingCard({ finding, breaker, open = false }: Props) {
  const { kind, severity, summary, evidence, advice, current, lastAt } = finding;
  const { title, reason } = findingTexts[kind];
  return (
    <details className={styles.card} open={open} data-current={current}>
      <summary className={styles.summary}>
        <SeverityMark severity={severity} />
        <span className={styles.what}>
          <span className={styles.titleLine}>
            <strong>{title}</strong>
            {breaker !== undefined && <bdi>{breaker.name}</bdi>}
            <span className={styles.when}>
              {severityWords[severity]} · <Time at={lastAt} show="age" />
            </span>
          </span>
          <span className={styles.sentence}>{summary}</span>
        </span>
      </summary>
      <div className={styles.body}>
        {/* Here, because the line that folds is a control itself. */}
        {breaker !== undefined && (
          <Link href={breaker.path}>
            Open <bdi>{breaker.name}</bdi>
          </Link>
        )}
        <EvidenceList lines={evidence} />
        <AdviceList items={advice} />
        <p className={styles.reason}>
          <b>Why.</b> {reason} <span className={styles.doc}>{docOf(kind)}</span>
        </p>
      </div>
    </details>
  );
}
