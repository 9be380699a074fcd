// Decides where an event may be sent: rules as data, applied when an address is given and at every attempt. Nothing is looked
// up here; service/outbox/egress.ts judges what a name resolves to with the same table.
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { parseUrl } from '../../common/parse-url.ts';

// --- Addresses of machines ---

export type AddressKind =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'metadata'
  | 'shared'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'documentation'
  | 'benchmarking'
  | 'embedded'
  | 'site-local'
  | 'discard'
  | 'routing';

type Range = {
  range: string;
  kind: AddressKind;
  /** Ends the sentence "10.0.0.1 is …". */
  meaning: string;
};

const range = (kind: AddressKind, meaning: string, ...ranges: string[]): Range[] =>
  ranges.map((each) => ({ range: each, kind, meaning }));

const METADATA = 'a cloud metadata address';

/**
 * The first range that contains the address counts. Other addresses are public in IPv4, and reserved in IPv6 outside of
 * 2000::/3.
 */
export const RANGES: readonly Range[] = [
  ...range(
    'metadata',
    METADATA,
    '169.254.169.254/32',
    '169.254.170.2/32',
    '169.254.170.23/32',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    'fd00:ec2::254/128',
    'fd20:ce::254/128',
  ),
  ...range('unspecified', 'the unspecified address', '0.0.0.0/8', '::/128'),
  ...range('loopback', 'a loopback address', '127.0.0.0/8', '::1/128'),
  ...range('private', 'a private address', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'),
  ...range('shared', "an address of a provider's internal network (carrier-grade NAT)", '100.64.0.0/10'),
  ...range('link-local', 'a link-local address', '169.254.0.0/16', 'fe80::/10'),
  ...range(
    'documentation',
    'an address reserved for documentation',
    '192.0.2.0/24',
    '198.51.100.0/24',
    '203.0.113.0/24',
  ),
  ...range('documentation', 'an address reserved for documentation', '2001:db8::/32', '3fff::/20'),
  ...range('benchmarking', 'an address reserved for benchmarks', '198.18.0.0/15', '2001:2::/48'),
  ...range('broadcast', 'the broadcast address', '255.255.255.255/32'),
  ...range('multicast', 'a multicast address', '224.0.0.0/4', 'ff00::/8'),
  ...range('reserved', 'a reserved address', '192.0.0.0/24', '240.0.0.0/4'),
  ...range('embedded', 'a relay address (6to4)', '192.88.99.0/24'),
  ...range('embedded', 'an IPv4 address written as IPv6', '::ffff:0:0/96', '::ffff:0:0:0/96', '::/96'),
  ...range('embedded', 'an IPv4 address embedded in IPv6 (NAT64)', '64:ff9b::/96', '64:ff9b:1::/48'),
  ...range('embedded', 'an IPv4 address embedded in IPv6 (6to4)', '2002::/16'),
  ...range('embedded', 'an IPv4 address embedded in IPv6 (Teredo)', '2001::/32'),
  ...range('reserved', 'a reserved address', '2001::/23'),
  ...range('discard', 'a discard-only address', '100::/64', '100:0:0:1::/64'),
  ...range('routing', 'a segment routing address (SRv6)', '5f00::/16'),
  ...range('site-local', 'a site-local address', 'fec0::/10'),
  ...range('public', 'a public address', '2000::/3'),
  ...range('reserved', 'a reserved address', '::/0'),
  ...range('public', 'a public address', '0.0.0.0/0'),
];

export type AddressVerdict = { kind: AddressKind; meaning: string };

type Family = 'ipv4' | 'ipv6';

/** The family of an address; undefined when the text is none, or has a zone (`fe80::1%eth0`). */
export const familyOf = (text: string): Family | undefined =>
  isIPv4(text) ? 'ipv4' : isIPv6(text) && !text.includes('%') ? 'ipv6' : undefined;

/** @returns undefined when the text is no address */
export function judgeAddress(text: string): AddressVerdict | undefined {
  const family = familyOf(text);
  if (!family) return undefined;
  // ISATAP has its mark in the middle of the address, so no range of leading bits can hold it.
  if (family === 'ipv6' && isIsatap(text))
    return { kind: 'embedded', meaning: 'an IPv4 address embedded in IPv6 (ISATAP)' };
  return rangeLists().find((item) => item.family === family && item.list.check(text, family));
}

function isIsatap(address: string): boolean {
  const [head = [], tail] = new SocketAddress({ address, family: 'ipv6' }).address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = tail ? new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])];
  return (groups[4] === '0' || groups[4] === '200') && groups[5] === '5efe';
}

