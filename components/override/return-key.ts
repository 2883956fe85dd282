import { useShortcut } from '../shortcuts/use-shortcut';

/** On every button that returns something to automatic. */
export const RETURN_ATTRIBUTE = 'data-return-to-automatic';
/** Around one override or one command: the key means the one that has the focus. */
export const OVERRIDE_ATTRIBUTE = 'data-override';

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

/** The key returns to automatic wherever an override is shown. */
export function useReturnKey(): void {
  useShortcut('return', () => returnButtonFor(document, document.activeElement)?.click());
}
