import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../src/config/proxy.ts';

const at = (address: string, variables: Record<string, string>) => proxyFor(new URL(address), variables);

const SERVICE = 'https://sign.example.com/api';

describe('the proxy for an address', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['is none without a variable', {}, undefined],
    ['is the one of HTTPS_PROXY', { HTTPS_PROXY: 'http://p.example:3128' }, 'http://p.example:3128'],
    ['may be written without http://', { https_proxy: 'p.example:3128' }, 'http://p.example:3128'],
    ['may speak TLS', { https_proxy: 'https://p.example' }, 'https://p.example'],
    [
      'is the lower case one of two',
      { HTTPS_PROXY: 'http://a.example', https_proxy: 'http://b.example' },
      'http://b.example',
    ],
    [
      'is the upper case one when the other is empty',
      { HTTPS_PROXY: 'http://a.example', https_proxy: '' },
      'http://a.example',
    ],
    ['is not the one of HTTP_PROXY', { HTTP_PROXY: 'http://p.example' }, undefined],
    ['loses a path', { https_proxy: 'http://p.example:1/x?y' }, 'http://p.example:1'],
  ])('%s', (_, variables, address) => {
    expect(at(SERVICE, variables)?.address).toBe(address);
  });

  test.each([
    ['*', true],
    ['sign.example.com', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['EXAMPLE.com', true],
    ['a.example, example.com', true],
    ['a.example example.com', true],
    ['example.com:443', true],
    ['example.com:8443', false],
    ['ample.com', false],
    ['sign.example.com.evil.example', false],
    ['', false],
    [', ,', false],
  ])('is not used for what NO_PROXY names: %j', (list, isExempt) => {
    const found = at(SERVICE, { https_proxy: 'http://p.example', NO_PROXY: list });
    expect(found === undefined).toBe(isExempt);
    expect(
      at(SERVICE, { https_proxy: 'http://p.example', no_proxy: list, NO_PROXY: 'x' }) === undefined,
    ).toBe(isExempt);
  });

  test.each([
    'http://127.0.0.1:9',
    'http://localhost',
    'https://127.1.2.3',
    'https://[::1]:1',
    'https://a.localhost',
  ])('is never used for this machine: %s', (address) => {
    expect(at(address, { http_proxy: 'http://p.example', https_proxy: 'http://p.example' })).toBeUndefined();
  });

  test('gets name and password in a header, and keeps them out of its address', () => {
    expect(at(SERVICE, { https_proxy: 'http://Ada:p%40ss%25@p.example:3128' })).toEqual({
      address: 'http://p.example:3128',
      authorization: `Basic ${Buffer.from('Ada:p@ss%').toString('base64')}`,
      from: 'https_proxy',
    });
  });

  test.each([
    'socks5://ada:secret@p.example',
    'http://',
    'http://ada:secret@:80',
    'ftp://p.example',
    'http://a b:secret',
  ])('cannot be %j, and what is said of it names no password', (value) => {
    expect(() => at(SERVICE, { HTTPS_PROXY: value })).toThrow('HTTPS_PROXY is not a valid proxy URL');
    expect(() => at(SERVICE, { HTTPS_PROXY: value })).not.toThrow('secret');
  });
});
