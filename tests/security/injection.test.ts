/** [S-23] Every filter of every route, with texts that are meant for the database. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '@/server/http/routes';
import { examples } from '@/tests/http/examples';
import { TestAgent } from '@/tests/services/support';
import { openConsole, visit } from './console';

const CORPUS = [
  "' OR '1'='1",
  "'; DROP TABLE audit; --",
  "' UNION SELECT token_hash, 1, 1 FROM tokens --",
  '1; ATTACH DATABASE "/tmp/x" AS x',
  '1) OR 1=1 --',
  "x' AND randomblob(1000000000) --",
  '%',
  '_%_%_%_%_%_%',
  '%'.repeat(100),
  '\u0000',
  '?1',
  '{"$ne":null}',
  '1e309',
  'NaN',
];

const keysOf = (schema: z.ZodType): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];

/** Each filter of each route that reads, the others as in its example. */
const filters = routes
  .filter(({ method }) => method === 'get')
  .flatMap((route) => {
    const path = examples[`get ${route.path}`]?.path ?? '';
    const inPath = keysOf(route.params).map((key) => ({
      name: `${route.path} {${key}}`,
      url: (text: string) =>
        route.path.replace(`{${key}}`, encodeURIComponent(text)) + path.replace(/^[^?]*/, ''),
    }));
    const inQuery = keysOf(route.query).map((key) => ({
      name: `${route.path} ?${key}`,
      url: (text: string) => {
        const [base = '', query] = path.split('?');
        const search = new URLSearchParams(query);
        search.set(key, text);
        return `${base}?${search.toString()}`;
      },
    }));
    return [...inPath, ...inQuery];
  });

it('[S-23] no filter lets a text become a statement', async () => {
  const console = await openConsole();
  const agent = new TestAgent(console);
  await agent.connect();
  await agent.send(agent.registered());
  const admin = await visit(console);
  const before = await console.store.listAudit({ limit: 500 });
  expect(filters.length).toBeGreaterThan(25);
  const wrong: unknown[] = [];
  for (const { name, url } of filters) {
    for (const text of CORPUS) {
      const { status, text: body } = await admin.get(url(text));
      const tells = /SQLITE|syntax error|no such|token_hash|near "/i.test(body);
      if (![200, 400, 404, 429].includes(status) || tells) wrong.push({ name, text, status, body });
    }
  }
  expect(wrong).toEqual([]);
  // Nothing was dropped, added or shown that was not asked for.
  const after = await console.store.listAudit({ limit: 2_000 });
  expect(after.filter(({ action }) => action !== 'audit.exported').slice(-before.length)).toEqual(
    before,
  );
  const all = (await admin.get("/api/audit?actor='%20OR%20'1'%3D'1")).json();
  expect(all['rows']).toEqual([]);
  expect((await admin.get('/api/audit?subject=%25')).json()['rows']).toEqual([]);
  expect((await admin.get(`/api/breakers/${agent.breakerId}`)).status).toBe(200);
});

it('[S-23] what is stored is the text, whatever it says', async () => {
  const console = await openConsole();
  const agent = new TestAgent(console);
  await agent.connect();
  await agent.send(agent.registered());
  const admin = await visit(console);
  const texts = CORPUS.filter((text) => text.length >= 10 && text.length < 90);
  for (const [index, text] of texts.entries()) {
    const answer = await admin.post('/api/overrides', {
      breakerId: agent.breakerId,
      kind: 'force_open',
      reason: text,
      expectedGeneration: index,
      idempotencyKey: `injection-${index}`,
    });
    expect({ text, status: answer.status }).toEqual({ text, status: 202 });
  }
  const reasons = (await console.services.overrides.list({})).map(({ reason }) => reason);
  expect(reasons.toSorted()).toEqual(texts.toSorted());
  const found = (await admin.get(`/api/audit?text=${encodeURIComponent(texts[0] ?? '')}`)).json();
  expect(found['rows']).not.toEqual([]);
});
