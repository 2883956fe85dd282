import { parseJson, parseServerFrame, type Parsed } from '../../protocol/parse';
import type { ServerFrame } from '../../protocol/server-frames';

const MAX_PROBLEMS = 5;
const MAX_FRAMES_PER_SECOND = 500;
/** Parsing costs the host time: this much is far above any honest server. */
const MAX_CHARS_PER_SECOND = 4 * 1024 * 1024;

export type Received =
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  | { readonly kind: 'ignored'; readonly problem: string }
  | { readonly kind: 'hostile'; readonly problem: string };

const KNOWN = new Set([
  'welcome',
  'ack',
  'resend',
  'need_state',
  'desired',
  'ping',
  'error',
  'restarting',
  'slow_down',
]);

/** A newer server may send frames of a type that this agent does not know; they are not faults. */
function isUnknownType(raw: string): boolean {
  const json = parseJson(raw);
  if (!json.ok || typeof json.value !== 'object' || json.value === null) return false;
  const type: unknown = Reflect.get(json.value, 'type');
  return typeof type === 'string' && !KNOWN.has(type);
}

/** Parses what the server sends and gives up on a server that sends rubbish or far too much. */
export class Inbound {
  readonly #mono: () => number;
  #problems = 0;
  #secondStart = Number.NEGATIVE_INFINITY;
  #inSecond = 0;
  #charsInSecond = 0;

  constructor(mono: () => number) {
    this.#mono = mono;
  }

  receive(raw: string): Received {
    if (this.#tooMuch(raw.length)) return { kind: 'hostile', problem: 'too many frames' };
    const parsed: Parsed<ServerFrame> = parseServerFrame(raw);
    if (parsed.ok) return { kind: 'frame', frame: parsed.value };
    if (isUnknownType(raw)) return { kind: 'ignored', problem: 'unknown frame type' };
    return this.fault(parsed.problem);
  }

  fault(problem: string): Received {
    this.#problems += 1;
    return { kind: this.#problems >= MAX_PROBLEMS ? 'hostile' : 'ignored', problem };
  }

  #tooMuch(chars: number): boolean {
    const now = this.#mono();
    if (now - this.#secondStart >= 1000) {
      this.#secondStart = now;
      this.#inSecond = 0;
      this.#charsInSecond = 0;
    }
    this.#inSecond += 1;
    this.#charsInSecond += chars;
    return this.#inSecond > MAX_FRAMES_PER_SECOND || this.#charsInSecond > MAX_CHARS_PER_SECOND;
  }
}
