import { describe, expect, it } from 'vitest';
import { captureConsole } from '@/server/console-log';
import { createLog } from '@/server/log';

function lines() {
  const written: string[] = [];
  const log = createLog('debug', { write: (line) => void written.push(line) });
  const last = () => JSON.parse(written.at(-1) ?? '{}') as Record<string, unknown>;
  return { log, written, last };
}

describe('the log', () => {
  it('[S-42] is one JSON object per line whatever a field holds', () => {
    const { log, written, last } = lines();
    const hostile = 'a\r\n{"level":"info"}\u001B[2J\u2028\u2029\u009B31m\u202Eb\u007F';
    log.info({ name: hostile, nested: { [hostile]: [hostile] } }, 'agent connected');
    expect(written).toHaveLength(1);
    // oxlint-disable-next-line no-control-regex -- these must not come through
    expect(written[0]?.slice(0, -1)).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202E]/);
    expect(last()).toMatchObject({ level: 'info', msg: 'agent connected' });
    expect(last()['name']).toContain('a\r\n');
  });

  it('[S-42] cuts a long field at 2 KiB and a deep one at a few levels', () => {
    const { log, written, last } = lines();
    const deep = { a: { b: { c: { d: { e: 'hidden' } } } } };
    log.error({ name: 'x'.repeat(10_000), deep }, 'm');
    expect(String(last()['name'])).toHaveLength(2_049);
    expect(written[0]).not.toContain('hidden');
  });

  it('keeps of an error its kind, message, code, stack and cause', () => {
    const { log, last } = lines();
    const cause = Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' });
    log.error({ err: new TypeError('no commit', { cause }) }, 'failed');
    expect(last()['err']).toMatchObject({
      type: 'TypeError',
      message: 'no commit',
      stack: expect.stringContaining('log.test.ts'),
      cause: { message: 'disk is full', code: 'SQLITE_FULL' },
    });
  });

  it('writes nothing below its level', () => {
    const written: string[] = [];
    const log = createLog('error', { write: (line) => void written.push(line) });
    log.info({}, 'quiet');
    log.error({}, 'loud');
    expect(written).toHaveLength(1);
  });

  it('[S-42] takes in what libraries print', () => {
    const { log, last, written } = lines();
    const target = { log: (..._args: unknown[]) => {} };
    captureConsole(log, target);
    target.log('\u001B[32m✓\u001B[39m took %d ms', 4);
    target.log('');
    expect(written).toHaveLength(1);
    expect(last()).toMatchObject({ text: '✓ took 4 ms', msg: 'printed by a library' });
  });
});
