import { acquire } from './acquire';
import type { AcquireOptions } from './acquire';
import type { Core } from './core';
import type { Ledger } from './ledger';
import type { IssuedPermit, Permit, Rejection, Settler } from './permit';
import type { Automatic, HalfOpen, MachineRecord } from './record';
import { isLearning } from './settle';

/** A permit that can still be handed back as if nobody had come. */
export type Reservation = {
  readonly granted: true;
  readonly permit: Permit;
  /** The call will be made: it is part of the normal load. */
  confirm(): void;
  /** It will not: gives everything back. */
  withdraw(): void;
};

/** `acquire` with a way back, for whoever needs leave of several breakers. */
export function reserve(
  core: Core,
  settler: Settler,
  options: AcquireOptions,
): Reservation | Rejection {
  const before = booksOf(core.record.auto);
  const permit = acquire(core, settler, options, false);
  if (!permit.granted) return permit;
  const after = permit.probe ? booksOf(core.record.auto) : null;
  return {
    granted: true,
    permit,
    confirm: () => {
      if (permit.role === 'normal' && isLearning(core, core.now)) core.learner.admitted(core.now);
    },
    withdraw: () => {
      if (!giveBack(core, permit as IssuedPermit, before, after)) permit.failure('rejected_local');
    },
  };
}

type Books = {
  readonly halfOpen: HalfOpen;
  readonly ledger: Ledger;
  readonly lastAdmitAt: number;
  readonly lastIdempotentAt: number;
};

function booksOf(auto: Automatic): Books | null {
  if (auto.kind !== 'half_open') return null;
  const { lastAdmitAt, lastIdempotentAt } = auto;
  return { halfOpen: auto, ledger: { ...auto.ledger }, lastAdmitAt, lastIdempotentAt };
}

/** False when something has happened since, so that the books can only go on. */
function giveBack(
  core: Core,
  permit: IssuedPermit,
  before: Books | null,
  after: Books | null,
): boolean {
  const { record, counters } = core;
  if (core.disposed || permit.epoch !== record.epoch) return false;
  if (!record.flights.has(permit)) return false;
  if (before !== null && after !== null) {
    if (!isStill(record, after)) return false;
    Object.assign(after.halfOpen.ledger, before.ledger);
    after.halfOpen.lastAdmitAt = before.lastAdmitAt;
    after.halfOpen.lastIdempotentAt = before.lastIdempotentAt;
    counters.probes--;
  }
  if (permit.role !== 'bypass') counters.admitted--;
  permit.phase = 'settled';
  record.flights.remove(permit);
  return true;
}

function isStill({ auto }: MachineRecord, { halfOpen, ledger }: Books): boolean {
  if (auto !== halfOpen) return false;
  return (Object.keys(ledger) as (keyof Ledger)[]).every(
    (name) => halfOpen.ledger[name] === ledger[name],
  );
}
