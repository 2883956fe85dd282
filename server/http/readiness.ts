/**
 * Whether this server can do its work: it has started, its file is sound, and a write went through
 * within the last moments.
 */
import type { Clock, SinkHealth } from '../services/contract';

export type Health = {
  readonly status: 'ready' | 'starting' | 'degraded';
  readonly reason?: string;
  /** Of the second audit sink, where there is one. */
  readonly auditSink?: { readonly state: 'ok' | 'failing'; readonly lagMs: number };
};

export type HealthProbes = {
  /** Rejects when a write does not go through. */
  readonly write: () => Promise<void>;
  readonly sink: () => Promise<SinkHealth | null>;
};

export type Phase = 'starting' | 'running' | 'damaged' | 'stopping';

export type Readiness = {
  readonly phase: Phase;
  enter(phase: Phase): void;
  check(): Promise<Health>;
};

const FRESH_MS = 1_000;
const WRITE_TIMEOUT_MS = 3_000;

/** [S-29] A sink that is required and fails bars every change: that is not ready. */
function withSink(sink: SinkHealth | null): Health {
  if (sink === null) return { status: 'ready' };
  const { state, lagMs, required } = sink;
  const auditSink = { state, lagMs };
  return required && state === 'failing'
    ? { status: 'degraded', reason: 'the second audit sink does not take rows', auditSink }
    : { status: 'ready', auditSink };
}

export function createReadiness(clock: Clock, probes: HealthProbes): Readiness {
  let phase: Phase = 'starting';
  let probe: { readonly at: number; readonly health: Promise<Health> } | null = null;

  async function probeWrite(): Promise<Health> {
    let timer: { cancel(): void } | null = null;
    const late = new Promise<'late'>((resolve) => {
      timer = clock.after(WRITE_TIMEOUT_MS, () => resolve('late'));
    });
    try {
      const answer = await Promise.race([probes.write().then(() => 'written' as const), late]);
      if (answer === 'written') return withSink(await probes.sink());
      return { status: 'degraded', reason: 'the store does not answer' };
    } catch {
      return { status: 'degraded', reason: 'the store does not take writes' };
    } finally {
      (timer as { cancel(): void } | null)?.cancel();
    }
  }

  return {
    get phase() {
      return phase;
    },
    enter(next) {
      phase = next;
    },
    async check() {
      switch (phase) {
        case 'starting':
          return { status: 'starting' };
        case 'stopping':
          return { status: 'degraded', reason: 'stopping' };
        case 'damaged':
          return { status: 'degraded', reason: 'the store is damaged; read only' };
        default:
          // One write serves all who ask within a second.
          if (probe === null || clock.mono() - probe.at >= FRESH_MS) {
            probe = { at: clock.mono(), health: probeWrite() };
          }
          return probe.health;
      }
    },
  };
}
