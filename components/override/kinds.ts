import type { OverrideView } from '@/lib/protocol/views';

export type Kind = OverrideView['kind'];

type Words = {
  /** On the button that opens the dialog, and in lists. */
  readonly name: string;
  readonly done: string;
  readonly button: 'danger' | 'caution' | 'primary';
  readonly tone: 'open' | 'forced' | 'neutral';
  /** The state that an instance reports once it obeys. */
  readonly target: 'forced_open' | 'forced_closed' | 'closed';
};

export const KINDS: Record<Kind, Words> = {
  force_open: {
    name: 'Force open',
    done: 'Forced open',
    button: 'danger',
    tone: 'open',
    target: 'forced_open',
  },
  force_closed: {
    name: 'Force closed',
    done: 'Forced closed',
    button: 'caution',
    tone: 'forced',
    target: 'forced_closed',
  },
  reset: { name: 'Reset', done: 'Reset', button: 'primary', tone: 'neutral', target: 'closed' },
};

/** Forced closed first, then forced open: the order of danger. */
export const isActive = (one: Pick<OverrideView, 'endedAt' | 'kind'>): boolean =>
  one.endedAt === null && one.kind !== 'reset';
