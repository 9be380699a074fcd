// Tells where a request comes from: which client, for limits by client, and whether it is the owner of the machine (decision 0038). Host and
// control secret are checked elsewhere; this only restricts what a request may see and do.

import type { Call } from '../../api/transport.ts';
import { parseUrl } from '../../common/parse-url.ts';

const IPV4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i;
const NETWORK_GROUPS = 4;

/**
 * Names the client. A loopback address of any kind is this machine, and an IPv6 address counts by its /64: a single client
 * has a whole network of them.
 * @param from the address of the connection, as the system writes it; undefined for calls in the same process
 */
export function clientOf(from: string | undefined): string {
  if (from === undefined) return 'in process';
  const ipv4 = IPV4.exec(from)?.[1];
  if (from === '::1' || ipv4?.startsWith('127.')) return 'this machine';
  return ipv4 ?? (from.includes(':') ? networkOf(from) : from);
}

/** Names the network of an address: `2001:db8::1` becomes `2001:db8:0:0/64`. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const between = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...between, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}/64`;
}

// --- The owner of the machine ---

/**
 * Tells whether other machines can reach it: they can reach a service under any host that is not loopback.
 * @param origin the URL that it is reached at
 */
export const isOpenToOthers = (origin: string): boolean => !isLoopbackUrl(origin);

/** Proxies and tunnels add these headers. A request with one of them began on another machine, or may have. */
const ADDED_BY_PROXIES = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
];

/** Decides by the connection, by the host that the URL names, and by what a proxy on this machine adds to requests of others. */
export const isFromThisMachine = ({ from, url, headers }: Pick<Call, 'from' | 'url' | 'headers'>): boolean =>
  from !== undefined &&
  LOOPBACK_ADDRESS.test(from) &&
  isLoopbackUrl(url) &&
  !ADDED_BY_PROXIES.some((name) => name in headers);

/** A call without a connection comes from the process itself: the command line, or a program that hands on requests of its own. */
export const isFromOwner = (
  call: Pick<Call, 'from' | 'url' | 'headers'>,
  { isOpenToOthers: isOpen, isProxied }: { isOpenToOthers: boolean; isProxied: boolean },
): boolean => (call.from === undefined ? !isOpen : !isProxied && isFromThisMachine(call));

/** The system writes the address of a connection like this. */
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i;

/** A URL parser writes a host like this, however it was written before: `127.1` is `127.0.0.1`. The rules for receivers are too much to load here. */
const LOOPBACK_HOST = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[a-z\d-]+\.)*localhost)$/;

const isLoopbackUrl = (text: string): boolean => LOOPBACK_HOST.test(parseUrl(text)?.hostname ?? '');
