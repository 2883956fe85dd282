/** Types of the bodies whose schemas stay on the server; nothing of zod reaches the browser. */
import type { z } from 'zod';
import type {
  auditBody,
  createdTokenBody,
  overrideBody,
  overridesBody,
  removedInstanceBody,
  servicesBody,
  tokensBody,
} from '../protocol/api';

export type ServicesBody = z.infer<typeof servicesBody>;
export type TokensBody = z.infer<typeof tokensBody>;
export type CreatedTokenBody = z.infer<typeof createdTokenBody>;
export type OverrideBody = z.infer<typeof overrideBody>;
export type OverridesBody = z.infer<typeof overridesBody>;
export type RemovedInstanceBody = z.infer<typeof removedInstanceBody>;
export type AuditBody = z.infer<typeof auditBody>;
