/** What the console tells the outside by itself. */
import type { CommandKind } from './breaker-state';

/** [S-16] Somebody went past the second person; another one has to look at it. */
export type BreakGlassNotice = {
  /** The review: the same for each attempt to send it, so that a receiver takes it once. */
  readonly id: string;
  readonly type: 'break_glass';
  readonly at: number;
  readonly commandId: string;
  readonly kind: CommandKind;
  readonly environment: string;
  readonly actor: string;
  readonly reason: string;
  readonly reviewDueAt: number;
};
