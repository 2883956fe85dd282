/** One process of the fleet: told over IPC what to be, ends when its supervisor is gone. */
import { createServer } from 'node:http';
import { fault } from './faults';
import { findService } from './fleet';
import { makeGuards } from './guards';
import { call } from './http-client';
import type { Ready, Start, ToChild } from './ipc';
import { controlDoor, listen } from './json-server';
import { PeerBook } from './peers';
import { ServiceDoor } from './service-door';

const peers = new PeerBook();
let close = (): Promise<void> => Promise.resolve();

async function start(message: Start): Promise<void> {
  const service = findService(message.service);
  if (!service) throw new Error(`no service ${message.service}`);
  const guarded = Object.keys(service.breakers).length > 0;
  const guards = guarded ? makeGuards(service, message, peers) : null;
  const running = service.start({
    call: async (name, path, options) => call(peers.next(name) + path, options),
    guarded: guards?.guarded ?? (() => Promise.reject(new Error('no breakers here'))),
  });
  const door = new ServiceDoor(running);
  const admin = createServer(
    controlDoor({
      'GET /status': async () => ({
        service: message.service,
        instance: message.instance,
        pid: process.pid,
        rssMb: Math.round(process.memoryUsage.rss() / 1e6),
        served: door.served,
        fault: door.fault,
        breakers: guards?.status() ?? {},
        ...running.describe?.(),
      }),
      'POST /fault': async (_path, body) => {
        await door.apply(fault.parse(body));
        return { fault: door.fault };
      },
    }),
  );
  close = async () => guards?.close();

  const ready: Ready = {
    type: 'ready',
    url: await door.open(),
    adminUrl: `http://127.0.0.1:${await listen(admin, 0)}`,
  };
  process.send?.(ready);
}

const leave = (): never => process.exit(0);

function stop(): void {
  setTimeout(leave, 1_500);
  close().then(leave, leave);
}

process.on('message', (message: ToChild) => {
  switch (message.type) {
    case 'start':
      start(message).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
      break;
    case 'peers':
      peers.update(message.peers);
      break;
    case 'stop':
      stop();
      break;
  }
});
// A supervisor that was killed closes the channel; nothing may outlive it.
process.once('disconnect', leave);
// Ctrl-C reaches the whole group: the supervisor says when to stop.
process.on('SIGINT', () => undefined);
