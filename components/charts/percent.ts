import { clip, toRatio } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';

/** Left and width of a span as CSS percentages of the plot; null when it is out of view. */
export function placed(domain: TimeDomain, span: TimeDomain) {
  const part = clip(domain, span);
  if (part === null) return null;
  const left = toRatio(domain, part.from) * 100;
  const width = toRatio(domain, part.to) * 100 - left;
  return { left: `${left.toFixed(3)}%`, width: `${width.toFixed(3)}%`, share: width / 100 };
}

export function leftOf(domain: TimeDomain, at: number): string {
  return `${(toRatio(domain, at) * 100).toFixed(3)}%`;
}
