import type { BreakGlassNotice } from '@/lib/protocol/notice';
import { isSimulated } from '@/lib/protocol/simulated';
import type { ReviewRecord } from '../../store/port';
import { auditBy, SYSTEM } from '../caller';
import type { Core } from '../core';

const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 5 * 60_000;
const LISTED = 100;

type Attempt = { readonly retryAt: number; readonly retryMs: number };

const noticeOf = ({ id, createdAt, dueAt, command }: ReviewRecord): BreakGlassNotice => ({
  id,
  type: 'break_glass',
  at: createdAt,
  commandId: command.id,
  kind: command.kind,
  environment: command.environment,
  actor: command.actor,
  reason: command.reason,
  reviewDueAt: dueAt,
});

/**
 * [S-16] Tells the webhook of each use of break-glass until it has taken it. The review is the
 * outbox and the audit row the mark: a crash in between sends it once more, under the same id.
 */
export function createTellBreakGlass(core: Core): () => Promise<void> {
  const { store, clock, log, sendNotice } = core;
  const told = new Set<string>();
  const attempts = new Map<string, Attempt>();

  async function note(review: ReviewRecord, outcome: 'done' | 'failed'): Promise<void> {
    await store.appendAudit({
      at: clock.wall(),
      ...auditBy(SYSTEM),
      action: outcome === 'done' ? 'notice.sent' : 'notice.failed',
      subject: review.id,
      outcome,
      details: { type: 'break_glass', commandId: review.command.id },
    });
  }

  async function wasTold({ id }: ReviewRecord): Promise<boolean> {
    if (told.has(id)) return true;
    const [row] = await store.listAudit({ action: 'notice.sent', subject: id, limit: 1 });
    if (row !== undefined) told.add(id);
    return row !== undefined;
  }

  async function tell(send: NonNullable<Core['sendNotice']>, review: ReviewRecord): Promise<void> {
    const before = attempts.get(review.id);
    if (clock.mono() < (before?.retryAt ?? -Infinity) || (await wasTold(review))) return;
    try {
      await send(noticeOf(review));
    } catch (thrown) {
      const retryMs = Math.min(LAST_RETRY_MS, (before?.retryMs ?? FIRST_RETRY_MS / 2) * 2);
      attempts.set(review.id, { retryMs, retryAt: clock.mono() + retryMs });
      log.error({ err: thrown, reviewId: review.id }, 'the webhook did not take a notice');
      // Once: the pages of those who may review it say so all the time.
      if (before === undefined) await note(review, 'failed');
      return;
    }
    told.add(review.id);
    attempts.delete(review.id);
    await note(review, 'done');
  }

  return async () => {
    if (sendNotice === undefined) return;
    const open = await store.listReviews({ open: true, limit: LISTED });
    const real = open.filter(({ command }) => !isSimulated(command));
    await Promise.all(real.map((review) => tell(sendNotice, review)));
  };
}
