import { browserSocket } from './browser-socket';
import { browserPainted } from './breather';
import { browserClock } from './clock';
import { LiveClient } from './live-client';
import { SCREEN_PAGE, screenSocket } from './screen';

let client: LiveClient | null = null;

const isScreen = (): boolean =>
  typeof window !== 'undefined' && window.location.pathname === SCREEN_PAGE;

/**
 * One client a page, outside React: a component that mounts twice must not open two sockets.
 * On the server it exists for types only and never starts.
 */
export function liveClient(): LiveClient {
  if (client !== null) return client;
  const connect = isScreen() ? screenSocket : browserSocket;
  client = new LiveClient({
    connect,
    clock: browserClock,
    random: Math.random,
    painted: browserPainted,
  });
  return client;
}

/** Started by the first component that listens; lives as long as the page. */
export function startedClient(): LiveClient {
  const live = liveClient();
  if (typeof window === 'undefined') return live;
  live.start();
  return live;
}

if (typeof window !== 'undefined') {
  window.addEventListener('online', () => liveClient().reconnectNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') liveClient().reconnectNow();
  });
}
