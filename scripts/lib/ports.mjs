import { createServer } from 'node:net';

export function isFree(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** The port itself or the next one that nobody listens on. */
export async function firstFreePort(from, host) {
  for (let port = from; port < from + 100; port += 1) {
    if (await isFree(port, host)) return port;
  }
  throw new Error(`no free port between ${from} and ${from + 99}`);
}
