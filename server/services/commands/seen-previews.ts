import { canonicalJson } from '@/lib/protocol/digest';
import type { CommandFacts } from '@/lib/protocol/commands';
import type { Clock } from '../contract';
import { RecloserError } from '../errors';
import { sameFacts } from './facts';
import type { Asked, Previewed } from './preview';

const KEEP_MS = 600_000;
const MAX_KEPT = 1_000;

type Seen = { readonly act: string; readonly facts: CommandFacts; readonly at: number };

const actOf = ({ scope, kind, includeNew }: Asked): string =>
  canonicalJson({ scope, kind, includeNew });

/** Previews that people are looking at. Lost with a restart: then everybody looks again. */
export class SeenPreviews {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock;
  }

  remember(asked: Asked, { preview, facts }: Previewed): void {
    const now = this.#clock.mono();
    this.#seen.delete(preview.digest);
    this.#seen.set(preview.digest, { act: actOf(asked), facts, at: now });
    for (const [digest, { at }] of this.#seen) {
      if (this.#seen.size <= MAX_KEPT && now - at < KEEP_MS) return;
      this.#seen.delete(digest);
    }
  }

  /** [U-22] Throws with a fresh preview when the person decided about something else. */
  check(asked: Asked, digest: string, now: Previewed): void {
    const seen = this.#seen.get(digest);
    if (seen !== undefined && seen.act === actOf(asked) && sameFacts(seen.facts, now.facts)) return;
    this.remember(asked, now);
    const message =
      seen === undefined
        ? 'the preview is too old; look at the new one'
        : 'the facts have changed since the preview; look at the new one';
    throw new RecloserError('conflict', message, { details: { preview: now.preview } });
  }
}
