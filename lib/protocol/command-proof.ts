/** [S-09] What the console signs of a `desired` frame, and the agent with a pinned key checks. */
import { canonicalJson } from './digest';

/** Whom the frame is for: one connection of one run, so that it means nothing anywhere else. */
export type CommandAddress = {
  readonly service: string;
  readonly environment: string;
  readonly instance: string;
  readonly epoch: string;
  /** The agent's own, new on each connection. */
  readonly nonce: string;
};

/** `frame`: as it is sent, without its `proof`. `number` counts the frames of the connection. */
export const desiredText = (to: CommandAddress, number: number, frame: object): string =>
  `recloser.desired.v1\n${canonicalJson({ to, number, frame })}`;
