import type { Hello } from '@/lib/protocol/agent-frames';
import { desiredText } from '@/lib/protocol/command-proof';
import type { Desired } from '@/lib/protocol/server-frames';

export type CommandSigner = {
  readonly keyId: string;
  /** SPKI, base64. */
  readonly publicKey: string;
  /** Ed25519 over the UTF-8 text, base64. */
  sign(text: string): string;
};

export type SignDesired = (frame: Desired) => Desired;

/** Of one connection; an agent that sent no nonce pins no key, and nothing is signed for it. */
export function createSignDesired(hello: Hello, signer: CommandSigner | undefined): SignDesired {
  const { nonce, service, environment, instance, epoch } = hello;
  if (nonce === undefined || signer === undefined) return (frame) => frame;
  const to = { service, environment, instance, epoch, nonce };
  const { keyId, publicKey } = signer;
  let number = 0;
  return (frame) => {
    number += 1;
    const signature = signer.sign(desiredText(to, number, frame));
    return { ...frame, proof: { keyId, publicKey, number, signature } };
  };
}
