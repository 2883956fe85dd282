import { describeChanges, type States } from './changes-text';

/** A listener gets a summary no more often than this. */
export const SPEAK_EVERY_MS = 10_000;

/** What is said aloud, asked once each `SPEAK_EVERY_MS`. The connection's own banner says its loss. */
export class Speaker {
  #said: States | null = null;
  #wasLive = true;

  /** Empty when there is nothing to say. */
  next(now: States, isLive: boolean): string {
    const parts: string[] = [];
    if (isLive && !this.#wasLive) parts.push('The connection is back');
    this.#wasLive = isLive;
    // What an old picture lacks is not known yet: it is said once the new one is here.
    if (!isLive || now.size === 0) return '';
    const before = this.#said;
    this.#said = now;
    // The first full picture is the page itself, not news.
    if (before !== null) parts.push(describeChanges(before, now));
    return parts.filter(Boolean).join('. ');
  }
}
