import { Recloser } from '@/lib/agent';
import type { Start } from './ipc';
import { call } from './http-client';
import type { PeerBook } from './peers';
import type { Service, Tools } from './service';

/** The agent of one process with the breakers of its service, and what the panel shows of them. */
export function makeGuards(service: Service, start: Start, peers: PeerBook) {
  const recloser = new Recloser({
    service: start.service,
    owner: service.owner,
    environment: start.console.environment,
    url: start.console.url,
    token: start.console.token,
    instance: start.instance,
    // A demo wants to show every handle; a real service decides for itself.
    allowRemote: ['force_open', 'force_closed', 'reset'],
    logger: { info: () => undefined, error: (message) => console.error(message) },
  });
  const breakers = new Map(
    Object.entries(service.breakers).map(([name, { target, policy, leftBehind }]) => {
      const own = leftBehind?.instance === start.instance ? leftBehind.policy : policy;
      return [name, { target, breaker: recloser.breaker(name, { target, ...own }) }];
    }),
  );

  const guarded: Tools['guarded'] = async (name, path, { idempotent }) => {
    const found = breakers.get(name);
    if (!found) throw new Error(`${start.service} has no breaker ${name}`);
    const { breaker, target } = found;
    return breaker.run(
      ({ signal }) => {
        const method = idempotent ? 'GET' : 'POST';
        return call(peers.next(target) + path, { method, signal });
      },
      { idempotent },
    );
  };

  return {
    guarded,
    status: () =>
      Object.fromEntries(
        [...breakers].map(([name, { breaker }]) => {
          const { state, step, share, counters } = breaker.status();
          return [name, { state, step, share, counters }];
        }),
      ),
    close: () => recloser.close(),
  };
}
