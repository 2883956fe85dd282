import { offsetMinutes, UTC } from './zone';

/** Numbers and units the same everywhere: ms, s, %, req/s. A missing value is an en dash. */
export const NONE = '–';

const THOUSANDS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

function digits(value: number, small: number): string {
  return Math.abs(value) >= 100 ? THOUSANDS.format(value) : value.toFixed(small);
}

export function formatCount(value: number): string {
  return THOUSANDS.format(value);
}

/** 0, 0.4, 12, 1,204: a rate keeps a decimal only where it matters. */
export function formatRate(perSecond: number): string {
  if (perSecond === 0) return '0';
  if (perSecond < 0.05) return '<0.1';
  return digits(perSecond, perSecond < 10 ? 1 : 0);
}

/** 0 %, 0.3 %, 12 %, 100 %. */
export function formatShare(share: number | null): string {
  if (share === null) return NONE;
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  return `${percent > 0 && percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** 0.8 ms, 42 ms, 1.25 s. */
export function formatLatency(ms: number | null): string {
  if (ms === null) return NONE;
  if (ms < 1) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

/** 8 s, 3 min 20 s, 2 h 05 min, 3 d 4 h: two units at most. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** 8 s, 3 min, 2 h, 3 d: for ages, where the second unit is noise. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

const pad = (value: number) => String(value).padStart(2, '0');

/** 04:10, 1:02:09: what a countdown shows. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  return seconds >= 3_600 ? `${Math.floor(seconds / 3_600)}:${rest}` : rest;
}

const iso = (at: number) => new Date(at).toISOString();

/** Z, +05:45, -08:00 */
export function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** The wall time of a zone, as if it were UTC. */
const wall = (at: number, zone: string) => iso(at + offsetMinutes(zone, at) * 60_000);

/** 14:02:09Z, or in a zone 19:47:09+05:45 */
export const formatClock = (at: number, zone: string = UTC): string =>
  `${wall(at, zone).slice(11, 19)}${formatOffset(offsetMinutes(zone, at))}`;
/** 2026-03-02 14:02:09Z */
export const formatInstant = (at: number, zone: string = UTC): string =>
  `${formatDay(at, zone)} ${formatClock(at, zone)}`;
/** 2026-03-02 */
export const formatDay = (at: number, zone: string = UTC): string => wall(at, zone).slice(0, 10);

/** The same instant where this browser stands, with its offset: "2026-03-02 15:02:09 +01:00". */
export function formatLocal(at: number, offset = -new Date(at).getTimezoneOffset()): string {
  const local = iso(at + offset * 60_000);
  const text = offset === 0 ? '+00:00' : formatOffset(offset);
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${text}`;
}

/** What stands behind a time on hover: in UTC, and where this browser stands. */
export const formatBoth = (at: number): string => `${formatInstant(at)}\n${formatLocal(at)}`;
