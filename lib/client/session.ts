/** The session of this page: who is signed in, and the CSRF token that belongs to it. */
import type { MeBody } from '../protocol/people';

let asked: Promise<MeBody | null> | null = null;

async function ask(): Promise<MeBody | null> {
  const response = await fetch('/api/me', { credentials: 'same-origin', cache: 'no-store' });
  return response.ok ? ((await response.json()) as MeBody) : null;
}

/** Null without a session, or while the server does not answer. Asked once, until `forgetMe`. */
export function getMe(): Promise<MeBody | null> {
  asked ??= ask()
    .catch(() => null)
    .then((me) => {
      // Nothing to keep: the next one asks again.
      if (me === null) asked = null;
      return me;
    });
  return asked;
}

export function forgetMe(): void {
  asked = null;
}

const OPEN_PAGES = /^\/(sign-in|setup|join|screen)\/?$/;

/** Pages of those who are not signed in: no live data, nothing to lose. */
export function isOpenPage(pathname: string): boolean {
  return OPEN_PAGES.test(pathname);
}

let isLeaving = false;

/** Somebody signs out on purpose: whoever comes next does not land where they were. */
export function leaveAfter(signOut: Promise<unknown>): void {
  isLeaving = true;
  // Whatever became of it on the server, this browser leaves.
  signOut.catch(() => undefined).finally(() => window.location.assign('/sign-in'));
}

/** After a refusal: to the sign-in page when the session has really ended, and back here after it. */
export async function leaveIfSignedOut(): Promise<void> {
  const { pathname, search } = window.location;
  if (isOpenPage(pathname)) return;
  const answer = await fetch('/api/me', { cache: 'no-store' }).catch(() => null);
  if (answer?.status !== 401 || isLeaving) return;
  window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}
