import type { BreakerEventType, TransitionCause } from './types';

/** A state as it is drawn: the four overrides are one. */
export const machineStates = ['closed', 'open', 'half_open', 'forced'] as const;
export type MachineState = (typeof machineStates)[number];

export type Transition = {
  readonly id: `T${number}`;
  readonly from: readonly MachineState[];
  readonly to: readonly MachineState[];
  readonly event: BreakerEventType;
  readonly causes: readonly TransitionCause[];
  readonly when: string;
};

const everywhere = machineStates;

/**
 * Every legal transition. Tests hold recorded histories against it and reach each entry once; the
 * drawing in the documentation is made of it.
 */
export const transitions: readonly Transition[] = [
  {
    id: 'T1',
    from: ['closed'],
    to: ['open'],
    event: 'opened',
    causes: ['trip'],
    when: 'a trip policy holds',
  },
  {
    id: 'T2',
    from: ['open'],
    to: ['half_open'],
    event: 'half_open',
    causes: ['retry_due'],
    when: 'the open time is over',
  },
  {
    id: 'T3',
    from: ['half_open'],
    to: ['half_open'],
    event: 'step',
    causes: ['advance'],
    when: 'the step was good, one step up',
  },
  {
    id: 'T4',
    from: ['half_open'],
    to: ['closed'],
    event: 'closed',
    causes: ['advance'],
    when: 'the last step was good',
  },
  {
    id: 'T5',
    from: ['half_open'],
    to: ['open'],
    event: 'opened',
    causes: ['fallback', 'hold_limit', 'half_open_limit'],
    when: 'probes fail, a hold or half-open takes too long',
  },
  {
    id: 'T6',
    from: ['half_open'],
    to: ['half_open'],
    event: 'step',
    causes: ['soft_fallback'],
    when: 'one step down, with softFallback',
  },
  {
    id: 'T7',
    from: ['half_open'],
    to: ['closed'],
    event: 'closed',
    causes: ['half_open_limit'],
    when: 'half-open takes too long and then is closed',
  },
  {
    id: 'T8',
    from: everywhere,
    to: ['forced'],
    event: 'forced',
    causes: ['override'],
    when: 'override',
  },
  {
    id: 'T9',
    from: ['forced'],
    to: ['closed', 'open', 'half_open'],
    event: 'resumed',
    causes: ['override_ended'],
    when: 'the last override ends',
  },
  {
    id: 'T10',
    from: everywhere,
    to: ['closed'],
    event: 'reset',
    causes: ['reset'],
    when: 'reset',
  },
];
