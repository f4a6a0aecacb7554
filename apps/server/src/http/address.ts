/** Who a caller's address stands for, where something is counted by address (trust SEC-Z10, SEC-W3). */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

export interface Network {
  /** An IPv4 address, or the /64 of an IPv6 address: what one connection at home has, so what one person can roam in. */
  near: string;
  /** The /48 of an IPv6 address: what one customer of a host can get without asking. Null for IPv4. */
  wide: string | null;
}

/** `::ffff:1.2.3.4` is `1.2.3.4`. What is no address stands for itself. */
export function plainAddress(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice(7) : address;
}

export function networkOf(address: string): Network {
  // Most are IPv4, and this is asked some times for each request.
  if (!address.includes(':')) return { near: address, wide: null };
  const plain = plainAddress(address);
  const bare = plain.split('%', 1)[0]!;
  if (!isIPv6(bare)) return { near: plain, wide: null };
  const groups = groupsOf(bare);
  return { near: `${groups.slice(0, 4).join(':')}::/64`, wide: `${groups.slice(0, 3).join(':')}::/48` };
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? `${dotted[1]}${pairOf(dotted[2]!, dotted[3]!)}:${pairOf(dotted[4]!, dotted[5]!)}`
    : address.toLowerCase();
  const [head = '', tail] = text.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...middle, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}

const pairOf = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);

/** Addresses and ranges, as `10.0.0.0/8`; whether one is among them. */
export function addressSet(entries: readonly string[]): (address: string) => boolean {
  const block = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) block.addAddress(address, family);
    else block.addSubnet(address, Number(bits), family);
  }
  return (text) => {
    const address = plainAddress(text);
    if (isIPv4(address)) return block.check(address, 'ipv4');
    return isIPv6(address) && block.check(address, 'ipv6');
  };
}

/** Where a request comes from: from the nearest hop outwards, as long as the hop is a proxy we trust. */
export function callerAddress(req: IncomingMessage, isProxy: (address: string) => boolean): string {
  let address = plainAddress(req.socket.remoteAddress ?? '');
  const forwarded = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => plainAddress(part.trim()))
    .filter(Boolean);
  while (forwarded.length > 0 && isProxy(address)) address = forwarded.pop()!;
  return address;
}
