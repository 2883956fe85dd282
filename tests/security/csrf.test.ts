import { describe, expect, it } from 'vitest';
import { routes } from '@/server/http/routes';
import { at, openConsole, person, visit } from './console';

const kim = person('kim', at('admin'));
const body = { name: 'ci', servicePattern: '*', environment: 'prod' };

describe('[S-19] what changes something', () => {
  it('needs the token of this very session', async () => {
    const console = await openConsole({ people: [kim] });
    const [mine, theirs] = [await visit(console), await visit(console, kim)];
    const send = (csrf: Record<string, string>) => mine.post('/api/tokens', body, csrf);
    const own = mine.csrf;
    mine.csrf = '';
    expect((await send({})).json()).toMatchObject({ error: { details: { csrf: true } } });
    for (const wrong of ['', 'guess', theirs.csrf, `${own}x`, own.slice(1)]) {
      expect((await send({ 'x-csrf': wrong })).status).toBe(403);
    }
    expect((await send({ 'x-csrf': own })).status).toBe(201);
    expect(await console.services.tokens.list()).toHaveLength(1);
  });

  it('the token of a session before is no good after signing in again', async () => {
    const console = await openConsole({ people: [kim] });
    const visitor = await visit(console);
    const before = visitor.csrf;
    await visitor.signIn(kim);
    expect((await visitor.post('/api/tokens', body, { 'x-csrf': before })).status).toBe(403);
  });

  it.each(['x-http-method-override', 'x-method-override', 'x-http-method'])(
    'does not come in as a read with %s',
    async (header) => {
      const console = await openConsole();
      const visitor = await visit(console);
      const answer = await visitor.get('/api/sign-out', { [header]: 'POST' });
      expect(answer.status).toBe(405);
      expect((await visitor.get('/api/me?_method=POST')).status).toBe(200);
    },
  );

  it('reading changes nothing but when a session was last seen', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const head = await console.store.auditHead();
    const reads = routes.filter(({ method, path }) => method === 'get' && !path.includes('export'));
    for (const { path } of reads) await visitor.get(path.replace('{id}', 'unknown'));
    expect((await console.store.auditHead()).row).toBe(head.row);
  });
});
