import { ApiError } from './api-error';

type Json = Readonly<Record<string, unknown>>;

const missing = () =>
  new ApiError('invalid_input', 'This browser cannot use passkeys here. They need a host name.');

function asJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw missing();
  return credential.toJSON();
}

const isAble = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function';

/** Asks the authenticator to make a key; what it answers goes to the server. */
export async function makePasskey(options: Json): Promise<unknown> {
  if (!isAble()) throw missing();
  // The server's library made the options for exactly this call.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  return asJson(await navigator.credentials.create({ publicKey }));
}

/** Asks the authenticator to prove that it holds a key. */
export async function provePasskey(options: Json): Promise<unknown> {
  if (!isAble()) throw missing();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  return asJson(await navigator.credentials.get({ publicKey }));
}
