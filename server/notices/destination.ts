/**
 * [S-17] Where the console may connect to by itself. Link-local addresses, which hold the metadata
 * of clouds, and those that are no single machine are never allowed; private ones only when the
 * configuration lists them.
 */
import { BlockList, isIP } from 'node:net';

const NEVER = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'ff00::/8',
  // The metadata service of one cloud, in a range that is private elsewhere.
  'fd00:ec2::254/128',
];
const PRIVATE = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::1/128',
  'fc00::/7',
];
/** Ways to write an IPv4 address in IPv6: what is behind them cannot be seen from here. */
const DISGUISED = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32', '::/96'];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

const never = listOf(NEVER);
const inside = listOf(PRIVATE);
const disguised = listOf(DISGUISED);

/** An address or a range, as the configuration takes it. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** `::ffff:10.0.0.1` is 10.0.0.1. */
function plain(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  return mapped?.[1] ?? address;
}

/** `allowed`: addresses and ranges in which private addresses may be. */
export function isAllowed(address: string, allowed: readonly string[]): boolean {
  const one = plain(address);
  if (isIP(one) === 0) return false;
  const family = familyOf(one);
  if (never.check(one, family)) return false;
  if (inside.check(one, family)) return listOf(allowed).check(one, family);
  return !disguised.check(one, family);
}
