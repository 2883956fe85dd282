/**
 * [S-15] The address of a client: that of the connection, unless the connection comes from a proxy
 * that the configuration trusts; then what that proxy says. Whoever else claims to forward is
 * ignored and counted.
 */
import { isIP } from 'node:net';

export type AddressedRequest = {
  readonly socket: { readonly remoteAddress?: string | undefined };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type ClientAddresses = {
  of(request: AddressedRequest): string | null;
  /** False for plain HTTP from elsewhere than the proxy. */
  mayConnect(request: AddressedRequest): boolean;
  /** Requests that claimed to be forwarded and were not believed. */
  readonly ignored: number;
};

const FORWARDED = /^(forwarded|x-forwarded-.*|x-real-ip|x-client-ip|x-cluster-client-ip)$/;

/** `::ffff:10.0.0.1` is how a socket for both families shows 10.0.0.1. */
const plain = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');

const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

export function createClientAddresses(
  trusted: readonly string[],
  /** Told the number so far, each time. */
  onIgnored: (count: number) => void = () => undefined,
): ClientAddresses {
  const proxies = new Set(trusted.map(plain));
  let ignored = 0;
  const remoteOf = ({ socket }: AddressedRequest): string | null =>
    socket.remoteAddress === undefined ? null : plain(socket.remoteAddress);

  /** From the right: each proxy adds whom it heard, and only ours are to be believed. */
  function forwarded(header: string): string | null {
    const hops = header.split(',').map((hop) => plain(hop.trim()));
    const client = hops.toReversed().find((hop) => !proxies.has(hop));
    return client !== undefined && isIP(client) !== 0 ? client : null;
  }

  return {
    get ignored() {
      return ignored;
    },
    of(request) {
      const remote = remoteOf(request);
      const isProxy = remote !== null && proxies.has(remote);
      if (!isProxy) {
        if (Object.keys(request.headers).some((name) => FORWARDED.test(name))) {
          ignored += 1;
          onIgnored(ignored);
        }
        return remote;
      }
      const header = request.headers['x-forwarded-for'];
      return typeof header === 'string' ? (forwarded(header) ?? remote) : remote;
    },
    mayConnect(request) {
      const remote = remoteOf(request);
      return proxies.size === 0 || (remote !== null && (proxies.has(remote) || isLoopback(remote)));
    },
  };
}
