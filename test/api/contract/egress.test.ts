// Where events may be sent to, as a table: an address of a machine with its kind, and whole addresses as people write them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createInsideReceivers,
  type EndpointUse,
  familyOf,
  isInsideReceiver,
  isLoopbackHost,
  judgeAddress,
  judgeEndpoint,
  judgeEndpointOfAny,
  RANGES,
  refusedEndpoint,
} from '../../../src/api/contract/egress.ts';
import { roundsOf } from '../../support/random.ts';

const ADDRESSES: Record<string, string> = {
  public: `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 52.95.110.1 93.184.216.34 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
    168.63.129.15 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
    223.255.255.255 2600:: 2606:4700:4700::1111 2001:200::1 2001:4860:4860::8888 2003::1 2a00:1450:4001:82a::200e
    2400:cb00:2048:1::c629:d7a2 3ffe:ffff::1 2620:fe::fe`,
  unspecified: '0.0.0.0 0.0.0.1 0.255.255.255 :: 0:0:0:0:0:0:0:0 0::0',
  loopback: '127.0.0.1 127.0.0.0 127.0.1.1 127.255.255.255 ::1 0:0:0:0:0:0:0:1 0000::0001',
  private: `10.0.0.0 10.0.0.1 10.255.255.255 172.16.0.1 172.20.3.4 172.31.255.255 192.168.0.1 192.168.255.255
    fc00:: fc00::1 fd12:3456:789a::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fd00:ec2::253`,
  shared: '100.64.0.0 100.64.0.1 100.100.0.1 100.127.255.255',
  'link-local': '169.254.0.0 169.254.1.1 169.254.169.253 169.254.255.255 fe80:: fe80::1 febf:ffff::1',
  metadata: `169.254.169.254 169.254.170.2 169.254.170.23 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::254
    fd20:ce::254 FD00:0EC2:0:0:0:0:0:254`,
  documentation:
    '192.0.2.0 192.0.2.255 198.51.100.7 203.0.113.200 2001:db8::1 2001:DB8:ffff::1 3fff::1 3fff:fff::1',
  benchmarking: '198.18.0.0 198.18.0.1 198.19.255.255 2001:2::1',
  broadcast: '255.255.255.255',
  multicast: '224.0.0.1 232.1.2.3 239.255.255.250 ff00:: ff02::1 ff02::fb ff0e::1',
  reserved: `192.0.0.0 192.0.0.8 192.0.0.170 240.0.0.1 250.1.2.3 255.255.255.254 2001:1::1 2001:10::1 2001:20::1 2001:1ff::1
    1::1 4000::1 8000:: a000::1 e000::1 fe00::1 200::1`,
  embedded: `192.88.99.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 0:0:0:0:0:ffff:a9fe:a9fe ::ffff:0:127.0.0.1
    ::ffff:0:7f00:1 ::127.0.0.1 ::7f00:1 ::10.0.0.1 ::2 64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1
    64:ff9b:1:fffe::10.0.0.1 2002:7f00:1:: 2002:a9fe:a9fe::1 2002:808:808::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001::1
    fe80::5efe:10.0.0.1 2606:4700::5efe:7f00:1 2606:4700::200:5efe:8.8.8.8`,
  discard: '100::1 100::ffff 100:0:0:1::1',
  routing: '5f00::1 5f00:ffff::1',
  'site-local': 'fec0::1 feff:ffff::1',
};

const TABLE = Object.entries(ADDRESSES).flatMap(([kind, text]) =>
  text
    .trim()
    .split(/\s+/)
    .map((address) => [address, kind] as const),
);

describe('an address of a machine', () => {
  test('is in the table more than 150 times, with every kind of the rules', () => {
    expect(TABLE.length).toBeGreaterThan(150);
    expect([...new Set(TABLE.map(([, kind]) => kind))].sort()).toEqual(
      [...new Set(RANGES.map(({ kind }) => kind))].sort(),
    );
  });

  test.each(TABLE)('%s is %s', (address, kind) => {
    expect(judgeAddress(address)?.kind).toBe(kind);
  });

  test.each([
    ...[
      '',
      '1',
      '1.2.3',
      '1.2.3.4.5',
      '256.1.1.1',
      '01.2.3.4',
      '0x7f.0.0.1',
      '1.2.3.4 ',
      '1.2.3.-4',
      '١.2.3.4',
    ],
    ...[
      ':',
      ':::',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '12345::',
      'g::',
      'fe80::1%eth0',
      '::1.2.3',
    ],
    ...['1.2.3.4::', '::1.2.3.4:5', '1:2:3:4:5:6:7::8', '[::1]', 'localhost'],
  ])('%j is none', (text) => {
    expect([judgeAddress(text), familyOf(text)]).toEqual([undefined, undefined]);
  });
});

