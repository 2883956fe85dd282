import { afterEach, expect, it, vi } from 'vitest';
import { makePasskey, provePasskey } from '@/lib/client/passkey';

class Key {
  toJSON() {
    return { id: 'key' };
  }
  static parseCreationOptionsFromJSON = () => ({ rp: { id: 'localhost' } });
  static parseRequestOptionsFromJSON = () => ({ rpId: 'localhost' });
}

/** A browser whose authenticator does this. */
function browser(run: () => Promise<unknown>): void {
  vi.stubGlobal('PublicKeyCredential', Key);
  vi.stubGlobal('navigator', { credentials: { create: run, get: run } });
}

afterEach(() => void vi.unstubAllGlobals());

const uses = [
  ['made', () => makePasskey({})],
  ['used', () => provePasskey({})],
] as const;

it.each(uses)('a passkey that was %s is handed on as JSON', async (_what, use) => {
  browser(async () => new Key());
  expect(await use()).toEqual({ id: 'key' });
});

it.each([
  ['NotAllowedError', /called off, took too long, or there is none/],
  ['InvalidStateError', /on this device already/],
  ['SecurityError', /under the name localhost only/],
] as const)('%s is told in words for a person', async (name, words) => {
  const refusal = new DOMException('see https://www.w3.org/TR/webauthn-2/', name);
  for (const [, use] of uses) {
    browser(() => Promise.reject(refusal));
    await expect(use()).rejects.toMatchObject({ message: words, cause: refusal });
  }
});

it('a fault that is not known stays what it is', async () => {
  const fault = new DOMException('out of order', 'UnknownError');
  browser(() => Promise.reject(fault));
  for (const [, use] of uses) await expect(use()).rejects.toBe(fault);
});

it('a browser without passkeys says so', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  for (const [, use] of uses) await expect(use()).rejects.toThrow('They need a host name');
});
