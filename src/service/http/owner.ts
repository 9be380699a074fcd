// Decides which requests come from the owner of the machine, and whether other machines can reach the service at all (decision
// 0038). Host and control secret are checked elsewhere; this only restricts what a request may see and do.
import { parseUrl } from '../../api/contract/parse-url.ts';
import type { Call } from '../../api/transport.ts';

/** Other machines can reach a service under any host that is not loopback. @param origin the URL that it is reached at */
export const isOpenToOthers = (origin: string): boolean => !isLoopbackUrl(origin);

/** Headers that proxies and tunnels add. A request with one of them began on another machine, or may have. */
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

/** By the connection, by the host that the URL names, and by what a proxy on this machine adds to requests of others. */
export const isFromThisMachine = ({ from, url, headers }: Pick<Call, 'from' | 'url' | 'headers'>): boolean =>
  from !== undefined &&
  LOOPBACK_ADDRESS.test(from) &&
  isLoopbackUrl(url) &&
  !ADDED_BY_PROXIES.some((name) => name in headers);

/** A call without a connection comes from the process itself: the command line, or a program that hands on requests of its own. */
export const isFromOwner = (call: Pick<Call, 'from' | 'url' | 'headers'>, origin: string): boolean =>
  call.from === undefined ? !isOpenToOthers(origin) : isFromThisMachine(call);

/** As the system writes the address of a connection. */
const LOOPBACK_ADDRESS = /^(?:(?:::ffff:)?127(?:\.\d{1,3}){3}|::1)$/i;

/** As a URL parser writes a host, whatever way it was given in: `127.1` is `127.0.0.1`. The rules for receivers are too much to load here. */
const LOOPBACK_HOST = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|(?:[a-z\d-]+\.)*localhost)$/;

const isLoopbackUrl = (text: string): boolean => LOOPBACK_HOST.test(parseUrl(text)?.hostname ?? '');