type Row = [written: string, why?: RegExp];

const eachWithUse = (use: EndpointUse, rows: Row[]) =>
  test.each(rows.map(([written, why]) => [written, why] as const))(`${use}: %j %s`, (written, why) => {
    const verdict = judgeEndpoint(written, use);
    if (why === undefined) expect(verdict).toMatchObject({ isAllowed: true });
    else expect(verdict).toMatchObject({ isAllowed: false, why: expect.stringMatching(why) });
  });

const BLANKS = /contains spaces, control characters or backslashes/;
const NONE = /not a valid https URL/;
const ANOTHER_WAY = /is another form of/;
const LOCAL_NAME = /a name in a local network/;
const LOGIN = /a user name or password/;

/** The number of an address whose groups are all written, and of the first one of a range. */
function numberOf(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

test('is judged by the first range whose leading bits it has', () => {
  const v4 = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }).map((bytes) => bytes.join('.'));
  const group = fc.oneof(
    fc.constantFrom(0, 1, 0x5efe, 0xffff, 0xfe80, 0x64, 0xff9b, 0x2001, 0x2002),
    fc.nat(0xffff),
  );
  const v6 = fc
    .array(group, { minLength: 8, maxLength: 8 })
    .map((groups) => groups.map((each) => each.toString(16)).join(':'));
  const ranges = RANGES.map(({ range, kind }) => {
    const [first = '', bits] = range.split('/');
    const isSix = first.includes(':');
    const shift = BigInt((isSix ? 128 : 32) - Number(bits));
    return { isSix, shift, first: numberOf(first) >> shift, kind };
  });
  fc.assert(
    fc.property(fc.oneof(v4, v6), (address) => {
      const isIsatap = /^([\da-f]+:){4}(0|200):5efe:/.test(address);
      const fits = (range: (typeof ranges)[number]) =>
        range.isSix === address.includes(':') && numberOf(address) >> range.shift === range.first;
      const expected = isIsatap ? 'embedded' : ranges.find(fits)?.kind;
      expect(judgeAddress(address)?.kind).toBe(expected);
    }),
    { numRuns: roundsOf({ short: 300, landing: 20_000, full: 100_000 }) },
  );
});

