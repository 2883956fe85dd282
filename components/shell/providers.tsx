'use client';

import { createQueryClient, QueryClientProvider } from '@/lib/client/query-client';
import { createContext, use, useState, type ReactNode } from 'react';
import { remember, type Preferences } from './preferences';

type Held = { preferences: Preferences; prefer: (change: Partial<Preferences>) => void };

const PreferencesContext = createContext<Held>({
  preferences: { theme: 'system', density: 'comfortable' },
  prefer: () => undefined,
});

export const usePreferences = (): Held => use(PreferencesContext);

type Props = { preferences: Preferences; children: ReactNode };

export function Providers({ preferences: initial, children }: Props) {
  const [queryClient] = useState(createQueryClient);
  const [preferences, setPreferences] = useState(initial);
  const prefer = (change: Partial<Preferences>) => {
    const next = { ...preferences, ...change };
    setPreferences(next);
    remember(next);
  };
  return (
    <QueryClientProvider client={queryClient}>
      <PreferencesContext value={{ preferences, prefer }}>{children}</PreferencesContext>
    </QueryClientProvider>
  );
}
