import type { Logger } from '@/server/services/contract';

export type Line = {
  readonly level: 'debug' | 'info' | 'error';
  readonly fields: Record<string, unknown>;
  readonly message: string;
};

export function recordingLog(): Logger & { readonly lines: Line[] } {
  const lines: Line[] = [];
  const at = (level: Line['level']) => (fields: Record<string, unknown>, message: string) =>
    void lines.push({ level, fields, message });
  return { lines, debug: at('debug'), info: at('info'), error: at('error') };
}
