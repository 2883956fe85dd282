/** A passkey in software: P-256, attestation `none`, as WebAuthn level 2 lays its bytes out. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

type Cbor = number | string | Buffer | Map<Cbor, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const parts = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...parts]);
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const url64 = (data: Buffer): string => data.toString('base64url');

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

type Options = Readonly<Record<string, unknown>>;

export class SoftPasskey {
  readonly id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #counter = 0;

  constructor(
    readonly origin: string,
    /** Whether the device has checked who holds it. */
    readonly verifiesUser = true,
  ) {}

  #authenticatorData(rpId: string, flags: number, rest = Buffer.alloc(0)): Buffer {
    this.#counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.#counter);
    const all = flags | PRESENT | (this.verifiesUser ? VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter, rest]);
  }

  #clientData(type: string, challenge: unknown): Buffer {
    return Buffer.from(
      JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }),
    );
  }

  /** What the browser would answer to creation options. */
  create(options: Options): Record<string, unknown> & { id: string } {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<Cbor, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, cbor(key)]);
    const { id: rpId } = options['rp'] as { id: string };
    const authData = this.#authenticatorData(rpId, ATTESTED, attested);
    const attestation = new Map<Cbor, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#answer({
      clientDataJSON: url64(this.#clientData('webauthn.create', options['challenge'])),
      attestationObject: url64(cbor(attestation)),
      transports: ['internal'],
    });
  }

  /** What the browser would answer to request options. */
  prove(options: Options): Record<string, unknown> & { id: string } {
    const authenticatorData = this.#authenticatorData(String(options['rpId']), 0);
    const clientData = this.#clientData('webauthn.get', options['challenge']);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    const signature = createSign('SHA256').update(signed).sign(this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: url64(clientData),
      authenticatorData: url64(authenticatorData),
      signature: url64(signature),
    });
  }

  #answer(response: object): Record<string, unknown> & { id: string } {
    const id = url64(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
