import { auditBy, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { isRecorded, markRecorded } from '../refusals';

export type Attempt = {
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Of a conflict of generations the store keeps the row itself, in the transaction that saw it. */
const isAudited = ({ details }: RecloserError): boolean => details?.['conflicts'] !== undefined;

/** A refusal is as much a fact as a command, also of what was not found. */
export async function withRefusals<T>(
  core: Core,
  caller: Caller,
  { action, subject, details }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RecloserError)) throw error;
    if (!isAudited(error) && !isRecorded(error)) {
      await core.store.appendAudit({
        at: core.clock.wall(),
        ...auditBy(caller),
        action,
        subject: subject.slice(0, 128),
        outcome: 'refused',
        details: { ...details, code: error.code, message: error.message },
      });
    }
    throw markRecorded(error);
  }
}
