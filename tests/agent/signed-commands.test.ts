/** [S-09] The server's signing against the agent's check, over a line on which anything can happen. */
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Hello } from '@/lib/protocol/agent-frames';
import type { Desired } from '@/lib/protocol/server-frames';
import { commandKeyIds, openCommandKey } from '@/server/audit/command-key';
import { newPrivateKey, readPrivateKey } from '@/server/audit/ed25519';
import { sha256Hex } from '@/server/auth/sha256';
import { createSignDesired, type CommandSigner } from '@/server/gateways/agent/sign-desired';
import { temporaryFolder } from '@/tests/audit/support';
import { desiredEntry, harness } from './support/harness';

function newSigner(): CommandSigner {
  const key = readPrivateKey(newPrivateKey());
  return { ...key, keyId: sha256Hex(key.publicKey) };
}

const ours = newSigner();
const theirs = newSigner();
const NOT_OBEYED = 'error console sends what its pinned key did not sign; it is not obeyed';

function pinned(keys: readonly string[] = [ours.keyId], setup: Parameters<typeof harness>[0] = {}) {
  const h = harness({ commandKeys: keys, ...setup });
  const wire = h.connect();
  const [hello] = wire.of('hello');
  if (hello === undefined) throw new Error('no hello');
  const receive = (frame: Desired) => {
    h.server.wire.receive(frame);
    h.time.settle();
  };
  return { h, hello, wire, receive, sign: createSignDesired(hello, ours) };
}

const set = (revision: number, ...overrides: Desired['overrides']): Desired => ({
  type: 'desired',
  revision,
  overrides,
});
const open = (id = 'a') => desiredEntry(id);

