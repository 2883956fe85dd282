/**
 * [S-28] A path of this console, not of another host, whatever was sent: else `/`. Browsers drop tabs
 * and line ends from an address, so that `/⇥/host` would lead to another host; nothing outside of
 * printable ASCII is let through.
 */
export function localPath(next: string | null | undefined): string {
  const isLocal = next !== null && next !== undefined && /^\/(?![/\\])[!-[\]-~]*$/.test(next);
  return isLocal && !/^\/api(\/|$)/.test(next) ? next : '/';
}
