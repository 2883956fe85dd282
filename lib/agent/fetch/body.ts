/** Longest wait for a caller who has stopped reading, in ms. */
const UNREAD_MS = 1_000;

type Bytes = Uint8Array<ArrayBuffer>;

export type BodyEnd =
  /** Everything was read, or the caller wanted no more. */
  | { readonly kind: 'complete' }
  /** The caller stopped reading; `latencyMs` is the time until the last part came. */
  | { readonly kind: 'unread'; readonly latencyMs: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Watches how a body ends while the caller reads it. A body that is not being read says nothing
 * about the target, so that the watch ends soon, well before the permit does.
 */
class BodyWatch {
  readonly #startedAt: number;
  readonly #lifeMs: number;
  readonly #onEnd: (end: BodyEnd) => void;
  #timer: NodeJS.Timeout | undefined;
  #over = false;

  constructor(startedAt: number, lifeMs: number, onEnd: (end: BodyEnd) => void) {
    this.#startedAt = startedAt;
    this.#lifeMs = lifeMs;
    this.#onEnd = onEnd;
    this.#waitForReader();
  }

  reading(): void {
    clearTimeout(this.#timer);
  }

  #waitForReader(): void {
    if (this.#over) return;
    const latencyMs = performance.now() - this.#startedAt;
    const waitMs = Math.min(UNREAD_MS, Math.max(0, this.#lifeMs - latencyMs) / 2);
    this.#timer = setTimeout(() => this.finish({ kind: 'unread', latencyMs }), waitMs);
    this.#timer.unref();
  }

  received(): void {
    this.#waitForReader();
  }

  finish(end: BodyEnd): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#onEnd(end);
  }
}

/** The same answer with a body that tells its end, once and before the reader sees it. */
export function watchBody(
  response: Response,
  body: ReadableStream<Bytes>,
  startedAt: number,
  lifeMs: number,
  onEnd: (end: BodyEnd) => void,
): Response {
  const watch = new BodyWatch(startedAt, lifeMs, onEnd);
  const reader = body.getReader();
  const stream = new ReadableStream(
    {
      type: 'bytes',
      pull: (controller) => pull(reader, controller, watch),
      cancel: (reason) => {
        watch.finish({ kind: 'complete' });
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new WatchedResponse(response, stream);
}

async function pull(
  reader: ReadableStreamDefaultReader<Bytes>,
  controller: ReadableByteStreamController,
  watch: BodyWatch,
): Promise<void> {
  watch.reading();
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- until there is something to hand on
      const { done, value } = await reader.read();
      if (done) {
        watch.finish({ kind: 'complete' });
        controller.close();
        controller.byobRequest?.respond(0);
        return;
      }
      if (value.byteLength > 0) {
        controller.enqueue(value);
        watch.received();
        return;
      }
    }
  } catch (error) {
    watch.finish({ kind: 'failed', error });
    throw error;
  }
}

/** A made response has no address of its own. */
class WatchedResponse extends Response {
  readonly #original: Response;

  constructor(original: Response, body: ReadableStream<Bytes>) {
    const { status, statusText, headers } = original;
    super(body, { status, statusText, headers });
    this.#original = original;
  }

  override get url(): string {
    return this.#original.url;
  }

  override get redirected(): boolean {
    return this.#original.redirected;
  }

  override get type(): ResponseType {
    return this.#original.type;
  }
}
