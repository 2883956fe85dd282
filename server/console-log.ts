import { format, stripVTControlCharacters } from 'node:util';
import type { Logger } from './services/contract';

/** What libraries print becomes log lines, so that the output stays one JSON object per line. */
export function captureConsole(log: Logger, target: Pick<Console, 'log'> = console): void {
  const line =
    (level: 'debug' | 'info' | 'error') =>
    (...args: unknown[]) => {
      const text = stripVTControlCharacters(format(...args)).trim();
      if (text !== '') log[level]({ text }, 'printed by a library');
    };
  Object.assign(target, {
    debug: line('debug'),
    log: line('info'),
    info: line('info'),
    warn: line('info'),
    error: line('error'),
  });
}
