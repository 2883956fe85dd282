import { z } from 'zod';

const share = z.number().min(0).max(1).default(1);

/** What can be switched on at a service, by hand or by the scenario. */
export const fault = z.discriminatedUnion('kind', [
  /** Answers as usual, but later. */
  z.strictObject({ kind: z.literal('latency'), ms: z.number().min(0).max(60_000).default(600) }),
  z.strictObject({ kind: z.literal('errors'), share }),
  /** Takes the call and never answers. */
  z.strictObject({ kind: z.literal('hang'), share }),
  /** Nobody listens on the port. */
  z.strictObject({ kind: z.literal('refuse') }),
  /** Gone for a while, then back with nothing in its caches. */
  z.strictObject({
    kind: z.literal('restart_cold'),
    downMs: z.number().min(0).max(120_000).default(5_000),
  }),
  z.strictObject({ kind: z.literal('clear') }),
]);
export type Fault = z.infer<typeof fault>;

export const faultKinds = fault.options.map((option) => option.shape.kind.value);

/** What a call meets under the fault in force: nothing, a wait, an error, or no answer at all. */
export type Obstacle = 'none' | 'error' | 'never' | { readonly waitMs: number };

export function obstacle(active: Fault | null, random: () => number): Obstacle {
  switch (active?.kind) {
    case 'latency':
      return { waitMs: active.ms };
    case 'errors':
      return random() < active.share ? 'error' : 'none';
    case 'hang':
      return random() < active.share ? 'never' : 'none';
    default:
      return 'none';
  }
}
