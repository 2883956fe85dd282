/**
 * The token of a screen, kept where no script reads it and sent to `/api/screen` alone. It is no
 * session: nothing else looks at this cookie.
 */
const NAME = 'recloser_screen';

export function screenCookie(
  token: string,
  { isSecure, maxAgeS }: { readonly isSecure: boolean; readonly maxAgeS: number },
): string {
  const secure = isSecure ? '; Secure' : '';
  return `${NAME}=${token}; Max-Age=${maxAgeS}; Path=/api/screen; HttpOnly${secure}; SameSite=Strict`;
}

/** Empty unless there is exactly one. */
export function screenTokenOf(cookie: string): string {
  const parts = cookie.split(';').map((part) => part.trim());
  const [found, ...others] = parts.filter((part) => part.startsWith(`${NAME}=`));
  return found === undefined || others.length > 0 ? '' : found.slice(NAME.length + 1);
}
