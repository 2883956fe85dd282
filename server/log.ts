import pino from 'pino';
import type { Logger } from './services/contract';

export const logLevels = ['debug', 'info', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const MAX_FIELD_CHARS = 2_048;
const MAX_DEPTH = 4;
// JSON escapes the C0 controls; these it passes on, and a terminal or a viewer acts on them.
const UNESCAPED = /[\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g;

const escapeChar = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

function cleanText(text: string): string {
  const clipped = text.length > MAX_FIELD_CHARS ? `${text.slice(0, MAX_FIELD_CHARS)}…` : text;
  return clipped.replace(UNESCAPED, escapeChar);
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: cleanText(message),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(stack === undefined ? {} : { stack: cleanText(stack) }),
    ...(cause === undefined ? {} : { cause: clean(cause, depth - 1) }),
  };
}

/** Whatever a field holds, what reaches the log is small plain data. */
function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0) return '…';
  if (value instanceof Error) return describeError(value, depth);
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => clean(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), clean(item, depth - 1)]),
  );
}

/**
 * One JSON object per line. Messages are constants of the program; whatever came from outside goes
 * into fields. Never pass a header, a URL or a body.
 */
export function createLog(
  level: LogLevel,
  out: { write(line: string): void } = pino.destination({ fd: 1, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) =>
          Object.fromEntries(
            Object.entries(fields).map(([key, value]) => [key, clean(value, MAX_DEPTH)]),
          ),
      },
    },
    out,
  );
}
