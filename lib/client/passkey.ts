import { ApiError } from './api-error';

type Json = Readonly<Record<string, unknown>>;

const missing = () =>
  new ApiError('invalid_input', 'This browser cannot use passkeys here. They need a host name.');

/**
 * Why the browser made or used no passkey, for a person: its own words differ from one browser to the
 * next and name specifications. `name` is that of its `DOMException`; null for one that is not known.
 */
export function passkeyProblem(name: string, host: string): string | null {
  switch (name) {
    case 'NotAllowedError':
      return 'No passkey was used: it was called off, took too long, or there is none for this console here.';
    case 'InvalidStateError':
      return 'There is a passkey for this console on this device already.';
    case 'SecurityError':
      return `Passkeys count under the name ${host} only: open the console at that name.`;
    default:
      return null;
  }
}

async function ask(host: unknown, run: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await run();
    if (!(credential instanceof PublicKeyCredential)) throw missing();
    return credential.toJSON();
  } catch (thrown) {
    const problem =
      thrown instanceof DOMException ? passkeyProblem(thrown.name, String(host)) : null;
    if (problem === null) throw thrown;
    throw new ApiError('invalid_input', problem, { cause: thrown });
  }
}

const isAble = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Asks the authenticator to make a key; what it answers goes to the server. */
export async function makePasskey(options: Json): Promise<unknown> {
  if (!isAble()) throw missing();
  // The server's library made the options for exactly this call.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  return ask(publicKey.rp.id, () => navigator.credentials.create({ publicKey }));
}

/** Asks the authenticator to prove that it holds a key. */
export async function provePasskey(options: Json): Promise<unknown> {
  if (!isAble()) throw missing();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  return ask(publicKey.rpId, () => navigator.credentials.get({ publicKey }));
}
