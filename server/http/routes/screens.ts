import { z } from 'zod';
import { liveSnapshot } from '@/lib/protocol/live-frames';
import { openedScreenBody, openScreenBody } from '@/lib/protocol/screen';
import { screenCookie, screenTokenOf } from '../../auth/screen-cookie';
import { route } from '../route';

/** [S-44] For screens that nobody is signed in at. Their cookie goes to these paths alone. */
export const screenRoutes = [
  route({
    method: 'get',
    path: '/api/screen',
    summary: 'What a screen on the wall shows: the breakers in the scope of its token',
    access: 'open',
    response: liveSnapshot,
    handle: (_input, { screens, exchange }) => screens.show(screenTokenOf(exchange.cookie)),
  }),
  route({
    method: 'post',
    path: '/api/screen',
    summary: 'Set a screen up with its token',
    access: 'open',
    body: openScreenBody,
    response: openedScreenBody,
    handle: async ({ body }, { screens, exchange, isSecure, now }) => {
      const opened = await screens.open(exchange.caller, body.token);
      const maxAgeS = Math.floor((opened.expiresAt - now()) / 1_000);
      exchange.setCookies.push(screenCookie(body.token, { isSecure, maxAgeS }));
      return opened;
    },
  }),
  route({
    method: 'post',
    path: '/api/screen/leave',
    summary: 'Forget the token at this screen; it stays good elsewhere',
    access: 'open',
    body: z.strictObject({}),
    response: z.object({ left: z.literal(true) }),
    handle: (_input, { exchange, isSecure }) => {
      exchange.setCookies.push(screenCookie('', { isSecure, maxAgeS: 0 }));
      return { left: true as const };
    },
  }),
];
