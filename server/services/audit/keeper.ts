/** Keeps the proof of the audit trail going: signs, copies, checks, and says what it found. */
import type { AuditCheckpoint, AuditProofBody } from '@/lib/protocol/audit';
import type { Agents } from '../contract';
import type { Core } from '../core';
import { every } from '../upkeep/every';
import { createAlarms } from './alarms';
import { beginTrail, CLOCK_STEP_MS } from './begin';
import { createCheckpoints, type Checkpoints } from './checkpoints';
import { gapRow } from './gap-rows';
import type { AuditParts, SinkPosition } from './parts';
import { readProof } from './proof';
import { SelfCheck } from './self-check';
import { SinkPump, sinkStart, type SinkState } from './sink-pump';

const SIGN_EVERY_MS = 1_000;
const COPY_EVERY_MS = 250;
/** A slice at a time, with room for others between them: a thousand rows a second. */
const CHECK_EVERY_MS = 250;

export type AuditKeeper = {
  /** Before anything else is audited. */
  start(): Promise<void>;
  /** Signs and copies the rest. */
  stop(): Promise<void>;
  proof(): Promise<AuditProofBody>;
  /** How far the second sink is behind; null without one. */
  sink(): Promise<SinkState | null>;
  newestCheckpoint(): Promise<AuditCheckpoint | null>;
  alarm: Agents['alarm'];
};

/** A sink that cannot be read now is asked again later. */
async function sinkPosition({ log }: Core, sink: AuditParts['sink']): Promise<SinkPosition | null> {
  try {
    return (await sink?.position()) ?? null;
  } catch (thrown) {
    log.error({ err: thrown, sink: sink?.name }, 'the second audit sink cannot be read');
    return null;
  }
}

/** A wall clock that went back, seen against the monotonic one. */
function createClockWatch({ clock, store }: Core) {
  let offset: number | null = null;
  return async (): Promise<boolean> => {
    const now = clock.wall() - clock.mono();
    const stepMs = offset === null ? 0 : now - offset;
    offset = now;
    if (stepMs > -CLOCK_STEP_MS) return false;
    const details = { stepMs: Math.round(stepMs) };
    await store.appendAudit(gapRow(clock.wall(), 'audit.clock_stepped', details, 'failed'));
    return true;
  };
}

/**
 * Rows that another program put behind ours; they are part of the chain's numbers from then on. Our
 * own command line beside this server says who it is in each of its rows, and is none of them.
 */
async function watchForeign({ store, clock, log }: Core): Promise<boolean> {
  const found = await store.foreignAuditRows();
  const [first] = found;
  if (first === undefined) return false;
  const ids = new Set(found);
  const rows = await store.readAudit({ after: first - 1, limit: found.length });
  const ours = rows.filter(({ id, who }) => ids.has(id) && who?.kind === 'local');
  for (const { id } of ours) ids.delete(id);
  if (ids.size === 0) return false;
  log.error({ rows: [...ids] }, 'another program wrote audit rows');
  const details = { fromRow: Math.min(...ids), toRow: Math.max(...ids) };
  await store.appendAudit(gapRow(clock.wall(), 'audit.foreign_rows', details, 'failed'));
  return true;
}

type Tasks = { stop(): Promise<void> }[];

function startTasks(
  core: Core,
  parts: AuditParts,
  checkpoints: Checkpoints,
  pump: SinkPump | null,
) {
  const check = new SelfCheck(core, parts, () => checkpoints.now());
  const watchClock = createClockWatch(core);
  const tasks: Tasks = [
    every(core, SIGN_EVERY_MS, 'sign the audit trail', async () => {
      const stepped = await watchClock();
      const foreign = await watchForeign(core);
      await (stepped || foreign ? checkpoints.now() : checkpoints.tick());
    }),
    every(core, CHECK_EVERY_MS, 'check the audit trail', () => check.tick()),
  ];
  if (pump !== null) {
    tasks.push(every(core, COPY_EVERY_MS, 'copy the audit trail', () => pump.tick()));
  }
  return { check, tasks };
}

export function createAuditKeeper(core: Core): AuditKeeper {
  const { store, clock } = core;
  const parts = core.audit ?? null;
  const checkpoints = parts === null ? null : createCheckpoints(core, parts);
  const signNow = async () => checkpoints?.now();
  const alarm = parts === null ? null : createAlarms(core, parts, signNow);
  let running: (ReturnType<typeof startTasks> & { readonly pump: SinkPump | null }) | null = null;

  const note = (action: string, details: Record<string, unknown>) =>
    store.appendAudit({
      at: clock.wall(),
      actor: 'system',
      action,
      subject: 'server',
      outcome: 'done',
      details,
    });

  async function begin(parts: AuditParts, checkpoints: Checkpoints): Promise<void> {
    const { sink } = parts;
    const before = await sinkStart(core);
    await beginTrail(core, parts, await sinkPosition(core, sink));
    await note('server.started', { version: parts.version, serverEpoch: core.feed.serverEpoch });
    await checkpoints.now();
    const pump = sink === null ? null : new SinkPump(core, { sink, start: before, signNow });
    running = { ...startTasks(core, parts, checkpoints, pump), pump };
  }

  return {
    async start() {
      if (parts !== null && checkpoints !== null) await begin(parts, checkpoints);
    },
    async stop() {
      if (running === null) return;
      const { tasks, pump } = running;
      running = null;
      await Promise.all(tasks.map((task) => task.stop()));
      try {
        await note('server.stopped', {});
        await checkpoints?.now();
        await pump?.tick();
        await parts?.sink?.close();
      } catch (thrown) {
        // A full disk must not keep the process from ending; the next start signs the rest.
        core.log.error({ err: thrown }, 'the audit trail was not closed');
      }
    },
    proof: () => readProof(core, running?.check ?? null, running?.pump ?? null),
    sink: async () => (await running?.pump?.state()) ?? null,
    newestCheckpoint: () => store.newestCheckpoint(),
    alarm: async (session, frame) => alarm?.(session, frame),
  };
}
