'use client';

import { SCREEN_PAGE } from '@/lib/client/screen';
import { isOpenPage } from '@/lib/client/session';
import { useConnection } from '@/lib/client/use-live';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Announcer } from './announcer';
import { ConnectionBanner } from './connection-banner';
import { HealthBanner } from './health-banner';
import { ShellKeys } from './keys';
import { PlaceProvider } from './page-place';
import { PageTitle } from './page-title';
import { PausedBanner } from './pause';
import { TopBar } from './top-bar';
import styles from './shell.module.css';
import { ZoneProvider } from './zone';

type Props = { children: ReactNode; overrideBar?: ReactNode; palette?: ReactNode };

/** Around every page but those of people who are not signed in: nothing there is live. */
export function Shell({ children, overrideBar, palette }: Props) {
  const pathname = usePathname();
  if (pathname === SCREEN_PAGE) {
    return (
      <ZoneProvider>
        <PageTitle>{children}</PageTitle>
      </ZoneProvider>
    );
  }
  if (isOpenPage(pathname)) return children;
  return (
    <LiveShell overrideBar={overrideBar} palette={palette}>
      {children}
    </LiveShell>
  );
}

/** A screen on the wall has no bar: nobody is near enough to press anything. */
const isWall = (pathname: string): boolean => pathname === '/wall';

/** Bar, banners, and the mark that says whether what is below is live. */
function LiveShell({ children, overrideBar, palette }: Props) {
  const { status } = useConnection();
  const pathname = usePathname();
  if (isWall(pathname)) {
    return (
      <ZoneProvider>
        <PageTitle>
          <main id="main">{children}</main>
          <Announcer />
          <ShellKeys />
          {palette}
        </PageTitle>
      </ZoneProvider>
    );
  }
  return (
    <ZoneProvider>
      <PageTitle>
        <a href="#main" className={styles.skip}>
          Skip to content
        </a>
        <PlaceProvider>
          <div className={styles.shell}>
            <TopBar />
            <ConnectionBanner />
            <HealthBanner />
            <PausedBanner />
            {overrideBar}
            <main id="main" className={styles.main} data-connection={status} tabIndex={-1}>
              {children}
            </main>
          </div>
        </PlaceProvider>
        <Announcer />
        <ShellKeys />
        {palette}
      </PageTitle>
    </ZoneProvider>
  );
}
