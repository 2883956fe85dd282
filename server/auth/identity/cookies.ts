import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * With TLS the `__Host-` prefix binds cookies to this very host. Over plain HTTP on loopback, where
 * there is no TLS to bind to, browsers refuse that prefix, and a plain name is used.
 */
export function cookiePrefix(secure: boolean): string {
  return secure ? '__Host-recloser' : 'recloser';
}

const sign = (secret: string, value: string): string =>
  createHmac('sha256', secret).update(value, 'utf8').digest('base64');

export function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The value of a cookie that is there exactly once: of two, one may have been planted. */
function soleCookie(header: string | undefined, name: string): string | null {
  const found = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  const [value] = found;
  if (value === undefined || found.length !== 1) return null;
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

/** The token of a session cookie that this console has signed; null for anything else. */
export function readSessionToken(
  header: string | undefined,
  name: string,
  secret: string,
): string | null {
  const value = soleCookie(header, name);
  const dot = value?.lastIndexOf('.') ?? -1;
  if (value === null || dot <= 0) return null;
  const token = value.slice(0, dot);
  return sameText(sign(secret, token), value.slice(dot + 1)) ? token : null;
}

/** As the sign-in library signs it. */
export function sessionCookie(
  name: string,
  token: string,
  secret: string,
  options: { readonly secure: boolean; readonly maxAgeS: number },
): string {
  const value = encodeURIComponent(`${token}.${sign(secret, token)}`);
  const secure = options.secure ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${options.maxAgeS}; Path=/; HttpOnly${secure}; SameSite=Lax`;
}

export function endedCookie(name: string, secure: boolean): string {
  return `${name}=; Max-Age=0; Path=/; HttpOnly${secure ? '; Secure' : ''}; SameSite=Lax`;
}

/** [S-19] Belongs to one session and says nothing about its cookie. */
export function csrfToken(secret: string, sessionId: string): string {
  return createHmac('sha256', secret).update(`csrf:${sessionId}`, 'utf8').digest('base64url');
}
