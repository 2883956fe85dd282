import type { LiveSnapshot } from '@/lib/protocol/live-frames';
import type { Caller } from '../caller';

/** What a screen may ask for with its token, and nothing else. */
export interface Screens {
  /** Writes down that a screen was set up, or who tried. Throws for a token that is not good. */
  open(caller: Caller, token: string): Promise<{ name: string; expiresAt: number }>;
  /** The breakers of its environments and services, without who did what. */
  show(token: string): Promise<LiveSnapshot>;
}
