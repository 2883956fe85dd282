/** Elapsed time for a person: `9 s`, `1 min 04 s`. */
export function elapsed(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/**
 * One line that shows what is going on and for how long. On a terminal it is rewritten in place;
 * in a log a new line appears every 15 s, so that a long step is never mistaken for a hang.
 * @param {string} title
 * @param {{ out?: { isTTY?: boolean, write: (text: string) => unknown }, now?: () => number }} options
 */
export function progress(title, { out = process.stderr, now = Date.now } = {}) {
  const startedAt = now();
  let text = title;
  let lastLine = 0;

  function show() {
    const took = now() - startedAt;
    if (out.isTTY) {
      out.write(`\r\u001b[K${text} … ${elapsed(took)}`);
    } else if (took - lastLine >= 15_000) {
      lastLine = took;
      out.write(`${text} … ${elapsed(took)}\n`);
    }
  }

  if (!out.isTTY) out.write(`${text} …\n`);
  const timer = setInterval(show, 1000);
  timer.unref();
  show();

  return {
    update(next) {
      if (next === text) return;
      text = next;
      if (!out.isTTY) out.write(`${text} …\n`);
      show();
    },
    end(word = 'done') {
      clearInterval(timer);
      if (out.isTTY) out.write('\r\u001b[K');
      out.write(`${text}: ${word} (${elapsed(now() - startedAt)})\n`);
    },
  };
}
