import { z } from 'zod';
import { roles, type Grant } from './access';

/** Exact, or a prefix with a trailing `*`; `*` alone is everything. */
const pattern = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^*]*\*?$/, 'a * is allowed at the end only');

export const grant = z.strictObject({
  role: z.enum(roles),
  /** An exact environment or `*`. */
  environment: pattern,
  service: pattern,
}) satisfies z.ZodType<Grant>;
