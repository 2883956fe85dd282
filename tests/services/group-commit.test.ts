import { describe, expect, it } from 'vitest';
import { GroupCommit } from '@/server/services/group-commit';
import type { RunBatch, RunResult } from '@/server/store/port';
import { ServerClock, settle } from './support';

function batchOf(runId: number, rows: number): RunBatch {
  const event = { seq: 1, type: 'x', breakerId: null, at: 0, agentAt: 0, agentMono: 0, data: {} };
  return {
    runId,
    receivedAt: 0,
    breakers: [],
    configs: [],
    gaps: [],
    events: Array.from({ length: rows }, () => event),
    samples: [],
    probes: [],
    states: [],
    samplesSeq: 0,
    droppedSamples: 0,
  };
}

const resultOf = (batch: RunBatch): RunResult => ({
  runId: batch.runId,
  ackedSeq: 1,
  samplesSeq: 0,
  accepted: batch.events.length,
  duplicate: 0,
  missingFrom: null,
  stored: [],
  storedProbes: [],
});

function world() {
  const clock = new ServerClock();
  const commits: number[][] = [];
  const waiting: (() => void)[] = [];
  const control = { slow: false, after: 0 };
  const commit = new GroupCommit({
    clock,
    log: { debug: () => undefined, info: () => undefined, error: () => undefined },
    afterCommit: () => {
      control.after++;
    },
    store: {
      appendBatches: async (batches) => {
        commits.push(batches.map((batch) => batch.runId));
        if (control.slow) await new Promise<void>((go) => waiting.push(go));
        return batches.map(resultOf);
      },
    },
  });
  const submit = (runId: number, rows = 1, apply: () => void = () => undefined) =>
    commit.submit(batchOf(runId, rows), apply);
  const finish = async () => {
    waiting.shift()?.();
    await settle();
  };
  return { clock, commit, commits, control, submit, finish };
}

describe('group commit', () => {
  it('commits the first after a quiet time at once, the next ones 20 ms later together', async () => {
    const { clock, commits, submit } = world();
    const first = submit(1);
    clock.fake.advance(0);
    await first;
    const rest = [submit(2), submit(3)];
    clock.fake.advance(19);
    await settle();
    expect(commits).toEqual([[1]]);
    clock.fake.advance(1);
    await Promise.all(rest);
    expect(commits).toEqual([[1], [2, 3]]);
  });

  it('runs one commit at a time and gathers behind a slow one', async () => {
    const { clock, commits, control, submit, finish } = world();
    control.slow = true;
    const answers = [submit(1)];
    clock.fake.advance(0);
    answers.push(submit(2), submit(3, 2_000));
    clock.fake.advance(500);
    await settle();
    expect(commits).toEqual([[1]]);
    await finish();
    clock.fake.advance(0);
    await settle();
    expect(commits).toEqual([[1], [2]]);
    await finish();
    clock.fake.advance(0);
    await settle();
    expect(commits).toEqual([[1], [2], [3]]);
    await finish();
    await Promise.all(answers);
    expect(control.after).toBe(3);
  });

  it('[R-16] refuses what does not fit instead of growing', async () => {
    const { clock, control, submit, finish } = world();
    control.slow = true;
    const first = submit(1);
    clock.fake.advance(0);
    const second = submit(2, 49_000);
    await expect(submit(3, 2_000)).rejects.toMatchObject({ code: 'not_ready' });
    await finish();
    clock.fake.advance(0);
    await finish();
    await Promise.all([first, second]);
  });

  it('applies in order before anybody is answered, and survives what apply throws', async () => {
    const { clock, submit } = world();
    const order: string[] = [];
    const answers = [1, 2].map(async (runId) => {
      await submit(runId, 1, () => {
        order.push(`apply ${runId}`);
        if (runId === 1) throw new Error('cannot show that');
      });
      order.push(`answer ${runId}`);
    });
    clock.fake.advance(0);
    await Promise.all(answers);
    expect(order).toEqual(['apply 1', 'apply 2', 'answer 1', 'answer 2']);
  });

  it('drains what was submitted', async () => {
    const { commit, commits, submit } = world();
    const answers = [submit(1, 900), submit(2, 900), submit(3)];
    await commit.drain();
    await Promise.all(answers);
    expect(commits).toEqual([[1], [2, 3]]);
  });
});
