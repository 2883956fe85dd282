/**
 * [U-50] Texts a third longer, as in another language: a stand-in for a catalogue of texts, which the
 * console does not have. Both functions run in the page and may use nothing from outside.
 */

/** Every text of the interface, now and later; what is typed, code and names of breakers stay. */
export function lengthenTexts(): void {
  const KEPT = 'script, style, code, pre, kbd, bdi, time, option, svg, [data-kept]';
  const written = new WeakMap<Node, string>();
  const lengthen = (node: Node): void => {
    const text = node.nodeValue ?? '';
    if (written.get(node) === text || !/\p{L}{3}/u.test(text)) return;
    if (node.parentElement?.closest(KEPT) !== null) return;
    const longer = text.replace(
      /\p{L}{3,}/gu,
      (word) => word + 'ó'.repeat(Math.ceil(word.length * 0.35)),
    );
    written.set(node, longer);
    node.nodeValue = longer;
  };
  const walk = (root: Node): void => {
    if (root.nodeType === Node.TEXT_NODE) return lengthen(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() !== null) lengthen(walker.currentNode);
  };
  walk(document.body);
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.nodeType === Node.TEXT_NODE) lengthen(target);
      for (const node of addedNodes) walk(node);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}

/** Texts that are cut without a tooltip that has them whole, and what makes the page scroll sideways. */
export function cutTexts(): string[] {
  const root = document.documentElement;
  const found: string[] = [];
  if (root.scrollWidth > root.clientWidth + 1) {
    found.push(`the page is ${root.scrollWidth} wide at ${root.clientWidth}`);
  }
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const hasText = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && /\p{L}{3}/u.test(nodeValue ?? ''),
    );
    if (!hasText || element.closest('.visually-hidden, svg, [hidden]') !== null) continue;
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    if (display === 'inline' || element.clientWidth === 0) continue;
    if (element.scrollWidth <= element.clientWidth + 1) continue;
    const isTold = textOverflow === 'ellipsis' && element.closest('[title]') !== null;
    if (overflowX === 'auto' || overflowX === 'scroll' || isTold) continue;
    found.push(`<${element.tagName.toLowerCase()} ${element.className}> ${element.textContent}`);
  }
  return [...new Set(found)];
}