describe('[S-09] an agent with a pinned key', () => {
  it('asks for signatures and obeys what is signed for it', () => {
    const { h, hello, wire, receive, sign } = pinned();
    expect(hello.nonce).toMatch(/^[0-9a-f]{32}$/);
    receive(sign(set(1, open())));
    expect(h.breaker.effective).toBe('forced_open');
    receive(sign(set(2)));
    expect(h.breaker.effective).toBe('closed');
    expect(wire.of('applied')[0]?.results).toMatchObject([{ overrideId: 'a', outcome: 'applied' }]);
    expect(h.loud()).toEqual([]);
  });

  it('counts fields that a newer console adds as signed, too', () => {
    const { h, receive, sign } = pinned();
    const newer = { ...open(), later: { field: [1, 2] } };
    receive(sign(set(1, newer)));
    expect(h.breaker.effective).toBe('forced_open');
  });

  const attacks: readonly [string, (frame: Desired, hello: Hello) => Desired, string][] = [
    ['unsigned', (frame) => frame, 'without a signature'],
    [
      'of another key',
      (frame, hello) => createSignDesired(hello, theirs)(frame),
      'signed with another key',
    ],
    [
      'of another key under the name of ours',
      (frame, hello) => createSignDesired(hello, { ...theirs, keyId: ours.keyId })(frame),
      'signed with another key',
    ],
    [
      'of another key, with our public key beside it',
      (frame, hello) =>
        createSignDesired(hello, { ...ours, sign: (text) => theirs.sign(text) })(frame),
      'signature that is not good',
    ],
    [
      'altered after it was signed',
      (frame, hello) => {
        const signed = createSignDesired(hello, ours)(frame);
        return { ...signed, overrides: [{ ...open(), remainingMs: 3_600_000 }] };
      },
      'signature that is not good',
    ],
    [
      'emptied after it was signed',
      (frame, hello) => ({ ...createSignDesired(hello, ours)(frame), overrides: [] }),
      'signature that is not good',
    ],
    ...(['service', 'environment', 'instance', 'epoch', 'nonce'] as const).map(
      (part): [string, (frame: Desired, hello: Hello) => Desired, string] => [
        `signed for another ${part}`,
        (frame, hello) => createSignDesired({ ...hello, [part]: '0'.repeat(32) }, ours)(frame),
        'signature that is not good',
      ],
    ),
    [
      'with a signature that is none',
      (frame, hello) => {
        const { proof, ...rest } = createSignDesired(hello, ours)(frame);
        return { ...rest, ...(proof === undefined ? {} : { proof: { ...proof, signature: '!' } }) };
      },
      'signature that is not good',
    ],
  ];

  it.each(attacks)(
    'does not obey what is %s, says so, and stays connected',
    (_what, forge, why) => {
      const { h, hello, wire, receive } = pinned();
      for (let revision = 1; revision <= 7; revision++)
        receive(forge(set(revision, open()), hello));
      expect(h.breaker.effective).toBe('closed');
      expect(h.breaker.changes).toEqual([]);
      expect(wire.of('applied')).toEqual([]);
      expect(wire.closedWith).toBeNull();
      expect(h.loud()).toEqual([NOT_OBEYED]);
      expect(h.said.join('\n')).toContain(why);
    },
  );

  it('what it holds stays when somebody sends an empty set that nobody signed', () => {
    const { h, receive, sign } = pinned();
    receive(sign(set(1, open())));
    receive(set(2));
    expect(h.breaker.effective).toBe('forced_open');
  });

  it('says so even after many notices about items that the console cannot keep', () => {
    const { h, receive } = pinned();
    for (let seq = 1; seq <= 20; seq += 1) {
      const frame = { type: 'error', code: 'quota', permanent: false, seq } as const;
      h.server.wire.receive({ ...frame, message: `quota of ${seq}` });
    }
    receive(set(1, open()));
    expect(h.loud().filter((line) => line === NOT_OBEYED)).toHaveLength(1);
  });

  it('does not obey a replay, on the same connection or on the next', () => {
    const { h, receive, sign } = pinned();
    const forced = sign(set(1, open()));
    const released = sign(set(2));
    receive(forced);
    receive(released);
    receive(forced);
    expect(h.breaker.effective).toBe('closed');
    h.server.wire.end({ code: 1006 });
    h.time.advance(2_000);
    const again = h.connect();
    receive(forced);
    expect(h.breaker.effective).toBe('closed');
    const [hello] = again.of('hello');
    expect(hello?.nonce).toMatch(/^[0-9a-f]{32}$/);
    if (hello !== undefined)
      receive(createSignDesired(hello, ours)(set(3, desiredEntry('b', { generation: 2 }))));
    expect(h.breaker.effective).toBe('forced_open');
  });

  describe('[R-22] that holds a breaker closed', () => {
    const closed = desiredEntry('c', { kind: 'force_closed' });

    /** Two minutes and more with a ping every 20 s, as whoever holds the connection can send. */
    function hold(isSigned: boolean) {
      const { h, receive, sign } = pinned([ours.keyId], { allowRemote: ['force_closed'] });
      receive(sign(set(1, closed)));
      const seen: string[] = [];
      for (let beat = 1; beat <= 7; beat += 1) {
        h.time.advance(20_000 - 1);
        seen.push(h.breaker.effective);
        h.time.advance(1);
        h.server.wire.receive({ type: 'ping', id: beat, clock: { at: 0, mono: 0 } });
        receive(isSigned ? sign(set(1, closed)) : set(1, closed));
      }
      return seen;
    }

    it('lets go after 120 s when nobody signs any more, whatever else is said', () => {
      expect(hold(false)).toEqual([...Array(6).fill('forced_closed'), 'closed']);
    });

    it('goes on while what is said is signed', () => {
      expect(hold(true)).toEqual(Array(7).fill('forced_closed'));
    });
  });

  it('with two keys pinned obeys both, which is how a key is changed', () => {
    const { h, hello, receive, sign } = pinned([ours.keyId, theirs.keyId]);
    receive(sign(set(1, open())));
    expect(h.breaker.effective).toBe('forced_open');
    const fresh = pinned([ours.keyId, theirs.keyId]);
    fresh.receive(createSignDesired(fresh.hello, theirs)(set(1, open())));
    expect(fresh.h.breaker.effective).toBe('forced_open');
    expect(hello.nonce).not.toBe(fresh.hello.nonce);
  });
});

describe('[S-09] an agent without a pinned key', () => {
  it('asks for no signature, gets none, and obeys as before', () => {
    const h = harness();
    const wire = h.connect();
    const [hello] = wire.of('hello');
    if (hello === undefined) throw new Error('no hello');
    expect(hello.nonce).toBeUndefined();
    const frame = createSignDesired(hello, ours)(set(1, open()));
    expect(frame.proof).toBeUndefined();
    h.server.wire.receive(frame);
    h.time.settle();
    expect(h.breaker.effective).toBe('forced_open');
  });

  it.each([[[]], [['abc']], [[ours.keyId.toUpperCase()]]])('refuses to pin %j', (commandKeys) => {
    expect(() => harness({ commandKeys })).toThrow('commandKeys');
  });
});

describe('[S-09] the key of the console', () => {
  it('is made once, for its owner alone; the next one takes its place under the id it was pinned by', () => {
    const folder = temporaryFolder();
    const first = openCommandKey(folder);
    const file = join(folder, 'command-key.pem');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY');
    expect(openCommandKey(folder).keyId).toBe(first.keyId);
    expect(commandKeyIds(folder, false)).toEqual([first.keyId]);
    const [used, next = ''] = commandKeyIds(folder, true);
    expect(used).toBe(first.keyId);
    expect(commandKeyIds(folder, false)).toEqual([first.keyId, next]);
    renameSync(join(folder, 'command-key.next.pem'), file);
    expect(openCommandKey(folder).keyId).toBe(next);
    expect(existsSync(join(folder, 'command-key.next.pem'))).toBe(false);
  });
});
