// Finds the address of the client of a request that came through proxies. Only what trusted proxies say counts: any client can send these
// headers.
import { BlockList, isIP, isIPv4 } from 'node:net';

/** @returns the address of the client, by the address of the connection and the headers of the request */
export type ClientAddress = (
  from: string | undefined,
  headers: Readonly<Record<string, string | undefined>>,
) => string | undefined;

const MOST_HOPS = 20;

/** @param ranges such as `10.0.0.0/8` or `192.0.2.7`, checked before */
export function trustProxies(ranges: readonly string[]): ClientAddress {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return (from, headers) => {
    let client = from === undefined ? undefined : plainAddress(from);
    if (client === undefined) return from;
    // Each proxy adds the address that it was called from at the end. The first one that is not trusted is the client.
    for (const hop of hopsIn(headers).reverse().slice(0, MOST_HOPS)) {
      if (!isTrusted(client)) break;
      client = hop;
    }
    return client;
  };
}

/** Whether a text is an address or a range that `trustProxies` takes. */
export function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** RFC 7239 §4, `for`; or the header that most proxies send. What is no address ends the list: nothing before it can be believed. */
function hopsIn({
  forwarded,
  'x-forwarded-for': listed,
}: Readonly<Record<string, string | undefined>>): string[] {
  const texts =
    forwarded === undefined
      ? (listed ?? '').split(',')
      : forwarded.split(',').map((element) => /(?:^|;)\s*for="?([^";]+)/i.exec(element)?.[1] ?? '');
  const addresses = texts.map((text) => plainAddress(text.trim()));
  const unknownAt = addresses.lastIndexOf(undefined);
  return addresses.slice(unknownAt + 1) as string[];
}

/** `::ffff:192.0.2.7`, `192.0.2.7:4711` and `[2001:db8::1]:4711` without what is not the address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}
