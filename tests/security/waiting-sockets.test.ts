/** [S-20] Sockets that are let in by their cookie and then say nothing. */
import { expect, it } from 'vitest';
import { CloseCode } from '@/lib/protocol/version';
import { createWaitingRoom } from '@/server/auth/waiting-room';
import { openConsole, visit, type Live, type Visitor } from './console';

const SHARE = 20;
const OPEN_TIMEOUT_MS = 5_000;

async function silent(visitor: Visitor, count: number): Promise<Live[]> {
  const sockets = Array.from({ length: count }, () => visitor.connect());
  await Promise.all(sockets.map(({ opened }) => opened));
  return sockets;
}

it('[S-20] 20 of one address may wait, the next is told to come again', async () => {
  const console = await openConsole();
  const visitor = await visit(console);
  const waiting = await silent(visitor, SHARE);
  expect(await visitor.connect().refused).toBe(503);

  // Whoever has shown the ticket waits no longer, and stays.
  waiting[0]?.socket.send(
    JSON.stringify({ type: 'open', ticket: await visitor.ticket(), topics: ['fleet'] }),
  );
  await expect.poll(() => waiting[0]?.types).toContain('snapshot');
  await silent(visitor, 1);
  expect(await visitor.connect().refused).toBe(503);

  // Nor does who has gone.
  waiting[1]?.socket.terminate();
  await expect.poll(() => visitor.connect().opened.then(() => 'in')).toBe('in');
});

it('[S-20] they have five seconds, and then there is room again', async () => {
  const console = await openConsole();
  const visitor = await visit(console);
  const waiting = await silent(visitor, SHARE);
  console.clock.fake.advance(OPEN_TIMEOUT_MS);
  const codes = await Promise.all(waiting.map(({ closed }) => closed));
  expect(new Set(codes)).toEqual(new Set([CloseCode.HelloTimeout]));
  await silent(visitor, SHARE);
});

it('[S-20] one address takes nothing from another', () => {
  const room = createWaitingRoom(1);
  const leave = room.enter('192.0.2.1');
  expect(room.enter('192.0.2.1')).toBeNull();
  expect(room.enter('192.0.2.2')).not.toBeNull();
  leave?.();
  leave?.();
  expect(room.enter('192.0.2.1')).not.toBeNull();
  expect(room.enter('192.0.2.1')).toBeNull();
});
