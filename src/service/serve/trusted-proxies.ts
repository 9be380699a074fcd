// Finds the address of the client of a request that came through proxies. Only what trusted proxies say counts, and only in the one header that
// they are known to write: they pass every other header on as the client sent it.
import { BlockList, isIP, isIPv4 } from 'node:net';

/** @returns the address of the client, by the address of the connection and the headers of the request */
export type ClientAddress = (
  from: string | undefined,
  headers: Readonly<Record<string, string | undefined>>,
) => string | undefined;

/** What proxies report, as a node reads it. */
export type ProxyReports = {
  clientOf: ClientAddress;
  /** What stands in the header, from the client to the last proxy. Parts that are no address are empty. */
  reportedIn(headers: Readonly<Record<string, string | undefined>>): string[];
  /** The header, in lower case. */
  header: string;
};

/** The header that nginx, HAProxy, Caddy and Traefik write in their usual configurations. */
export const DEFAULT_CLIENT_HEADER = 'x-forwarded-for';

const MOST_HOPS = 20;

/**
 * @param ranges such as `10.0.0.0/8` or `192.0.2.7`, checked before
 * @param header in lower case: `forwarded` (RFC 7239), or a header with one address or a list of them
 */
export function trustProxies(ranges: readonly string[], header = DEFAULT_CLIENT_HEADER): ProxyReports {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  const reportedIn: ProxyReports['reportedIn'] = (headers) => addressesIn(header, headers[header]);
  return {
    header,
    reportedIn,
    clientOf(from, headers) {
      let client = from === undefined ? undefined : plainAddress(from);
      if (client === undefined) return from;
      const reported = reportedIn(headers);
      // What is no address ends the list: nothing before it can be believed.
      const hops = reported.slice(reported.lastIndexOf('') + 1);
      // Each proxy adds the address that it was called from at the end. The first one that is not trusted is the client.
      for (const hop of hops.reverse().slice(0, MOST_HOPS)) {
        if (!isTrusted(client)) break;
        client = hop;
      }
      return client;
    },
  };
}

/** A header with this one address, as a proxy writes it. */
export const reportOf = (header: string, address: string): string =>
  header === 'forwarded' ? `for=${address}` : address;

function addressesIn(header: string, content: string | undefined): string[] {
  if (content === undefined) return [];
  const elements = content.split(',');
  // RFC 7239 §4
  const texts =
    header === 'forwarded'
      ? elements.map((element) => /(?:^|;)\s*for="?([^";]+)/i.exec(element)?.[1] ?? '')
      : elements;
  return texts.map((text) => plainAddress(text.trim()) ?? '');
}

/** `::ffff:192.0.2.7`, `192.0.2.7:4711` and `[2001:db8::1]:4711` without what is not the address. */
function plainAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  return isIP(address) === 0 ? undefined : address;
}
