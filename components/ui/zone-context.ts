'use client';

import { createContext, use } from 'react';
import { UTC } from './zone';

export const ZoneContext = createContext<string>(UTC);

/** The zone in which times are shown now: pass it to `formatClock` and its kin. */
export const useZone = (): string => use(ZoneContext);
