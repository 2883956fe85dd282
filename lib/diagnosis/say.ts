import type { Advice, Evidence } from '../protocol/findings';

const UNITS = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1_000, name: 's' },
] as const;

/** "90 ms", "12 s", "3.5 min", "2 h". */
export function duration(ms: number): string {
  const unit = UNITS.find((one) => Math.abs(ms) >= one.ms);
  if (unit === undefined) return `${Math.round(ms)} ms`;
  const value = ms / unit.ms;
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${unit.name}`;
}

/** "7 %", "0.4 %". */
export function percent(share: number): string {
  const value = share * 100;
  return `${value < 1 ? Math.round(value * 100) / 100 : Math.round(value * 10) / 10} %`;
}

export function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/** "1 call", "3 calls". */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export const count = (label: string, value: number): Evidence => ({ label, unit: 'count', value });
export const ms = (label: string, value: number): Evidence => ({ label, unit: 'ms', value });
export const share = (label: string, value: number): Evidence => ({ label, unit: 'share', value });
export const at = (label: string, value: number): Evidence => ({ label, unit: 'at', value });
export const text = (label: string, value: string): Evidence => ({
  label,
  unit: 'text',
  text: value,
});

/** A value as it stands in code: no quotes round the keys of an object. */
export function code(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/"([A-Za-z_]\w*)":/g, '$1:')
    .replaceAll('"', "'")
    .replaceAll('[ ', '[')
    .replaceAll(' ]', ']');
}

export function change(option: string, now: unknown, suggest: unknown, why: string): Advice {
  return { option, now: code(now), suggest: code(suggest), text: why };
}

/** What no option changes. */
export const act = (text: string): Advice => ({ option: null, now: null, suggest: null, text });

/** The middle value; null of nothing. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor((sorted.length - 1) / 2);
  return sorted[middle] ?? null;
}

export const sum = <T>(items: readonly T[], pick: (item: T) => number): number =>
  items.reduce((total, item) => total + pick(item), 0);
