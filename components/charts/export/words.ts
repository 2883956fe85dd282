import { formatDuration, formatInstant } from '@/components/ui/format';
import type { GapMark } from '@/lib/series/marks';
import type { TimeDomain } from '@/lib/series/types';

const MAX_SLUG = 60;
const MAX_GAPS = 3;

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, MAX_SLUG);

const stamp = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '') + 'Z';

/** What, of whom and from when to when; only signs that every file system takes. */
export function exportName(
  subject: string,
  chart: string,
  { from, to }: TimeDomain,
  extension: string,
): string {
  const parts = ['recloser', slug(subject), chart, stamp(from), stamp(to)];
  return `${parts.filter((part) => part !== '').join('-')}.${extension}`;
}

/** The range in UTC, and in which zone the axis is labelled when that is another one. */
export function exportSubtitle(subject: string, { from, to }: TimeDomain, zone: string): string {
  const range = `${formatInstant(from)} to ${formatInstant(to)} (${formatDuration(to - from)})`;
  return `${subject} · ${range}${zone === 'UTC' ? '' : ` · axis in ${zone}`}`;
}

/** [U-07] A picture leaves the page; what is missing in it goes with it. */
export function gapNotes(gaps: readonly GapMark[], domain: TimeDomain): string[] {
  const seen = gaps.filter((gap) => gap.from < domain.to && gap.to >= domain.from);
  const told = seen
    .slice(0, MAX_GAPS)
    .map(
      (gap) =>
        `${formatInstant(gap.from)} for ${formatDuration(gap.to - gap.from)}: ${gap.reasons.join(', ')}`,
    );
  if (told.length === 0) return [];
  const more = seen.length > MAX_GAPS ? ` and ${seen.length - MAX_GAPS} more` : '';
  return [`Data missing from ${told.join('; from ')}${more}`];
}
