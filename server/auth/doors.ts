/**
 * Who may knock. A console on loopback is reachable from every web page that the operator has open,
 * so a name that was rebound to 127.0.0.1 (Host) and a page of another origin (Origin, Fetch
 * Metadata) are turned away before anything is parsed. No other header grants or changes anything.
 */
export type DoorRules = {
  readonly hosts: ReadonlySet<string>;
  readonly origins: ReadonlySet<string>;
};

/** The subset of a request's headers that the doors look at. */
export type DoorHeaders = {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
};

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/**
 * `extraHosts` are `host` or `host:port`, as a browser would send them; exact, without wildcards.
 * `tls` when this process speaks TLS itself: its own names are then reached by https alone.
 */
export function createDoorRules(
  port: number,
  extraHosts: readonly string[] = [],
  { tls = false }: { readonly tls?: boolean } = {},
): DoorRules {
  const standard = tls ? HTTPS_PORT : HTTP_PORT;
  const own = LOOPBACK_NAMES.flatMap((name) =>
    port === standard ? [name, `${name}:${port}`] : [`${name}:${port}`],
  );
  const extra = extraHosts.map((host) => host.toLowerCase());
  return {
    hosts: new Set([...own, ...extra]),
    origins: new Set([
      ...own.map((host) => `${tls ? 'https' : 'http'}://${host}`),
      // A proxy in front of the console may or may not speak TLS.
      ...extra.flatMap((host) =>
        tls ? [`https://${host}`] : [`https://${host}`, `http://${host}`],
      ),
    ]),
  };
}

export function isAllowedHost(rules: DoorRules, host: string | undefined): boolean {
  return host !== undefined && rules.hosts.has(host.toLowerCase());
}

/** Exact: no suffix, no prefix, no other port, not `null`, not missing. */
export function isAllowedOrigin(rules: DoorRules, origin: string | undefined): boolean {
  return origin !== undefined && rules.origins.has(origin);
}

/** Also for `same-site`: another port of the same machine is another site to us. */
export function isForeignFetch(site: string | string[] | undefined): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** `/path`, not `http://elsewhere/path`, `//elsewhere` or `*`. */
export function isOriginForm(target: string | undefined): target is string {
  return target !== undefined && /^\/(?![/\\])/.test(target);
}
