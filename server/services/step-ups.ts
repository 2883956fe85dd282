import type { Caller, Factor } from './caller';

/** [S-13] What a step-up is checked against; the sign-in side keeps and spends them. */
export interface StepUps {
  /** True once for a fresh factor of this very person for this very digest. */
  consume(caller: Caller, digest: string, id: string): Promise<boolean>;
  /** Factors that count for this person: a password only when there is nothing better. */
  factorsOf(caller: Caller): Promise<readonly Factor[]>;
}
