'use client';

import { useAuditQuery } from '@/lib/client/queries';
import { Page } from '../shell/page';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { QueryState } from '../ui/query-state';
import { AuditTable } from './audit-table';
import styles from './audit.module.css';

export function AuditView() {
  const query = useAuditQuery();
  return (
    <Page
      title="Audit"
      description="Who did what, refused and failed attempts included. Newest first."
    >
      <QueryState query={query} what="The audit trail" rows={10}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows);
          if (rows.length === 0) {
            return (
              <EmptyState title="Nothing has been recorded yet">
                The first token or override leaves the first row here.
              </EmptyState>
            );
          }
          return <AuditTable rows={rows} />;
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
