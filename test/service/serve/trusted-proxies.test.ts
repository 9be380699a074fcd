// Who the client of a request is, behind proxies that are trusted and others that are not.
import { describe, expect, test } from 'vitest';
import { isRange } from '../../../src/config/serve-settings.ts';
import { trustProxies } from '../../../src/service/serve/trusted-proxies.ts';

const RANGES = ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'];
const { clientOf } = trustProxies(RANGES);

describe('the client of a request', () => {
  test.each([
    ['is who connects, whatever its headers say', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['is who a trusted proxy names', '10.1.2.3', '203.0.113.9', '203.0.113.9'],
    [
      'is the first address from the right that is not trusted',
      '10.1.2.3',
      '203.0.113.9, 192.0.2.1, 10.9.9.9',
      '203.0.113.9',
    ],
    ['is not what that client itself has sent', '10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['is the proxy where it names no address', '10.1.2.3', 'unknown', '10.1.2.3'],
    [
      'is the proxy that something unreadable comes before',
      '10.1.2.3',
      '203.0.113.9, x<y, 10.9.9.9',
      '10.9.9.9',
    ],
    ['has no port', '10.1.2.3', '203.0.113.9:4711', '203.0.113.9'],
    ['may have an address of IPv6', '2001:db8::1', '[2001:4860::8]:443', '2001:4860::8'],
    [
      'is found behind a proxy that connects by IPv4 in IPv6',
      '::ffff:10.1.2.3',
      '203.0.113.9',
      '203.0.113.9',
    ],
    ['is the proxy where there is no header', '10.1.2.3', undefined, '10.1.2.3'],
  ])('%s', (_, from, listed, expected) => {
    expect(clientOf(from, { 'x-forwarded-for': listed })).toBe(expected);
  });

  test('is read from the one header that proxies are said to write, and from no other', () => {
    const headers = {
      forwarded: 'for=198.51.100.77;proto=https',
      'x-forwarded-for': '203.0.113.9',
      'x-real-ip': '198.51.100.78',
      'client-ip': '198.51.100.79',
    };
    expect(clientOf('10.1.2.3', headers)).toBe('203.0.113.9');
    expect(trustProxies(RANGES, 'x-real-ip').clientOf('10.1.2.3', headers)).toBe('198.51.100.78');
    const { 'x-forwarded-for': _, ...others } = headers;
    expect(clientOf('10.1.2.3', others)).toBe('10.1.2.3');
  });

  test('is read from Forwarded (RFC 7239) where proxies write that', () => {
    const { clientOf: clientIn } = trustProxies(RANGES, 'forwarded');
    const forwarded = 'for=203.0.113.9;proto=https, For="[2001:db8::9]:80"';
    expect(clientIn('10.1.2.3', { forwarded, 'x-forwarded-for': '1.1.1.1' })).toBe('203.0.113.9');
    expect(clientIn('10.1.2.3', { forwarded: 'proto=https', 'x-forwarded-for': '1.1.1.1' })).toBe('10.1.2.3');
  });

  test('of a call in the same process has no address', () => {
    expect(clientOf(undefined, { 'x-forwarded-for': '1.1.1.1' })).toBeUndefined();
  });
});

test('a range is an address, or one with a number of bits', () => {
  for (const range of ['10.0.0.0/8', '192.0.2.1', '::1', '2001:db8::/32'])
    expect([range, isRange(range)]).toEqual([range, true]);
  for (const text of ['10.0.0.0/33', 'localhost', '10.0.0.0/8/1', '10.0.0.0/', '::/129', ''])
    expect([text, isRange(text)]).toEqual([text, false]);
});
