'use client';

import { Copy, FileCheck, KeyRound, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorText } from '@/lib/client/api-error';
import { useDownloadCheckpoint } from '@/lib/client/queries';
import type { AuditProofBody } from '@/lib/protocol/audit';
import { Button } from '../ui/button';
import { Callout } from '../ui/callout';
import { formatCount, formatDuration } from '../ui/format';
import { Time } from '../ui/time';
import styles from './audit.module.css';
import { lostText, rowsText, shortKey, spanText, unprovenSpans } from './proof-words';
import { saveFile } from '../ui/save-file';

type Fact = { icon: ReactNode; tone: 'good' | 'quiet' | 'bad'; title: string; children: ReactNode };

function FactCard({ icon, tone, title, children }: Fact) {
  return (
    <div className={styles.fact} data-tone={tone}>
      {icon}
      <div>
        <strong>{title}</strong>
        <p>{children}</p>
      </div>
    </div>
  );
}

function Verified({ verified, head }: AuditProofBody) {
  if (verified === null) {
    return (
      <FactCard icon={<FileCheck size={16} />} tone="quiet" title="Being verified">
        The console is reading its own trail; {formatCount(head.row)} rows.
      </FactCard>
    );
  }
  const { problem } = verified;
  if (problem !== null) {
    return (
      <FactCard
        icon={<ShieldAlert size={16} />}
        tone="bad"
        title={`Not as written: row ${problem.row}`}
      >
        {problem.message}
      </FactCard>
    );
  }
  return (
    <FactCard
      icon={<ShieldCheck size={16} />}
      tone="good"
      title={`Verified up to row ${formatCount(verified.row)}`}
    >
      By the console itself, <Time at={verified.at} show="age" />
    </FactCard>
  );
}

function Signed({ checkpoint, unsignedRows }: AuditProofBody) {
  if (checkpoint === null) {
    return (
      <FactCard icon={<KeyRound size={16} />} tone="quiet" title="Nothing signed yet">
        Rows are bound to each other; no key vouches for them.
      </FactCard>
    );
  }
  const { toRow, at, keyId } = checkpoint;
  return (
    <FactCard
      icon={<KeyRound size={16} />}
      tone="good"
      title={`Signed up to row ${formatCount(toRow)}`}
    >
      <Time at={at} show="age" />, key <code title={keyId}>{shortKey(keyId)}</code>
      {unsignedRows > 0 && `; ${formatCount(unsignedRows)} since`}
    </FactCard>
  );
}

function Copied({ sink }: AuditProofBody) {
  if (sink === null) {
    return (
      <FactCard icon={<Copy size={16} />} tone="quiet" title="No second place">
        The rows are on this machine only. Set RECLOSER_AUDIT_LOG.
      </FactCard>
    );
  }
  const { name, state, lagRows, lagMs, failingSince } = sink;
  if (state === 'failing' && failingSince !== null) {
    return (
      <FactCard icon={<Copy size={16} />} tone="bad" title="The second place takes no rows">
        {name}: {formatCount(lagRows)} rows behind, since <Time at={failingSince} show="instant" />
      </FactCard>
    );
  }
  const behind = `${formatCount(lagRows)} rows, ${formatDuration(lagMs)} behind`;
  return (
    <FactCard icon={<Copy size={16} />} tone="good" title="Copied to a second place">
      <span className={styles.path}>{name}</span>, {lagRows === 0 ? 'in step' : behind}
    </FactCard>
  );
}

function CheckpointButton() {
  const save = useDownloadCheckpoint((file) => saveFile(file, 'recloser-checkpoint.json'));
  return (
    <>
      <Button
        size="small"
        busy={save.isPending}
        title="Kept elsewhere, it gives an older or shorter database away"
        onClick={() => save.mutate()}
      >
        Download checkpoint
      </Button>
      {save.isError && <span role="alert">{errorText(save.error)}</span>}
    </>
  );
}

function Alarms({ alarms }: AuditProofBody) {
  const [newest] = alarms;
  if (newest === undefined) return null;
  const instances = new Set(alarms.map((alarm) => alarm.subject)).size;
  const { instance, service } = newest.details;
  const who =
    typeof instance === 'string' && typeof service === 'string'
      ? `${service} / ${instance}`
      : newest.subject;
  return (
    <Callout
      tone="danger"
      role="alert"
      title={`${instances === 1 ? 'An agent remembers' : `${instances} agents remember`} another audit trail`}
    >
      Last said by {who}, <Time at={newest.at} />, row {newest.row}. Either an older database was
      put back here, or somebody changed it.
    </Callout>
  );
}

function Spans({ proof }: { proof: AuditProofBody }) {
  const spans = unprovenSpans(proof);
  if (spans.length === 0) return null;
  return (
    <details className={styles.spans}>
      <summary>
        {spans.length === 1 ? '1 span' : `${spans.length} spans`} of which less is proven
      </summary>
      <ul>
        {spans.toReversed().map((span) => (
          <li key={`${span.action} ${span.fromRow} ${span.fromAt}`}>
            <span className={styles.spanRows}>{rowsText(span)}</span> {spanText(span)}
            {lostText(span) !== null && `; ${lostText(span)}`}, <Time at={span.fromAt} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** How much the page below is worth. */
export function ProofPanel({ proof }: { proof: AuditProofBody }) {
  return (
    <section className={styles.panel} aria-label="Proof">
      <Alarms {...proof} />
      <div className={styles.factRow}>
        <Verified {...proof} />
        <Signed {...proof} />
        <Copied {...proof} />
        <div className={styles.checkpoint}>
          <CheckpointButton />
        </div>
      </div>
      <Spans proof={proof} />
    </section>
  );
}