/** A list compares ::ffff:1.2.3.4 with ranges of IPv4 too, so each is asked about addresses of its own family only. */
type RangeList = AddressVerdict & { list: BlockList; family: Family };

let lists: readonly RangeList[] | undefined;

/** Builds the lists when they are first needed, because most commands judge no address. */
function rangeLists(): readonly RangeList[] {
  lists ??= RANGES.map(({ range: text, kind, meaning }) => {
    const [first = '', bits] = text.split('/');
    const list = new BlockList();
    const family = familyOf(first)!;
    list.addSubnet(first, Number(bits), family);
    return { kind, meaning, list, family };
  });
  return lists;
}

// --- Receivers inside of a network ---

/** Receivers in a private network that a service sends events to, beside those that everybody can reach. */
export type InsideReceivers = {
  hasName(name: string): boolean;
  hasAddress(address: string): boolean;
  /** True if events may go to this address because a name that is allowed leads there. */
  mayLeadTo(name: string, address: string): boolean;
};

/** Kinds of addresses at which a company has machines. Others, such as the metadata of a cloud, are never receivers. */
const KINDS_INSIDE: ReadonlySet<AddressKind> = new Set(['private', 'shared', 'site-local']);

const isInside = (address: string): boolean => KINDS_INSIDE.has(judgeAddress(address)?.kind ?? 'public');

export const NONE_INSIDE: InsideReceivers = {
  hasName: () => false,
  hasAddress: () => false,
  mayLeadTo: () => false,
};

/** Some service may allow them: the form of a URL is checked without knowing which service it is for. */
const ANY_INSIDE: InsideReceivers = { hasName: () => true, hasAddress: isInside, mayLeadTo: () => false };

/** @param allowed host names, and ranges such as `10.0.0.0/8`, checked before (`isInsideReceiver`) */
export function createInsideReceivers(allowed: readonly string[]): InsideReceivers {
  const names = new Set<string>();
  const list = new BlockList();
  for (const text of allowed) {
    const parsed = parseRange(text);
    if (!parsed) names.add(text.toLowerCase());
    else list.addSubnet(parsed.address, parsed.bits, parsed.family);
  }
  const isListed = (address: string) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
  return {
    hasName: (name) => names.has(name),
    hasAddress: (address) => isInside(address) && isListed(address),
    mayLeadTo: (name, address) => isInside(address) && (names.has(name) || isListed(address)),
  };
}

/** True for a host name, and for an address or a range inside of private networks. */
export function isInsideReceiver(text: string): boolean {
  const parsed = parseRange(text);
  if (!parsed) return text.length <= 253 && HOST_NAME.test(text.toLowerCase()) && !/^[\d.]+$/.test(text);
  return isInside(parsed.address);
}

function parseRange(text: string): { address: string; bits: number; family: Family } | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const family = familyOf(address);
  if (!family || rest.length > 0) return undefined;
  const most = family === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return undefined;
  return { address, bits: bits === undefined ? most : Number(bits), family };
}

// --- Names ---

/** Endings of names that mean something inside of one network only. */
const LOCAL_ENDINGS = [
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'localdomain',
  'home.arpa',
];

/** `localhost` and what is below it: loopback on every machine, whatever a name server says (RFC 6761 §6.3). */
export const isLocalhost = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost');

