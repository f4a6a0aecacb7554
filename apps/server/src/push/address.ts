/** Where a push may be sent: what a browser names is an address on the internet, never one of this network. */
import { type LookupAddress, lookup as lookUp } from 'node:dns';
import { BlockList, isIP, isIPv4, type LookupFunction } from 'node:net';

const own = new BlockList();
const own4: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
for (const [net, bits] of own4) own.addSubnet(net, bits, 'ipv4');
// Of IPv6 only what is given out on the internet, without what wraps another address.
const open6 = new BlockList();
open6.addSubnet('2000::', 3, 'ipv6');
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  own.addSubnet(net, bits, 'ipv6');

export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !own.check(address, 'ipv4');
  return isIP(address) === 6 && open6.check(address, 'ipv6') && !own.check(address, 'ipv6');
}

const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/** Whether a push service may have this address. Its name is looked up when something is sent. */
export function isEndpoint(text: string, loopback: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (loopback && isLoopback(hostname)) return protocol === 'http:' || protocol === 'https:';
  if (protocol !== 'https:' || port !== '') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0
    ? host.includes('.') && !/\.(local|internal|localhost|lan|home|arpa)$/.test(host)
    : isPublic(host);
}

/** Looks a name up (an address is not) and gives public addresses alone: a name of another's may point anywhere, and elsewhere the next time. */
export const publicLookup: LookupFunction = (host, options, done) => {
  lookUp(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const open = error ? [] : found.filter(({ address }) => isPublic(address));
    const [first] = open;
    if (!first) done(error ?? Object.assign(new Error(`${host} is no public address`), { code: 'EACCES' }), '', 0);
    else if (options.all) done(null, open);
    else done(null, first.address, first.family);
  });
};
