import type { ServerFrame } from '@/lib/protocol/server-frames';
import { CloseCode } from '@/lib/protocol/version';
import type { Logger } from '../../services/contract';
import type { Refused } from './ingest';
import { MAX_FAULTS } from './limits';
import { refusalOf } from './refusals';

export type Failures = {
  /** A frame that cannot be read: said, counted, and in the end the last word. */
  fault(problem: string, last: boolean): void;
  mismatch(problem: string): void;
  /** Each refused item is a gap in history; of each kind the agent is told once. */
  refused(item: Refused): void;
  /** Whatever a service threw. */
  fail(thrown: unknown): void;
};

export function createFailures(on: {
  reply(frame: ServerFrame): void;
  close(code: CloseCode, reason: string): void;
  fields(): Record<string, unknown>;
  readonly log: Logger;
  readonly newId: () => string;
}): Failures {
  let faults = 0;
  const toldOf = new Set<string>();

  function say(code: string, message: string, permanent: boolean, seq?: number): void {
    const about = seq === undefined ? {} : { seq };
    on.reply({ type: 'error', code, message: message.slice(0, 2000), permanent, ...about });
  }

  return {
    fault(problem, last) {
      faults += 1;
      const over = last || faults >= MAX_FAULTS;
      say('invalid_frame', problem, over);
      if (over) on.close(CloseCode.PolicyViolation, 'unreadable frames');
    },
    mismatch(problem) {
      say('protocol_mismatch', problem, true);
      on.close(CloseCode.ProtocolMismatch, problem);
    },
    refused({ code, message, seq }) {
      if (toldOf.has(code)) return;
      toldOf.add(code);
      on.log.info({ ...on.fields(), code }, 'items of an agent refused');
      say(code, message, false, seq);
    },
    fail(thrown) {
      const refusal = refusalOf(thrown);
      if (refusal !== null) {
        on.log.info({ ...on.fields(), code: refusal.code }, 'agent refused');
        say(refusal.code, refusal.message, refusal.permanent);
        on.close(refusal.closeCode, refusal.code);
        return;
      }
      const faultId = on.newId();
      on.log.error({ ...on.fields(), faultId, err: thrown }, 'agent frame failed');
      say('internal', `unexpected failure ${faultId}`, false);
      on.close(CloseCode.Internal, `unexpected failure ${faultId}`);
    },
  };
}
