import { createServer, request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlDoor, listen } from '@/examples/demo/json-server';

let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer(controlDoor({ 'POST /fault': async (_path, body) => ({ got: body }) }));
  port = await listen(server, 0);
});
afterAll(() => {
  server.close();
});

function post(headers: Record<string, string>, body = '{"kind":"clear"}'): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method: 'POST', path: '/fault', headers };
    const outgoing = request(options, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

describe('a control door on loopback', () => {
  const json = { 'content-type': 'application/json' };

  it('takes JSON under its own name', async () => {
    expect(await post(json)).toBe(200);
  });

  it('refuses what a page of another origin could send unasked', async () => {
    expect(await post({ 'content-type': 'text/plain' })).toBe(400);
    expect(await post({})).toBe(400);
  });

  it('refuses another host name, which a rebinding attack would use', async () => {
    expect(await post({ ...json, host: `evil.example:${port}` })).toBe(400);
  });

  it('refuses a body that is not JSON or far too long', async () => {
    expect(await post(json, '{')).toBe(400);
    expect(await post(json, JSON.stringify('x'.repeat(20_000)))).toBe(400);
  });
});
