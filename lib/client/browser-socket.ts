import type { LiveTicketBody } from '../protocol/people';
import { CloseCode, LIVE_PATH } from '../protocol/version';
import { post } from './http';
import type { SocketEvents, SocketFactory } from './live-client';
import { leaveIfSignedOut } from './session';

/** [S-05] The first word carries a ticket, which only a page of our own origin can get. */
async function greet(
  socket: WebSocket,
  events: SocketEvents,
  asked: Promise<LiveTicketBody>,
): Promise<void> {
  try {
    const { ticket } = await asked;
    events.open(ticket);
  } catch {
    // Without a ticket nothing comes of it; the client comes back by itself.
    socket.close();
  }
}

export const browserSocket: SocketFactory = (events) => {
  const { protocol, host } = window.location;
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${LIVE_PATH}`);
  // Asked for while the socket opens: one way there and back less until the first rows.
  const asked = post<LiveTicketBody>('/api/live-ticket');
  asked.catch(() => undefined);
  // A refused upgrade looks like a lost connection: only asking tells which one it was.
  let opened = false;
  socket.addEventListener('open', () => {
    opened = true;
    void greet(socket, events, asked);
  });
  socket.addEventListener('message', (event) => {
    if (typeof event.data === 'string') events.message(event.data);
  });
  socket.addEventListener('close', (event) => {
    if (event.code === CloseCode.Unauthorized || !opened) void leaveIfSignedOut();
    events.close(event.code);
  });
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code) => socket.close(code),
  };
};
