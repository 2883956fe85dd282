import type { BreakerOptions } from '@/lib/breaker/types';
import type { CallOptions } from './http-client';

/** `never` keeps the caller waiting until its own deadline. */
export type Reply = { readonly status: number; readonly body: unknown } | 'never';

/** What a service may use: its peers, bare or behind one of its breakers. */
export type Tools = {
  /** A call that no breaker guards. */
  call(service: string, path: string, options?: CallOptions): Promise<string>;
  /** The same behind the breaker of that name; throws when the breaker refuses. */
  guarded(breaker: string, path: string, options: GuardedOptions): Promise<string>;
};
export type GuardedOptions = { readonly idempotent: boolean };

export type Running = {
  handle(path: string): Promise<Reply>;
  /** Caches and pools are gone, as after a restart. */
  restartCold?(): void;
  warmUp?(): void;
  /** For the panel. */
  describe?(): Readonly<Record<string, number>>;
};

export type Policy = Omit<BreakerOptions, 'clock' | 'wallClock' | 'random'>;

type Guarded = {
  readonly target: string;
  readonly policy: Policy;
  /** One copy that missed the last deployment and still runs these options. */
  readonly leftBehind?: { readonly instance: string; readonly policy: Policy };
};

/** One small service of the fleet. */
export type Service = {
  readonly name: string;
  /** Who is called when it fails. */
  readonly owner: string;
  readonly instances: number;
  /** By breaker name. `target` is the service called. */
  readonly breakers: Readonly<Record<string, Guarded>>;
  start(tools: Tools): Running;
};

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const failed = (status: number, error: string): Reply => ({ status, body: { error } });

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Time spent on own work: even between the two bounds. */
export function work(fromMs: number, toMs: number): Promise<void> {
  return pause(fromMs + Math.random() * (toMs - fromMs));
}
