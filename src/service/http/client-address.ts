// Identifies the client of a connection, for limits by client: one machine counts once, whichever of its addresses it uses. It
// has few imports, because every request with a body loads it.

const IPV4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i;
const NETWORK_GROUPS = 4;

/**
 * A loopback address of any kind is this machine, and an IPv6 address counts by its /64: a single client has a whole network of them.
 * @param from the address of the connection, as the system writes it; undefined for calls in the same process
 */
export function clientOf(from: string | undefined): string {
  if (from === undefined) return 'in process';
  const ipv4 = IPV4.exec(from)?.[1];
  if (from === '::1' || ipv4?.startsWith('127.')) return 'this machine';
  return ipv4 ?? (from.includes(':') ? networkOf(from) : from);
}

/** `2001:db8::1` → `2001:db8:0:0/64` */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const between = new Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...between, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}/64`;
}
