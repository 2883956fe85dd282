/** What runs in the page: each is a function without anything from outside itself. */

export type Sight = { readonly id: string; readonly state: string; readonly at: number };
export type Click = { readonly id: string | null };
export type Seen = {
  readonly sights: Sight[];
  readonly longTasks: number[];
  readonly interactions: number[];
  readonly shifts: number[];
  readonly clicks: Click[];
  readonly frames: { count: number; bytes: number };
  firstRowAt: number | null;
};

/** Before the page's own scripts: what it paints, how long it is busy, what it receives. */
// Nothing may be outside of it: the page gets this function alone.
// oxlint-disable unicorn/consistent-function-scoping
export function installProbes(): void {
  const seen: Seen = {
    sights: [],
    longTasks: [],
    interactions: [],
    shifts: [],
    clicks: [],
    frames: { count: 0, bytes: 0 },
    firstRowAt: null,
  };
  Reflect.set(window, '__seen', seen);

  const observe = (type: string, take: (entry: PerformanceEntry) => void, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...options,
    });
  observe('longtask', ({ duration }) => seen.longTasks.push(duration));
  observe('layout-shift', (entry) => {
    if (Reflect.get(entry, 'hadRecentInput') !== true) {
      seen.shifts.push(Number(Reflect.get(entry, 'value')));
    }
  });
  observe(
    'event',
    (entry) => {
      if (Number(Reflect.get(entry, 'interactionId')) > 0) seen.interactions.push(entry.duration);
    },
    { durationThreshold: 16 },
  );

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      this.addEventListener('message', ({ data }) => {
        seen.frames.count += 1;
        seen.frames.bytes += typeof data === 'string' ? data.length : 0;
      });
    }
  };

  document.addEventListener(
    'click',
    (event) => {
      const row = event.target instanceof Element ? event.target.closest('[id^="breaker-"]') : null;
      seen.clicks.push({ id: row?.id ?? null });
    },
    true,
  );

  const channel = new MessageChannel();
  let waiting: { id: string; state: string }[] = [];
  channel.port1.addEventListener('message', () => {
    const at = performance.timeOrigin + performance.now();
    for (const { id, state } of waiting) seen.sights.push({ id, state, at });
    if (waiting.length > 0) seen.firstRowAt ??= performance.now();
    waiting = [];
  });
  channel.port1.start();
  const changed = new Map<string, string>();
  const note = (element: Element) => {
    const state = element.getAttribute('data-state');
    if (state !== null && element.id.startsWith('breaker-')) changed.set(element.id, state);
  };
  // The change counts as painted in the task after the frame that shows it.
  const flush = () => {
    for (const [id, state] of changed) waiting.push({ id, state });
    changed.clear();
    channel.port2.postMessage(null);
  };
  new MutationObserver((records) => {
    const before = changed.size;
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes' && target instanceof Element) note(target);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        note(node);
        node.querySelectorAll('[id^="breaker-"]').forEach(note);
      }
    }
    if (before === 0 && changed.size > 0) requestAnimationFrame(flush);
  }).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-state'],
  });
}

/** Those since the last time; all else goes on. */
export function takeClicks(): Click[] {
  return (Reflect.get(window, '__seen') as Seen).clicks.splice(0);
}

/** Starts a stretch anew and gives what the one before it saw. */
export function takeSeen(): Omit<Seen, 'frames'> & { frames: { count: number; bytes: number } } {
  const seen = Reflect.get(window, '__seen') as Seen;
  const taken = {
    ...seen,
    sights: seen.sights.splice(0),
    longTasks: seen.longTasks.splice(0),
    interactions: seen.interactions.splice(0),
    shifts: seen.shifts.splice(0),
    clicks: seen.clicks.splice(0),
    frames: { ...seen.frames },
  };
  seen.frames.count = 0;
  seen.frames.bytes = 0;
  return taken;
}

/** Rows that can be clicked now, with the middle of each. */
export function visibleRows(): { id: string; x: number; y: number }[] {
  const list = document.querySelector('[role="grid"]')?.getBoundingClientRect();
  if (!list) return [];
  return [...document.querySelectorAll('[id^="breaker-"]')].flatMap((row) => {
    const box = row.getBoundingClientRect();
    const x = box.left + box.width * 0.55;
    const y = box.top + box.height / 2;
    // Not what lies under the head of the table or the bar of what is chosen.
    const free = row.contains(document.elementFromPoint(x, y));
    return free && y < list.bottom - 4 ? [{ id: row.id, x, y }] : [];
  });
}
