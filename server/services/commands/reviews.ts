import type { ReviewView } from '@/lib/protocol/command-views';
import type { ReviewRecord } from '../../store/port';
import { auditBy, nameOf } from '../caller';
import type { Reviews } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { isSecondPerson } from './people';
import { withRefusals } from './refusals';
import { commandFields } from './view';

const LISTED = 100;

function viewOf(core: Core, { command, ...review }: ReviewRecord): ReviewView {
  const overdue = review.closedAt === null && core.clock.wall() > review.dueAt;
  return { ...review, overdue, command: commandFields(command) };
}

/** [S-16] What break-glass owes: another person looks at it within three days. */
export function createReviews(core: Core): Reviews {
  return {
    list: async (filter) =>
      (await core.store.listReviews({ ...filter, limit: LISTED })).map((one) => viewOf(core, one)),
    close: (caller, id, { note }) =>
      withRefusals(core, caller, { action: 'review.close', subject: id, details: {} }, async () => {
        const review = await core.store.getReview(id);
        if (review === null) throw new RecloserError('not_found', 'the review is not known');
        if (!isSecondPerson(caller, review.command.requester)) {
          throw new RecloserError('not_allowed', 'only another person can close it');
        }
        const at = core.clock.wall();
        const closed = await core.store.closeReview({
          id,
          at,
          by: nameOf(caller),
          note,
          audit: {
            at,
            ...auditBy(caller),
            action: 'review.closed',
            subject: id,
            outcome: 'done',
            details: { commandId: review.command.id, note },
          },
        });
        if (closed === null) throw new RecloserError('conflict', 'it is closed already');
        return viewOf(core, closed);
      }),
  };
}
