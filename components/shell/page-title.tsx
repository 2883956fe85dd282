'use client';

import { useConnection, useFleetSummary, usePausedAt } from '@/lib/client/use-live';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { faviconFor, faviconUrl, titleFor } from './title-text';

const TitleContext = createContext<(title: string | null) => void>(() => undefined);

/** Names the page in the window title while mounted: `usePageTitle(breaker.name)`. */
export function usePageTitle(title: string): void {
  const setTitle = use(TitleContext);
  useEffect(() => {
    setTitle(title);
    return () => setTitle(null);
  }, [setTitle, title]);
}

function setFavicon(href: string): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')) {
    link.type = 'image/svg+xml';
    link.href = href;
  }
}

/** Keeps the window title and the favicon true to the fleet, also in a background tab. */
export function PageTitle({ children }: { children: ReactNode }) {
  const [page, setPage] = useState<string | null>(null);
  const summary = useFleetSummary();
  const { status } = useConnection();
  const paused = usePausedAt() !== null;
  const doubt = paused && status === 'live' ? 'paused' : status;
  const title = titleFor(page, summary, doubt);
  const favicon = faviconUrl(faviconFor(summary, doubt));

  useEffect(() => setFavicon(favicon), [favicon]);

  return (
    <TitleContext value={setPage}>
      <title>{title}</title>
      {children}
    </TitleContext>
  );
}
