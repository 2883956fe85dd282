import { LIVE_PATH } from '../protocol/version';
import type { SocketFactory } from './live-client';

export const browserSocket: SocketFactory = (events) => {
  const { protocol, host } = window.location;
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${LIVE_PATH}`);
  socket.addEventListener('open', () => events.open());
  socket.addEventListener('message', (event) => {
    if (typeof event.data === 'string') events.message(event.data);
  });
  socket.addEventListener('close', (event) => events.close(event.code));
  return {
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code) => socket.close(code),
  };
};
