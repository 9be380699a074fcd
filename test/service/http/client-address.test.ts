// Which clients count as one, for limits by client.
import { expect, test } from 'vitest';
import { clientOf } from '../../../src/service/http/client-address.ts';

test.each([
  [undefined, 'in process'],
  ['127.0.0.1', 'this machine'],
  ['127.200.3.4', 'this machine'],
  ['::1', 'this machine'],
  ['::ffff:127.0.0.9', 'this machine'],
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['not an address', 'not an address'],
])('%s is %s', (from, client) => {
  expect(clientOf(from)).toBe(client);
});

test('IPv6 addresses of one /64 are one client, with and without a zone', () => {
  const client = clientOf('2001:db8:1:2::1');
  expect(clientOf('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe(client);
  expect(clientOf('2001:db8:1:3::1')).not.toBe(client);
  expect(clientOf('fe80::1%eth0')).toBe(clientOf('fe80::2'));
});
