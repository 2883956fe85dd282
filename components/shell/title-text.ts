import type { Connection } from '@/lib/client/connection';
import type { FleetSummary } from '@/lib/client/summary';

type Status = Connection['status'];

/** What the page shows is not what is known now: neither its title nor its icon may look live. */
export type Doubt = Status | 'paused';

/** "(2 open) Services · Recloser"; a lost connection outranks every count. */
export function titleFor(page: string | null, summary: FleetSummary, status: Doubt): string {
  const name = page === null ? 'Recloser' : `${page} · Recloser`;
  if (status === 'stale' || status === 'offline') return `(no connection) ${name}`;
  if (status === 'paused') return `(paused) ${name}`;
  if (summary.open > 0) return `(${summary.open} open) ${name}`;
  if (summary.forced > 0) return `(${summary.forced} forced) ${name}`;
  return summary.recovering > 0 ? `(${summary.recovering} recovering) ${name}` : name;
}

export type FaviconShape = 'closed' | 'half' | 'open' | 'forced' | 'lost' | 'paused';

export function faviconFor(summary: FleetSummary, status: Doubt): FaviconShape {
  if (status === 'stale' || status === 'offline') return 'lost';
  if (status === 'paused') return 'paused';
  if (summary.open > 0) return 'open';
  if (summary.forced > 0) return 'forced';
  return summary.recovering > 0 ? 'half' : 'closed';
}

/** Fixed colours: a favicon knows no theme, so each stands on light and on dark tabs. */
const SHAPES: Record<FaviconShape, string> = {
  closed: '<circle cx="16" cy="16" r="11" fill="none" stroke="#7c8fa3" stroke-width="4"/>',
  half: '<circle cx="16" cy="16" r="11" fill="none" stroke="#3f83ee" stroke-width="4"/><path d="M16 5a11 11 0 0 1 0 22z" fill="#3f83ee"/>',
  open: '<path d="M4 6a2 2 0 0 1 2-2h16L4 22z" fill="#e2482a"/><path d="M28 10v16a2 2 0 0 1-2 2H10z" fill="#e2482a"/>',
  forced:
    '<circle cx="16" cy="16" r="12" fill="none" stroke="#c98a12" stroke-width="4"/><path d="M16 8v9" stroke="#c98a12" stroke-width="4"/><circle cx="16" cy="22.5" r="2.4" fill="#c98a12"/>',
  paused:
    '<rect x="7" y="5" width="6" height="22" rx="2" fill="#7c8fa3"/><rect x="19" y="5" width="6" height="22" rx="2" fill="#7c8fa3"/>',
  lost: '<rect x="4" y="4" width="24" height="24" rx="3" fill="none" stroke="#8a949e" stroke-width="4" stroke-dasharray="7 5"/>',
};

export function faviconUrl(shape: FaviconShape): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${SHAPES[shape]}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
