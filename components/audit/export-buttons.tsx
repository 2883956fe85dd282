'use client';

import { Download } from 'lucide-react';
import type { AuditFilter, AuditFormat } from '@/lib/client/api';
import { errorText } from '@/lib/client/api-error';
import { useExportAudit } from '@/lib/client/queries';
import { Button } from '../ui/button';
import styles from './audit.module.css';
import { saveFile } from '../ui/save-file';

const NAMES = { jsonl: 'recloser-audit.jsonl', csv: 'recloser-audit.csv' } as const;

/** The rows of the filter in force. An export is itself a row. */
export function ExportButtons({ filter }: { filter: AuditFilter }) {
  const save = useExportAudit((file, format) => saveFile(file, NAMES[format]));
  const button = (format: AuditFormat, label: string, title: string) => (
    <Button
      icon={<Download aria-hidden="true" />}
      busy={save.isPending && save.variables.format === format}
      title={title}
      onClick={() => save.mutate({ filter, format })}
    >
      {label}
    </Button>
  );
  return (
    <div className={styles.export}>
      {button('jsonl', 'JSON lines', 'The exact rows with hashes and checkpoints')}
      {button('csv', 'CSV', 'For reading; formulas are disarmed')}
      {save.isError && (
        <p role="alert" className={styles.exportError}>
          {errorText(save.error)}
        </p>
      )}
    </div>
  );
}