const HOST_NAME = /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/;

/** A name or an address that means this machine and no other, wherever it is used. */
export const isLoopbackHost = (host: string): boolean =>
  judgeAddress(host)?.kind === 'loopback' ||
  (host.length <= 253 && HOST_NAME.test(host) && isLocalhost(host));

function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCAL_ENDINGS.some((ending) => name.endsWith(`.${ending}`));
}

// --- Ports ---

/** Ports where another protocol is at home: a request there can be read as a command of that protocol. */
const OTHER_PROTOCOLS: Readonly<Record<number, string>> = {
  0: 'nothing',
  1: 'tcpmux',
  7: 'echo',
  9: 'discard',
  11: 'systat',
  13: 'daytime',
  15: 'netstat',
  17: 'qotd',
  19: 'chargen',
  20: 'FTP',
  21: 'FTP',
  22: 'SSH',
  23: 'Telnet',
  25: 'SMTP',
  37: 'time',
  42: 'name',
  43: 'whois',
  53: 'DNS',
  69: 'TFTP',
  79: 'finger',
  87: 'ttylink',
  95: 'supdup',
  109: 'POP2',
  110: 'POP3',
  111: 'rpcbind',
  113: 'ident',
  119: 'NNTP',
  123: 'NTP',
  135: 'Windows RPC',
  137: 'NetBIOS',
  139: 'NetBIOS',
  143: 'IMAP',
  161: 'SNMP',
  179: 'BGP',
  389: 'LDAP',
  427: 'SLP',
  445: 'SMB',
  465: 'SMTP',
  512: 'rexec',
  513: 'rlogin',
  514: 'rsh',
  515: 'printing',
  532: 'netnews',
  540: 'UUCP',
  548: 'AFP',
  554: 'RTSP',
  563: 'NNTP',
  587: 'SMTP',
  601: 'syslog',
  636: 'LDAP',
  873: 'rsync',
  989: 'FTP',
  990: 'FTP',
  993: 'IMAP',
  995: 'POP3',
  1433: 'SQL Server',
  1521: 'Oracle',
  1719: 'H.323',
  1720: 'H.323',
  1723: 'PPTP',
  2049: 'NFS',
  3306: 'MySQL',
  3389: 'remote desktop',
  3659: 'Apple SASL',
  4045: 'NFS',
  5060: 'SIP',
  5061: 'SIP',
  5432: 'PostgreSQL',
  5672: 'AMQP',
  5900: 'VNC',
  6000: 'X11',
  6379: 'Redis',
  6566: 'SANE',
  6665: 'IRC',
  6666: 'IRC',
  6667: 'IRC',
  6668: 'IRC',
  6669: 'IRC',
  6697: 'IRC',
  9042: 'Cassandra',
  9092: 'Kafka',
  10080: 'Amanda',
  11211: 'memcached',
  27017: 'MongoDB',
};

// --- Whole addresses, as they were written ---

/** A webhook is always reached by TLS; a notification may go to the developer's own machine without (assumed: A43). */
export type EndpointUse = 'webhook' | 'notification';

export type EndpointVerdict =
  | {
      isAllowed: true;
      /** This machine: a setting of the service decides whether events are sent to it. */
      isLoopback: boolean;
      url: URL;
    }
  /** Reads on after the address in quotes: `"…" is not accepted: …`. */
  | { isAllowed: false; why: string };

const refuse = (why: string): EndpointVerdict => ({ isAllowed: false, why });

