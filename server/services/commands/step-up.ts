import type { Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { isLocal } from './people';

/** Spends the step-up for this digest, or says which one is needed. */
export async function requireStepUp(
  core: Core,
  caller: Caller,
  digest: string,
  stepUpId: string | undefined,
): Promise<void> {
  if (isLocal(caller)) return;
  if (caller.principal.kind === 'api_token') {
    throw new RecloserError(
      'step_up_needed',
      'this needs a person; a token cannot prove a factor',
      {
        details: { digest, factors: [] },
      },
    );
  }
  const spent =
    stepUpId !== undefined && (await core.stepUps?.consume(caller, digest, stepUpId)) === true;
  if (spent) return;
  throw new RecloserError('step_up_needed', 'prove one of your factors for exactly this command', {
    details: { digest, factors: (await core.stepUps?.factorsOf(caller)) ?? [] },
  });
}
