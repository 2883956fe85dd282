'use client';

import { useAuditProofQuery, useAuditQuery } from '@/lib/client/queries';
import { Page } from '../shell/page';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { QueryState } from '../ui/query-state';
import { AuditTable } from './audit-table';
import styles from './audit.module.css';
import { ExportButtons } from './export-buttons';
import { filterOf, isFiltered } from './filter';
import { Filters } from './filters';
import { ProofPanel } from './proof-panel';
import { useView } from './use-view';

export function AuditView() {
  const { view, change } = useView();
  const filter = filterOf(view);
  const query = useAuditQuery(filter);
  const proof = useAuditProofQuery();
  return (
    <Page
      title="Audit"
      description="Who did what, refused and failed attempts included. Newest first."
      actions={<ExportButtons filter={filter} />}
    >
      <QueryState query={proof} what="The proof" rows={2}>
        {(known) => <ProofPanel proof={known} />}
      </QueryState>
      <Filters view={view} onView={change} />
      <QueryState query={query} what="The audit trail" rows={10}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length > 0) return <AuditTable rows={rows} proof={proof.data} />;
          return isFiltered(view) ? (
            <EmptyState title="No row matches">
              Fewer filters, or a longer time, show more.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing has been recorded yet">
              The first token or override leaves the first row here.
            </EmptyState>
          );
        }}
      </QueryState>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Load older rows
          </Button>
        </div>
      )}
    </Page>
  );
}
