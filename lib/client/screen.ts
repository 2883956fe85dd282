/** A screen that nobody is signed in at looks every two seconds instead of listening. */
import type { OpenedScreenBody } from '../protocol/screen';
import { CloseCode } from '../protocol/version';
import { ApiError } from './api-error';
import { get, postOpen } from './http';
import type { SocketFactory } from './live-client';

export const SCREEN_PAGE = '/screen';
/** Between two looks, ms; below what makes the wall say that it is not live. */
const SCREEN_EVERY_MS = 2_000;

export const openScreen = (token: string): Promise<OpenedScreenBody> =>
  postOpen('/api/screen', { token });
export const leaveScreen = (): Promise<unknown> => postOpen('/api/screen/leave');

/** Looks like the live socket to the one client of the page; what it is sent is of no use here. */
export const screenSocket: SocketFactory = (events) => {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let closed = false;
  const end = (code: number) => {
    if (closed) return;
    closed = true;
    if (timer !== null) clearTimeout(timer);
    events.close(code);
  };
  const look = async () => {
    try {
      const snapshot = await get('/api/screen');
      if (closed) return;
      events.message(JSON.stringify(snapshot));
      timer = setTimeout(() => void look(), SCREEN_EVERY_MS);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'not_signed_in';
      end(isRefused ? CloseCode.Unauthorized : CloseCode.Restarting);
    }
  };
  timer = setTimeout(() => {
    events.open();
    void look();
  }, 0);
  return { send: () => undefined, close: (code) => end(code ?? CloseCode.Normal) };
};
