/** [S-22] One parser at every door, and what it does with text that is meant to confuse it. */
import { afterEach, describe, expect, it } from 'vitest';
import { agentFrame } from '@/lib/protocol/agent-frames';
import { liveRequest } from '@/lib/protocol/live-frames';
import { parseAgentFrame, parseJson, parseWith } from '@/lib/protocol/parse';
import { routes } from '@/server/http/routes';
import { examples } from '@/tests/http/examples';
import { events, hello, samples } from '@/tests/gateways/agent-frames';
import { post, startFake } from '@/tests/server/fakes/server';
import { TestAgent } from '@/tests/services/support';
import { auditOf, openConsole, visit } from './console';

/** Each is put inside a body that would be good without it. */
const POLLUTION: readonly [string, string][] = [
  ['the prototype', '"__proto__":{"isAdmin":true}'],
  ['the prototype, escaped', '"\\u005f_proto__":{"isAdmin":true}'],
  ['the prototype as a value', '"__proto__":null'],
  ['the constructor', '"constructor":{"prototype":{"isAdmin":true}}'],
  ['a prototype alone', '"prototype":{"isAdmin":true}'],
  ['the prototype further in', '"details":{"a":[{"__proto__":{"isAdmin":true}}]}'],
  ['a number beyond all numbers', '"extra":1e400'],
  ['such a number, negative and further in', '"details":{"a":[-1e999]}'],
  ['depth', `"extra":${'['.repeat(9)}${']'.repeat(9)}`],
  ['depth that would overflow a stack', `"extra":${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['depth in objects', `"extra":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
];

/** `{…}` with one more member, before and after the others. */
const withMember = (good: string, member: string): string[] =>
  good === '{}'
    ? [`{${member}}`]
    : [`{${member},${good.slice(1)}`, `${good.slice(0, -1)},${member}}`];

afterEach(() => {
  const added = Object.keys(Object.getPrototypeOf({}) as object);
  if (added.length > 0 || 'isAdmin' in {}) throw new Error(`every object has ${added.join(', ')}`);
});

describe('[S-22] every JSON route', () => {
  const taking = routes.filter(({ body }) => body !== null);

  it('refuses what is meant for a prototype, what is no number, and what is too deep', async () => {
    const server = await startFake();
    try {
      for (const { method, path } of taking) {
        const example = examples[`${method} ${path}`];
        const good = JSON.stringify(example?.body ?? {});
        for (const [what, member] of POLLUTION) {
          for (const body of withMember(good, member)) {
            const { status } = await post(server.port, example?.path ?? '', body);
            // Past 64 KiB the size is what is refused.
            expect({ path, what, status }).toEqual({
              path,
              what,
              status: body.length > 65_536 ? 413 : 400,
            });
          }
        }
      }
      expect(taking.length).toBeGreaterThan(30);
      expect(server.services.seen).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it.each(['[]', '[{}]', '"text"', '1', 'null', 'true', '{"a":1', '{}{}', '\u0000', "{'a':1}"])(
    'refuses what is no object: %s',
    async (body) => {
      const server = await startFake();
      const { status } = await post(server.port, '/api/overrides', body);
      await server.close();
      expect(status).toBe(400);
    },
  );

  it('takes the last of two equal keys, in what it does as in what it writes down', async () => {
    const console = await openConsole();
    const agent = new TestAgent(console);
    await agent.connect();
    await agent.send(agent.registered());
    const admin = await visit(console);
    const twice = JSON.stringify({
      breakerId: agent.breakerId,
      kind: 'force_open',
      reason: 'REASON',
      expectedGeneration: 0,
      idempotencyKey: 'key-of-duplicates',
    }).replace('"reason":"REASON"', '"reason":"what was looked at","reason":"what is obeyed"');
    expect((await admin.post('/api/overrides', twice)).status).toBe(202);
    const [override] = await console.services.overrides.list({});
    const [row] = await auditOf(console, 'override.issued');
    expect(override?.reason).toBe('what is obeyed');
    expect(row?.details['reason']).toBe('what is obeyed');
  });
});

describe('[S-22] frames', () => {
  const good = [hello(), events(1, 2), samples(1)].map((frame) => JSON.stringify(frame));

  it.each(POLLUTION)('of agents are refused with %s', (_what, member) => {
    for (const frame of good) {
      expect(parseAgentFrame(frame).ok).toBe(true);
      for (const text of withMember(frame, member)) {
        expect(parseAgentFrame(text)).toMatchObject({ ok: false });
      }
    }
  });

  it.each(POLLUTION)('of browsers are refused with %s', (_what, member) => {
    const open = '{"type":"open","topics":["fleet"]}';
    expect(parseWith(liveRequest, open).ok).toBe(true);
    for (const text of withMember(open, member)) {
      expect(parseWith(liveRequest, text)).toMatchObject({ ok: false });
    }
  });

  it('lose the keys that nobody knows, when they are telemetry', () => {
    const frame = { ...events(1), admin: true };
    const parsed = parseAgentFrame(JSON.stringify(frame));
    expect(parsed).toEqual({ ok: true, value: agentFrame.parse(events(1)) });
    expect(JSON.stringify(parsed)).not.toContain('admin');
  });

  it('hold whole numbers that are exact', () => {
    const text = JSON.stringify(events(1)).replace('"seq":1', '"seq":9007199254740993');
    expect(parseAgentFrame(text)).toMatchObject({ ok: false });
  });

  it('never say the value back', () => {
    const parsed = parseJson('{"__proto__":"<script>secret</script>"}');
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });
});

describe('[S-22] names that are members of every object', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', '__proto__', 'prototype'];

  it('are breakers like others', async () => {
    const console = await openConsole();
    const agent = new TestAgent(console);
    await agent.connect();
    for (const name of names) await agent.send(agent.registered(name));
    const admin = await visit(console);
    const { breakers } = (await admin.get('/api/fleet')).json() as {
      breakers: { id: string; name: string }[];
    };
    expect(breakers.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { id } of breakers) {
      expect((await admin.get(`/api/breakers/${id}`)).status).toBe(200);
    }
    const { status } = await admin.get('/api/targets/series?target=constructor-api&from=1&to=2');
    expect(status).toBe(200);
  });
});
