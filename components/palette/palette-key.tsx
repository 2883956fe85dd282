'use client';

import { lazy, Suspense } from 'react';
import { useShortcut } from '../shortcuts/use-shortcut';
import { useChosen } from './use-chosen';

/** Neither is part of the first view. */
const Palette = lazy(() => import('./palette'));
const OverrideDialog = lazy(() =>
  import('../override/override-dialog').then((module) => ({ default: module.OverrideDialog })),
);

/** The palette behind its key, on every page. */
export function PaletteKey() {
  const chosen = useChosen();
  useShortcut('palette', chosen.open);
  return (
    <Suspense fallback={null}>
      {chosen.isOpen && <Palette chosen={chosen} />}
      {chosen.asked !== null && <OverrideDialog {...chosen.asked} onClose={chosen.forget} />}
    </Suspense>
  );
}
