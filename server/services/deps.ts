import type { BreakGlassNotice } from '@/lib/protocol/notice';
import type { Bus } from '../bus/port';
import type { Store } from '../store/port';
import type { AuditParts } from './audit/parts';
import type { Clock, Logger } from './contract';
import type { SimulatedFleet } from './simulator/contract';
import type { StepUps } from './step-ups';
import type { Passwords } from './people/contract';

/** What the services are given; nothing else of the world reaches them. */
export type ServiceDeps = {
  readonly store: Store;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
  /** That many bytes from a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array;
  /** SHA-256 of the UTF-8 text, as 64 hex digits. */
  readonly hash: (text: string) => string;
  /** Left out: those of the people in the store. */
  readonly stepUps?: StepUps;
  readonly passwords: Passwords;
  /** Names this start of the server; random when left out. */
  readonly serverEpoch?: string;
  /** What proves the audit trail; left out: rows are chained, and nothing is signed. */
  readonly audit?: AuditParts;
  /** Overrides a minute; `OVERRIDE_LIMITS` when left out. */
  readonly overrideLimits?: { readonly perPerson: number; readonly inAll: number };
  /** Tells the outside of a use of break-glass; rejects when it was not taken. */
  readonly sendNotice?: (notice: BreakGlassNotice) => Promise<void>;
  /** The built-in pretend fleet; left out: there is none to start. */
  readonly simulated?: SimulatedFleet;
  /** Nothing is changed while the second sink of the audit trail does not take rows. */
  readonly sinkRequired?: boolean;
  /** How long samples and probes are kept; 7 days when left out. */
  readonly sampleRetentionMs?: number;
};
