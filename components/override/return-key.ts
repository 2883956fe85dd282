import { useEffect } from 'react';

/** On every button that returns something to automatic. */
export const RETURN_ATTRIBUTE = 'data-return-to-automatic';
/** Around one override or one command: the key means the one that has the focus. */
export const OVERRIDE_ATTRIBUTE = 'data-override';

const BUSY = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** Which button the key stands for: the focused override's, else the page's only one, else the bar's. */
export function returnButtonFor(root: ParentNode, focused: Element | null): HTMLElement | null {
  const button = `[${RETURN_ATTRIBUTE}]`;
  const mine = focused?.closest(`[${OVERRIDE_ATTRIBUTE}]`)?.querySelector<HTMLElement>(button);
  if (mine) return mine;
  const onPage = root.querySelectorAll<HTMLElement>(`main ${button}`);
  const [only] = onPage;
  if (only !== undefined && onPage.length === 1) return only;
  return root.querySelector<HTMLElement>(`aside ${button}`);
}

/** `r` returns to automatic wherever an override is shown; never while somebody types or decides. */
export function useReturnKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'r' || event.repeat) return;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const focused = event.target instanceof Element ? event.target : null;
      if (focused?.closest(BUSY) || document.querySelector('[role="dialog"]')) return;
      returnButtonFor(document, focused)?.click();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
