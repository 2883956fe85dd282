import { z } from 'zod';

export const simulatorBody = z.object({
  /** `stopped`: its data is there, nothing reports. */
  state: z.enum(['absent', 'running', 'stopped']),
  /** When it stops by itself, epoch ms; null while it does not run. */
  endsAt: z.number().nullable(),
  breakers: z.int(),
});
export type SimulatorBody = z.infer<typeof simulatorBody>;
