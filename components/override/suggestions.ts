import { formatShare } from '@/components/ui/format';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { Kind } from './kinds';
import { reasonError } from './validate';

const MOST = 3;

type Facts = Pick<CommandPreview, 'kind' | 'breakers' | 'activeOverrides'>;

const USUAL: Record<Kind, (target: string) => string> = {
  force_open: (target) => `Maintenance of ${target}: no calls until it is done`,
  force_closed: (target) => `${target} is back; waiting for its recovery costs more than it saves`,
  reset: (target) => `${target} is repaired; begin anew with an empty window`,
};

/** [U-24] Reasons that the facts of the moment suggest; what is chosen can still be changed. */
export function suggestedReasons({ kind, breakers, activeOverrides }: Facts): string[] {
  const [worst] = breakers.toSorted((a, b) => (b.failureShare ?? 0) - (a.failureShare ?? 0));
  if (worst === undefined) return [];
  const failing = (worst.failureShare ?? 0) > 0;
  const said = [
    ...(failing && kind !== 'reset'
      ? [
          `${worst.target} fails ${formatShare(worst.failureShare)} of the calls of ${worst.service}`,
        ]
      : []),
    ...activeOverrides.map(({ reason }) => reason),
    USUAL[kind](worst.target),
  ];
  return [...new Set(said)].filter((reason) => reasonError(reason) === null).slice(0, MOST);
}
