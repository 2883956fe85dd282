import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { desiredText, type CommandAddress } from '../../protocol/command-proof';
import { parseJson } from '../../protocol/parse';
import { commandProof } from '../../protocol/server-frames';
import { sha256Hex } from '../hash';

const NONCE_BYTES = 16;

type Address = Omit<CommandAddress, 'nonce'>;

function isSigned(publicKey: string, text: string, signature: string): boolean {
  try {
    const der = Buffer.from(publicKey, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/**
 * [S-09] Commands count only when one of the pinned keys has signed them for this very connection,
 * and later than the one before. Without pinned keys every command of the connection counts.
 */
export class CommandCheck {
  readonly #keys: ReadonlySet<string>;
  readonly #to: Address;
  #nonce = '';
  #number = 0;

  constructor(keys: readonly string[], to: Address) {
    this.#keys = new Set(keys);
    this.#to = to;
  }

  get isPinned(): boolean {
    return this.#keys.size > 0;
  }

  /** For the `hello` of a new connection; null when nothing is pinned. */
  begin(): string | null {
    if (!this.isPinned) return null;
    this.#number = 0;
    this.#nonce = randomBytes(NONCE_BYTES).toString('hex');
    return this.#nonce;
  }

  /** Why the frame must not be obeyed; null when it may be. */
  problem(raw: string): string | null {
    if (!this.isPinned) return null;
    const json = parseJson(raw);
    if (!json.ok || typeof json.value !== 'object' || json.value === null) return 'not JSON';
    const { proof: given, ...frame } = json.value as { readonly proof?: unknown };
    const parsed = commandProof.safeParse(given);
    if (!parsed.success) return 'commands without a signature';
    const { keyId, publicKey, number, signature } = parsed.data;
    if (!this.#keys.has(keyId) || sha256Hex(publicKey) !== keyId) {
      return 'commands signed with another key';
    }
    const { service, environment, instance, epoch } = this.#to;
    const to = { service, environment, instance, epoch, nonce: this.#nonce };
    if (!isSigned(publicKey, desiredText(to, number, frame), signature)) {
      return 'commands with a signature that is not good';
    }
    if (number <= this.#number) return 'commands that came before';
    this.#number = number;
    return null;
  }
}
