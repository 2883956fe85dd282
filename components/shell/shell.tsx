'use client';

import { useConnection } from '@/lib/client/use-live';
import type { ReactNode } from 'react';
import { Announcer } from './announcer';
import { ConnectionBanner } from './connection-banner';
import { PageTitle } from './page-title';
import { TopBar } from './top-bar';
import styles from './shell.module.css';

type Props = { children: ReactNode; overrideBar?: ReactNode };

/** Around every page: bar, banners, and the mark that says whether what is below is live. */
export function Shell({ children, overrideBar }: Props) {
  const { status } = useConnection();
  return (
    <PageTitle>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      <div className={styles.shell}>
        <TopBar />
        <ConnectionBanner />
        {overrideBar}
        <main id="main" className={styles.main} data-connection={status} tabIndex={-1}>
          {children}
        </main>
      </div>
      <Announcer />
    </PageTitle>
  );
}
