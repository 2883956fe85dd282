import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';

/** Signs checkpoints. The private key never leaves this object. */
export type Signer = {
  /** SPKI, base64. */
  readonly publicKey: string;
  /** Ed25519 over the UTF-8 text, base64. */
  sign(text: string): string;
};

const spki = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'der' }).toString('base64');

export function signerOf(privateKey: KeyObject): Signer {
  return {
    publicKey: spki(createPublicKey(privateKey)),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), privateKey).toString('base64'),
  };
}

/** PEM (PKCS #8) of a new key. */
export function newPrivateKey(): string {
  return String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** Throws for anything but an Ed25519 key. */
export function readPrivateKey(pem: string): Signer {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  return signerOf(key);
}

/** False for a key or a signature that cannot be read, too. */
export function verifySignature(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.from(publicKey, 'base64'),
      format: 'der',
      type: 'spki',
    });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(text, 'utf8'), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
