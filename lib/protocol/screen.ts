/** A screen on the wall that nobody is signed in at; see `screen` tokens in `api-tokens`. */
import { z } from 'zod';

/** Longest life of a screen's token. */
export const MAX_SCREEN_DAYS = 90;

export const openScreenBody = z.strictObject({ token: z.string().trim().max(128) });
export const openedScreenBody = z.object({ name: z.string(), expiresAt: z.number() });
export type OpenedScreenBody = z.infer<typeof openedScreenBody>;
