/** [S-24] Texts that leave: to the webhook and to the log. Data in them stays data. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { issueCommandBody } from '@/lib/protocol/commands';
import { createWebhook } from '@/server/notices/webhook';
import { openWorld, settle, TestAgent } from '@/tests/services/support';
import { personNamed } from '@/tests/support/callers';
import { createLog } from '@/server/log';

const TRICKS = ['<!channel>', '<!here>', '@channel', '<@U012>', '{{7*7}}', '${7*7}', '<%= 7*7 %>'];
const TRICK = `${TRICKS.join(' ')} *bold* <http://evil.example|x>`;

async function receiver() {
  const got: { headers: IncomingMessage['headers']; raw: string[]; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      got.push({ headers: request.headers, raw: request.rawHeaders, body });
      response.end();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

it('[S-24] a notice holds names as they are, in fields of JSON and nowhere else', async () => {
  const { got, url } = await receiver();
  const settings = { url, secrets: ['s'.repeat(32)], allowed: ['127.0.0.1'] };
  const send = createWebhook(settings, { now: () => 1_800_000_000_000 });
  const world = await openWorld({ sendNotice: send });
  const agent = new TestAgent(world);
  await agent.connect();
  await agent.send(agent.registered());
  const attacker = personNamed(TRICK);
  await world.services.policies.set(personNamed('ada'), {
    environment: '*',
    twoPerson: 'L2',
    stepUp: 'never',
    tierOneServices: [],
  });
  await world.services.commands.issue(attacker, {
    scope: { kind: 'breaker', breakerId: agent.breakerId },
    kind: 'force_open',
    includeNew: false,
    breakGlass: true,
    reason: TRICK,
    leaseMs: 600_000,
    expectedGenerations: { [agent.breakerId]: 0 },
    idempotencyKey: 'key-of-tricks',
    stepUpId: 'proved',
  });
  await world.pass(10_000);
  await expect.poll(() => got.length).toBe(1);
  await settle();
  const [{ headers, raw, body } = { headers: {}, raw: [], body: '' }] = got;
  const sent = JSON.parse(body) as Record<string, unknown>;
  expect(sent).toMatchObject({ actor: TRICK, reason: TRICK });
  // No field that a chat takes for its own text, and nothing was worked out.
  expect(Object.keys(sent).toSorted()).toEqual([
    'actor',
    'at',
    'commandId',
    'environment',
    'id',
    'kind',
    'reason',
    'reviewDueAt',
    'type',
  ]);
  expect(body).not.toContain('49');
  expect(headers['content-type']).toBe('application/json');
  for (const trick of TRICKS) expect(raw.join('\n')).not.toContain(trick);
});

it.each(['x\r\nBcc: all@evil.example', 'x\nSubject: y', 'x\u2028y', 'x\u0000y', 'x\u001b[2Jy'])(
  '[S-24] a line end never gets as far as that: %j',
  (reason) => {
    const body = {
      scope: { kind: 'breaker', breakerId: 'br_1' },
      kind: 'force_open',
      reason: `the reason is ${reason}`,
      expectedGenerations: { br_1: 0 },
      idempotencyKey: 'key-12345678',
    };
    expect(issueCommandBody.safeParse({ ...body, reason: 'the reason is x' }).success).toBe(true);
    expect(issueCommandBody.safeParse(body).success).toBe(false);
  },
);

it('[S-24] [S-42] a log line is one line of JSON with the name as a value', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  log.info({ actor: `${TRICK} %s %d %o\r\nBcc: x` }, 'somebody came');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toMatch(/[\r\n]/);
  const { actor, msg } = JSON.parse(lines[0] ?? '') as { actor: string; msg: string };
  expect(msg).toBe('somebody came');
  for (const trick of TRICKS) expect(actor).toContain(trick);
  expect(actor).toContain('%s %d %o');
});
