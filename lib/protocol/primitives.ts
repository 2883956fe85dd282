import { z } from 'zod';

// Bidi controls, zero-width and other invisible formatting can make one name look like another.
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]/u;
const ZWJ = /\u200D/u;
// A joiner is fine between two pictographs (family, flags), nowhere else.
const JOINED =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/gu;

/** True for a name that people can tell apart: no control, bidi or zero-width characters. */
export function isVisibleName(value: string): boolean {
  return !INVISIBLE.test(value) && !ZWJ.test(value.replace(JOINED, ''));
}

/** Service, environment, breaker, target, instance: NFC, 1 to 128 characters, nothing invisible. */
export const name = z
  .string()
  .normalize('NFC')
  .trim()
  .min(1)
  .max(128)
  .refine(isVisibleName, 'must not hold control, bidi or zero-width characters');

export const label = z
  .string()
  .max(128)
  .refine(isVisibleName, 'must not hold invisible characters');

/** Free text from a person or a library: at most 500 characters, nothing invisible, trimmed. */
export const freeText = z
  .string()
  .normalize('NFC')
  .trim()
  .max(500)
  .refine(isVisibleName, 'must not hold control, bidi or zero-width characters');

export const seq = z.int().min(1);
export const count = z.int().min(0);
/** Epoch milliseconds of the sender's wall clock. */
export const epochMs = z.number().min(0).max(8.64e15);
/** Milliseconds of a monotonic clock or a duration, float. */
export const durationMs = z.number().min(0).max(1e13);
/** Fraction, 0 to 1. */
export const fraction = z.number().min(0).max(1);
/** 128 random bits as 32 hex digits, new at every start of a process. */
export const epochId = z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits');
export const configHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex');

export const clockReading = z.object({ at: epochMs, mono: durationMs });
export type ClockReading = z.infer<typeof clockReading>;

export const histogram = z.object({
  buckets: z.array(z.tuple([z.int().min(0), z.int().min(1)])).max(4096),
  count,
  sumMs: z.number().min(0),
  maxMs: z.number().min(0),
});