describe('an address to send to', () => {
  eachWithUse('webhook', [
    ['https://hooks.example.com/esign'],
    ['HTTPS://HOOKS.EXAMPLE.COM/x?y#z'],
    ['https://hooks.example.com:8443/'],
    ['https://hooks.example.com:443'],
    ['https://8.8.8.8/hook'],
    ['https://[2606:4700:4700::1111]/hook'],
    ['https://bücher.example.com/'],
    ['https://xn--bcher-kva.example/?q=a%20b'],
    ['https://a_b.example.com/'],
    ['https://localhost/hook'],
    ['https://orders.localhost:3000/'],
    ['https://127.0.0.1:3000/'],
    ['https://127.9.9.9:3000/'],
    ['https://[::1]:3000/'],
    ['https://hooks.example.com/@me'],
    ['https://127.0.0.1.example.com/'],
    ['http://hooks.example.com/', /^webhooks require https\. Use/],
    [
      'http://localhost:3000/',
      /even for this machine\. In a sandbox, `esign sandbox ca issue localhost` makes a certificate/,
    ],
    ['', NONE],
    ['example', NONE],
    ['//hooks.example.com', NONE],
    ['https:hooks.example.com', NONE],
    ['https:/hooks.example.com', NONE],
    ['https://', NONE],
    ['https:///hooks.example.com', NONE],
    ['wss://hooks.example.com', NONE],
    ['file:///etc/passwd', NONE],
    ['javascript:alert(1)', NONE],
    ['gopher://127.0.0.1:6379/_x', NONE],
    ['https://hooks.example.com:99999/', NONE],
    ['https://[fe80::1%25eth0]/', NONE],
    ['https://999.1.1.1/', NONE],
    [' https://hooks.example.com/', BLANKS],
    ['https://hooks.example.com/ ', BLANKS],
    ['https://hooks.example.com/a b', BLANKS],
    ['ht\ttps://hooks.example.com/', BLANKS],
    ['https://hooks.example.com\n/', BLANKS],
    ['https://hooks.example.com\\@127.0.0.1/', BLANKS],
    ['https:\\\\hooks.example.com', BLANKS],
    ['https://hooks.example.com/\u0000', BLANKS],
    ['https://hooks.example.com/\u3000', BLANKS],
    ['https://user@hooks.example.com/', LOGIN],
    ['https://user:secret@hooks.example.com/', LOGIN],
    ['https://@hooks.example.com/', LOGIN],
    ['https://hooks.example.com@127.0.0.1/', LOGIN],
    ['https://10.0.0.1/', /^10\.0\.0\.1 is a private address/],
    ['https://169.254.169.254/latest/meta-data/', /a cloud metadata address/],
    ['https://[fd00:ec2::254]/', /a cloud metadata address/],
    ['https://0.0.0.0/', /the unspecified address/],
    ['https://[::]/', /the unspecified address/],
    ['https://[::ffff:127.0.0.1]/', /an IPv4 address written as IPv6/],
    ['https://[64:ff9b::a00:1]/', /NAT64/],
    ['https://[2002:7f00:1::]/', /6to4/],
    ['https://[2001::1]/', /Teredo/],
    ['https://[2606:4700::5efe:7f00:1]/', /ISATAP/],
    ['https://100.64.0.1/', /carrier-grade NAT/],
    ['https://224.0.0.1/', /multicast/],
    ['https://255.255.255.255/', /broadcast/],
    ['https://2130706433/', ANOTHER_WAY],
    ['https://0x7f000001/', ANOTHER_WAY],
    ['https://0177.0.0.1/', ANOTHER_WAY],
    ['https://127.1/', ANOTHER_WAY],
    ['https://127.0.0.1./', ANOTHER_WAY],
    ['https://0x08.8.8.8/', ANOTHER_WAY],
    ['https://134744072/', ANOTHER_WAY],
    ['https://１２７.0.0.1/', ANOTHER_WAY],
    ['https://127。0。0。1/', ANOTHER_WAY],
    ['https://①②⑦.0.0.1/', ANOTHER_WAY],
    ['https://0xa9fea9fe/', /a cloud metadata address/],
    ['https://0xa000001/', /a private address/],
    ['https://%31%32%37.0.0.1/', /contains "%"/],
    ['https://hooks%2eexample.com/', /contains "%"/],
    ['https://hooks.example.com./', /ends with a dot/],
    ['https://localhost./', /ends with a dot/],
    ['https://intranet/', LOCAL_NAME],
    ['https://printer.local/', LOCAL_NAME],
    ['https://metadata.google.internal/', LOCAL_NAME],
    ['https://nas.home.arpa/', LOCAL_NAME],
    ['https://box.lan/', LOCAL_NAME],
    ['https://localhost.localdomain/', LOCAL_NAME],
    ['https://ｌｏｃａｌ.local/', LOCAL_NAME],
    ['https://hooks.example.com:22/', /port 22 is used for SSH, not for HTTP/],
    ['https://hooks.example.com:25/', /SMTP/],
    ['https://hooks.example.com:0/', /port 0/],
    ['https://localhost:6379/', /Redis/],
    ['https://127.0.0.1:5432/', /PostgreSQL/],
    ['https://[::1]:11211/', /memcached/],
  ]);

  eachWithUse('notification', [
    ['https://hooks.example.com/'],
    ['http://localhost:3000/hook'],
    ['http://orders.localhost/hook'],
    ['http://127.0.0.1:9000/'],
    ['http://[::1]:8080/'],
    ['http://hooks.example.com/', /http is accepted only for this machine/],
    ['http://8.8.8.8/', /http is accepted only for this machine/],
    ['http://localhost.example.com/', /http is accepted only for this machine/],
    ['http://127.0.0.1.example.com/', /http is accepted only for this machine/],
    ['http://0.0.0.0:3000/', /unspecified/],
    ['http://192.168.1.10:3000/', /private/],
    ['http://127.1:3000/', ANOTHER_WAY],
    ['ftp://hooks.example.com/', NONE],
  ]);

  test('tells this machine from others', () => {
    const isLoopback = (written: string) => {
      const verdict = judgeEndpoint(written, 'webhook');
      return verdict.isAllowed && verdict.isLoopback;
    };
    expect(
      ['https://localhost/', 'https://a.localhost/', 'https://127.8.8.8/', 'https://[::1]/'].map(isLoopback),
    ).toEqual([true, true, true, true]);
    expect(['https://example.com/', 'https://8.8.8.8/', 'https://xlocalhost.com/'].map(isLoopback)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test('does not repeat a password', () => {
    expect(refusedEndpoint('https://ada:hunter2@example.com/x', 'no')).toBe(
      '"https://…@example.com/x" is not accepted: no',
    );
  });

  test.each([
    ['localhost', true],
    ['orders.localhost', true],
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['::1', true],
    ['0:0::1', true],
    ['*.localhost', false],
    ['Localhost', false],
    ['a b.localhost', false],
    ['.localhost', false],
    ['localhost.', false],
    ['example.com', false],
    ['localhost.example.com', false],
    ['10.0.0.1', false],
    ['::ffff:127.0.0.1', false],
    [`${'a.'.repeat(130)}localhost`, false],
  ])('%s can be in a certificate for this machine: %s', (name, expected) => {
    expect(isLoopbackHost(name)).toBe(expected);
  });
});

describe('receivers inside of a network', () => {
  const inside = createInsideReceivers([
    '10.1.0.0/16',
    'fd00:7::/32',
    '192.168.5.7',
    'erp.intern.corp',
    'ERP',
  ]);

  test.each([
    ['https://10.1.2.3/hook', true],
    ['https://10.2.0.1/hook', false],
    ['https://[fd00:7::9]:8443/', true],
    ['https://[fd00:8::9]/', false],
    ['https://192.168.5.7/', true],
    ['https://192.168.5.8/', false],
    ['https://erp.intern.corp/hook', true],
    ['https://erp/', true],
    ['https://other.intern.corp/', false],
    ['https://sub.erp.intern.corp/', false],
    ['https://erp.intern.corp.example/', true],
    // As everywhere else.
    ['http://10.1.2.3/', false],
    ['https://10.1.2.3:22/', false],
    ['https://a:b@erp.intern.corp/', false],
    ['https://0x0a010203/', false],
    ['https://[::ffff:10.1.2.3]/', false],
    ['https://169.254.169.254/', false],
  ])('%s is a receiver: %s', (url, expected) => {
    expect(judgeEndpoint(url, 'webhook', inside).isAllowed).toBe(expected);
    if (!url.endsWith('.example/')) expect(judgeEndpoint(url, 'webhook').isAllowed).toBe(false);
  });

  test('a range that holds other addresses allows private ones alone', () => {
    const all = createInsideReceivers(['0.0.0.0/0', '::/0']);
    for (const address of [
      '169.254.169.254',
      '0.0.0.0',
      '224.0.0.1',
      'fd00:ec2::254',
      'fe80::1',
      '::ffff:10.0.0.1',
    ])
      expect([address, all.hasAddress(address), all.mayLeadTo('x', address)]).toEqual([
        address,
        false,
        false,
      ]);
    expect([all.hasAddress('10.0.0.1'), all.hasAddress('100.64.0.1'), all.hasAddress('fc00::1')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('the form of a URL is checked without a service, which decides about private addresses', () => {
    expect(judgeEndpointOfAny('https://10.9.9.9/', 'webhook').isAllowed).toBe(true);
    expect(judgeEndpointOfAny('https://erp.intern.corp/', 'webhook').isAllowed).toBe(true);
    for (const url of [
      'https://169.254.169.254/',
      'https://[fe80::1]/',
      'http://10.9.9.9/',
      'https://0.0.0.0/',
    ])
      expect([url, judgeEndpointOfAny(url, 'webhook').isAllowed]).toEqual([url, false]);
  });

  test.each([
    ['10.0.0.0/8', true],
    ['fd00::/8', true],
    ['192.168.1.1', true],
    ['erp.intern.corp', true],
    ['hooks.example.com', true],
    ['8.8.8.0/24', false],
    ['127.0.0.0/8', false],
    ['169.254.169.254', false],
    ['10.0.0.0/33', false],
    ['10.0.0', false],
    ['*.intern.corp', false],
    ['https://erp.intern.corp', false],
    ['', false],
  ])('%s can be allowed: %s', (text, expected) => {
    expect(isInsideReceiver(text)).toBe(expected);
  });
});
