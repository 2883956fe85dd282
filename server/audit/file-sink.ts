import { closeSync, ftruncateSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { auditCheckpoint } from '@/lib/protocol/audit';
import type { AuditSink, SinkPosition } from '../services/audit/parts';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 64 * 1024;

const rowLine = z.object({
  kind: z.literal('audit'),
  id: z.int(),
  hash: z.string().nullable(),
  chainId: z.string().nullable(),
});
const checkpointLine = z.object({
  kind: z.literal('audit_checkpoint'),
  checkpoint: auditCheckpoint,
});
const line = z.union([rowLine, checkpointLine]);

/** Whole lines from the last to the first; what follows the last newline is left out. */
function* linesFromEnd(handle: number, size: number): Generator<{ text: string; end: number }> {
  let rest = Buffer.alloc(0);
  let position = size;
  let end: number | null = null;
  while (position > 0) {
    const length = Math.min(CHUNK_BYTES, position);
    position -= length;
    const chunk = Buffer.alloc(length);
    readSync(handle, chunk, 0, length, position);
    rest = Buffer.concat([chunk, rest]);
    for (let at = rest.lastIndexOf(NEWLINE); at !== -1; at = rest.lastIndexOf(NEWLINE)) {
      if (end !== null) yield { text: rest.subarray(at + 1).toString('utf8'), end };
      end = position + at + 1;
      rest = rest.subarray(0, at);
    }
  }
  if (end !== null) yield { text: rest.toString('utf8'), end };
}

function parseLine(text: string): z.infer<typeof line> | null {
  try {
    const parsed = line.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The last row and the last checkpoint of the chain that the file ends with. */
function lastPosition(handle: number, size: number): SinkPosition | null {
  let row: z.infer<typeof rowLine> | null = null;
  let checkpoint: z.infer<typeof auditCheckpoint> | null = null;
  for (const { text } of linesFromEnd(handle, size)) {
    const found = parseLine(text);
    if (found?.kind === 'audit') row ??= found;
    if (found?.kind === 'audit_checkpoint') checkpoint ??= found.checkpoint;
    if (row !== null && checkpoint !== null) break;
  }
  if (row === null) return null;
  const { chainId, id, hash } = row;
  const number = checkpoint?.chainId === chainId ? checkpoint.number : 0;
  return { chainId, row: id, hash, checkpoint: number };
}

/** A crash can leave half a line; it is written again as a whole. */
function dropHalfLine(handle: number): number {
  const { size } = fstatSync(handle);
  if (size === 0) return 0;
  const last = Buffer.alloc(1);
  readSync(handle, last, 0, 1, size - 1);
  if (last[0] === NEWLINE) return size;
  const [whole] = linesFromEnd(handle, size);
  const end = whole?.end ?? 0;
  ftruncateSync(handle, end);
  return end;
}

/** JSON lines at the end of a file that only its owner may read. */
export function createFileSink(file: string): AuditSink {
  let handle: FileHandle | null = null;

  async function letGo(): Promise<void> {
    const held = handle;
    handle = null;
    await held?.close();
  }

  return {
    name: file,
    async position() {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const descriptor = openSync(file, 'a+', 0o600);
      try {
        return lastPosition(descriptor, dropHalfLine(descriptor));
      } finally {
        closeSync(descriptor);
      }
    },
    async append(lines) {
      try {
        handle ??= await open(file, 'a', 0o600);
        const { size } = await handle.stat();
        try {
          await handle.appendFile(`${lines.join('\n')}\n`, 'utf8');
          await handle.datasync();
        } catch (thrown) {
          // What got through in part is written again as a whole.
          await handle.truncate(size);
          throw thrown;
        }
      } catch (thrown) {
        // A file that was moved or a disk that was unmounted is opened anew the next time.
        await letGo().catch(() => undefined);
        throw thrown;
      }
    },
    close: letGo,
  };
}
