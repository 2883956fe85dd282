'use client';

import { lazy, Suspense, useEffect } from 'react';
import { useShortcut } from '../shortcuts/use-shortcut';
import { useChosen } from './use-chosen';

/** Neither is part of the first view. */
const loadPalette = () => import('./palette');
const Palette = lazy(loadPalette);
const OverrideDialog = lazy(() =>
  import('../override/override-dialog').then((module) => ({ default: module.OverrideDialog })),
);

/** While it loads it is a dialog already: what is typed ahead must not be taken for keys of the page. */
const LOADING = (
  <dialog open className="visually-hidden" aria-label="Search everything" aria-busy="true" />
);

/** The palette behind its key, on every page. */
export function PaletteKey() {
  const chosen = useChosen();
  useShortcut('palette', chosen.open);
  useEffect(() => void loadPalette(), []);
  return (
    <Suspense fallback={LOADING}>
      {chosen.isOpen && <Palette chosen={chosen} />}
      {chosen.asked !== null && <OverrideDialog {...chosen.asked} onClose={chosen.forget} />}
    </Suspense>
  );
}
