import { describe, expect, it, vi } from 'vitest';
import type { BreakGlassNotice } from '@/lib/protocol/notice';
import { bob } from '@/tests/support/callers';
import { issue, reporting } from './override-support';
import { openMemoryStore, openWorld, type WorldOptions } from './support';

// Minutes of the fake clock, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

const glass = { breakGlass: true, reason: 'everybody else is asleep and it burns' };

/** A receiver that takes nothing until it is mended. */
function receiver() {
  const state = { dead: false };
  const got: BreakGlassNotice[] = [];
  const tries: string[] = [];
  const sendNotice = async (notice: BreakGlassNotice): Promise<void> => {
    tries.push(notice.id);
    if (state.dead) throw new Error('connection refused');
    got.push(notice);
  };
  return { state, got, tries, sendNotice };
}

async function burning(options: WorldOptions) {
  const world = await openWorld(options);
  const { breakerId } = await reporting(world);
  const use = () => issue(world, { scope: { kind: 'breaker', breakerId }, ...glass });
  const rows = async () =>
    (await world.store.listAudit({ action: 'notice.*', limit: 100 })).map(({ action }) => action);
  return { world, use, rows };
}

describe('[S-16] a use of break-glass', () => {
  it('is told to the webhook at once and once, also over a restart', async () => {
    const hook = receiver();
    const store = openMemoryStore();
    const { world, use, rows } = await burning({ store, sendNotice: hook.sendNotice });
    const command = await use();
    await world.pass(1_500);
    const [review] = await world.services.reviews.list({ open: true });
    expect(hook.got).toEqual([
      {
        id: review?.id,
        type: 'break_glass',
        at: command.createdAt,
        commandId: command.id,
        kind: 'force_open',
        environment: 'prod',
        actor: 'ada',
        reason: glass.reason,
        reviewDueAt: review?.dueAt,
      },
    ]);
    expect(await rows()).toEqual(['notice.sent']);
    const again = await openWorld({ store, clock: world.clock, sendNotice: hook.sendNotice });
    await again.pass(5_000);
    expect(hook.tries).toHaveLength(1);
  });

  it('a dead webhook is tried again, ever more slowly; the log and the open review say it all the same', async () => {
    const hook = receiver();
    hook.state.dead = true;
    const { world, use, rows } = await burning({ sendNotice: hook.sendNotice });
    await use();
    await world.pass(1_500);
    expect(world.logged.join()).toContain('break-glass was used');
    expect(world.logged.join()).toContain('the webhook did not take a notice');
    expect(await world.services.reviews.list({ open: true })).toHaveLength(1);
    await world.pass(60_000);
    // After 5, 10, 20 and so on seconds.
    expect(hook.tries).toHaveLength(4);
    expect(await rows()).toEqual(['notice.failed']);
    hook.state.dead = false;
    await world.pass(60_000);
    expect(hook.got).toHaveLength(1);
    expect(await rows()).toEqual(['notice.sent', 'notice.failed']);
  });

  it('that somebody has reviewed is not told any more', async () => {
    const hook = receiver();
    hook.state.dead = true;
    const { world, use } = await burning({ sendNotice: hook.sendNotice });
    await use();
    await world.pass(1_500);
    const [review] = await world.services.reviews.list({ open: true });
    await world.services.reviews.close(bob, review?.id ?? '', { note: 'looked at it with ada' });
    hook.state.dead = false;
    await world.pass(60_000);
    expect(hook.got).toEqual([]);
  });
});
