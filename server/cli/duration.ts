import { usageProblem } from './problem';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `90s`, `15m`, `2h`, `7d` in milliseconds. */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  const unit = match?.[2];
  if (match === null || !isUnit(unit)) {
    throw usageProblem(
      `${option} is ${JSON.stringify(text)}, but must be like 90s, 15m, 2h or 7d.`,
    );
  }
  return Number(match[1]) * UNIT_MS[unit];
}

function isUnit(unit: string | undefined): unit is keyof typeof UNIT_MS {
  return unit !== undefined && unit in UNIT_MS;
}

/** Rounded to two units at most: `1 h 5 min`, `42 s`. */
export function showDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
