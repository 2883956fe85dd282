'use client';

import { createContext, use, useState, type ReactNode } from 'react';
import type { FactorName } from '@/lib/protocol/people';
import { stepUpFactors, StepUpDialog } from './step-up-dialog';

type Asked = { factors: readonly FactorName[]; again: () => void };

const FreshContext = createContext<(asked: Asked) => void>(() => undefined);

/** What the proof is for: factors of the own profile, for the five minutes that it stays fresh. */
export const FRESH_DIGEST = 'profile.factors';

/** Asks for a fresh factor when a change of the profile needs one, then repeats the change. */
export function FreshProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <FreshContext value={setAsked}>
      {children}
      {asked !== null && (
        <StepUpDialog
          digest={FRESH_DIGEST}
          factors={asked.factors}
          onClose={() => setAsked(null)}
          onProved={() => {
            setAsked(null);
            asked.again();
          }}
        />
      )}
    </FreshContext>
  );
}

/** For `onError` of a change: asks when that is what is missing. */
export function useFreshOr(): (error: Error, again: () => void) => void {
  const ask = use(FreshContext);
  return (error, again) => {
    const factors = stepUpFactors(error);
    if (factors !== null) ask({ factors, again });
  };
}
