import type { AuditFile, Logger } from '../services/contract';

/**
 * A file as it is made: a reader that is slow slows it down. What fails on the way breaks the
 * connection off, so that half a file is not taken for a whole one.
 */
export function fileAnswer({ name, type, chunks }: AuditFile, log: Logger): Response {
  const encoder = new TextEncoder();
  const iterator = chunks[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (thrown) {
        log.error({ file: name, err: thrown }, 'a file could not be finished');
        controller.error(thrown);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  });
}