/** The form that a URL must have before it is parsed: a URL parser drops spaces and tabs and turns \ into /. */
const WRITTEN = /^(https?):\/\/([^/?#]+)/i;

/** Judges a URL without knowing which service it is for: one of them may allow receivers inside of its network. */
export const judgeEndpointOfAny = (written: string, use: EndpointUse): EndpointVerdict =>
  judgeEndpoint(written, use, ANY_INSIDE);

/** @param inside the receivers in private networks that the service sends events to */
export function judgeEndpoint(
  written: string,
  use: EndpointUse,
  inside: InsideReceivers = NONE_INSIDE,
): EndpointVerdict {
  if (/[\s\\\u0000-\u001f\u007f]/u.test(written))
    return refuse('it contains spaces, control characters or backslashes. Remove them');
  const authority = WRITTEN.exec(written)?.[2];
  const url = authority === undefined ? undefined : parseUrl(written);
  if (authority === undefined || !url)
    return refuse('it is not a valid https URL. Use a URL such as https://hooks.example.com/esign');
  if (authority.includes('@'))
    return refuse(
      'it contains a user name or password. Remove them. To prove where it comes from, each delivery is signed',
    );
  const port = url.port === '' ? undefined : Number(url.port);
  const protocol = port === undefined ? undefined : OTHER_PROTOCOLS[port];
  if (protocol !== undefined)
    return refuse(`port ${port} is used for ${protocol}, not for HTTP. Use another port`);
  const host = judgeHost(hostIn(authority), url.hostname, inside);
  if (!host.isAllowed) return host;
  if (url.protocol === 'https:' || (use === 'notification' && host.isLoopback)) return { ...host, url };
  if (use === 'notification')
    return refuse('http is accepted only for this machine (localhost, 127.0.0.1, [::1]). Use https');
  return refuse(
    host.isLoopback ? TLS_ON_THIS_MACHINE : 'webhooks require https. Use https:// instead of http://',
  );
}

/** The reason against http to this machine, where events go there at all. */
export const TLS_ON_THIS_MACHINE =
  'webhooks require https, even for this machine. In a sandbox, `esign sandbox ca issue localhost` makes a certificate';

const hostIn = (authority: string): string => authority.replace(/:\d*$/, '').toLowerCase();

type HostVerdict = { isAllowed: true; isLoopback: boolean } | { isAllowed: false; why: string };

/**
 * @param written the host exactly as it was written
 * @param understood what a URL parser makes of it: `0x7f.1` → `127.0.0.1`
 */
function judgeHost(written: string, understood: string, inside: InsideReceivers): HostVerdict {
  const refuseHost = (why: string): HostVerdict => ({ isAllowed: false, why });
  const bare = understood.startsWith('[') ? understood.slice(1, -1) : understood;
  if (written.includes('%'))
    return refuseHost(`its host "${written}" contains "%". Use the host name without escapes`);
  const address = judgeAddress(bare);
  const isReachable = address?.kind === 'public' || address?.kind === 'loopback' || inside.hasAddress(bare);
  if (address && !isReachable)
    return refuseHost(
      `${bare} is ${address.meaning}. Use a host that is reachable from the internet. The sandbox also accepts this machine (https://localhost), and the operator of a server can allow receivers in its network`,
    );
  if (address && !bare.includes(':') && written !== bare)
    return refuseHost(`"${written}" is another form of ${bare}. Use ${bare}`);
  if (address) return { isAllowed: true, isLoopback: address.kind === 'loopback' };
  if (bare.endsWith('.')) return refuseHost('its host ends with a dot. Remove the dot');
  if (isLocalhost(bare)) return { isAllowed: true, isLoopback: true };
  if (isLocalName(bare) && !inside.hasName(bare))
    return refuseHost(
      `"${bare}" is a name in a local network. Use a host that is reachable from the internet. The operator of a server can allow receivers in its network`,
    );
  return { isAllowed: true, isLoopback: false };
}

/** The sentence about an address that is refused. A password in it is not repeated. */
export const refusedEndpoint = (written: string, why: string): string =>
  `"${written.replace(/\/\/[^/?#]*@/, '//…@')}" is not accepted: ${why}`;

/** The reason where a service does not deliver to the machine that it runs on. */
export const LOOPBACK_REFUSED =
  'this service does not deliver to its own machine. Use a host that is reachable from the internet';
