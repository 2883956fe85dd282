import { z } from 'zod';
import type { AuditSink } from '../services/audit/parts';
import { readSmallJson, writeSmallJson } from './small-file';

const position = z.object({
  chainId: z.string().nullable(),
  row: z.int(),
  hash: z.string().nullable(),
  checkpoint: z.int(),
});

/**
 * Lines among the log's lines, for a collector. What was written cannot be read back, so its end is
 * noted in a file after each batch: a crash in between writes one batch twice, and leaves none out.
 */
export function createStdoutSink(
  noteFile: string,
  write: (text: string) => Promise<void> = (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
): AuditSink {
  return {
    name: 'stdout',
    async position() {
      const noted = position.safeParse(readSmallJson(noteFile));
      return noted.success ? noted.data : null;
    },
    async append(lines, end) {
      await write(`${lines.join('\n')}\n`);
      writeSmallJson(noteFile, end);
    },
    async close() {},
  };
}
