'use client';

import { createQueryClient, QueryClientProvider } from '@/lib/client/query-client';
import { getMe, isOpenPage } from '@/lib/client/session';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { DEFAULT_PREFERENCES, recall, remember, type Preferences } from './preferences';

type Held = { preferences: Preferences; prefer: (change: Partial<Preferences>) => void };

const PreferencesContext = createContext<Held>({
  preferences: DEFAULT_PREFERENCES,
  prefer: () => undefined,
});

export const usePreferences = (): Held => use(PreferencesContext);

/** Another person at the same browser gets back what they chose, not what the one before chose. */
function usePerson(found: (personId: string) => void): void {
  useEffect(() => {
    if (isOpenPage(window.location.pathname)) return;
    const ask = async () => {
      const me = await getMe();
      if (me !== null) found(me.person.id);
    };
    void ask();
    // Asked once a page: who is signed in changes with a navigation of the whole page only.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
}

type Props = { preferences: Preferences; children: ReactNode };

export function Providers({ preferences: initial, children }: Props) {
  const [queryClient] = useState(createQueryClient);
  const [preferences, setPreferences] = useState(initial);
  const [personId, setPersonId] = useState<string | null>(null);
  const keep = (next: Preferences, owner: string | null) => {
    setPreferences(next);
    remember(next, owner);
  };
  usePerson((id) => {
    setPersonId(id);
    keep(recall(id) ?? { ...DEFAULT_PREFERENCES, theme: preferences.theme }, id);
  });
  const prefer = (change: Partial<Preferences>) => keep({ ...preferences, ...change }, personId);
  return (
    <QueryClientProvider client={queryClient}>
      <PreferencesContext value={{ preferences, prefer }}>{children}</PreferencesContext>
    </QueryClientProvider>
  );
}
