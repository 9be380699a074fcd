// Which Host headers the service answers: those of its own URL, of loopback, and IP addresses where it listens on all of them.
import { expect, test } from 'vitest';
import { readAddress } from '../../../src/service/http/route.ts';

const answers = (host: string, origin: string, allowed: readonly string[] = []): boolean =>
  readAddress({ method: 'GET', url: `http://${host}/v1/ping`, headers: {} }, origin, allowed).ok;

const ALL = ['http://0.0.0.0:4455', 'http://[::]:4455'];

test.each(ALL)('a service at %s answers under any IP address, and under no name but its own', (origin) => {
  for (const host of ['192.0.2.7:4455', '10.1.2.3:80', '[2001:db8::7]:4455', '127.0.0.1:4455', 'localhost:1'])
    expect([host, answers(host, origin)]).toEqual([host, true]);
  for (const host of ['evil.example:4455', '192.0.2.7.evil.example', '0.0.0.0.evil.example', 'a.localhost'])
    expect([host, answers(host, origin)]).toEqual([host, false]);
});

test.each(['http://127.0.0.1:4455', 'http://192.0.2.7:4455', 'https://sign.example.com'])(
  'a service at %s answers under its own host and loopback alone',
  (origin) => {
    for (const host of [new URL(origin).host, '127.0.0.1', '[::1]', 'localhost:99'])
      expect([host, answers(host, origin)]).toEqual([host, true]);
    for (const host of ['192.0.2.8:4455', '[2001:db8::7]', 'evil.example', '0.0.0.0:4455'])
      expect([host, answers(host, origin)]).toEqual([host, false]);
  },
);

test('other names are answered only when they are allowed', () => {
  expect(answers('esign.internal:8080', 'https://sign.example.com', ['esign.internal'])).toBe(true);
  expect(answers('esign.internal.evil.example', 'https://sign.example.com', ['esign.internal'])).toBe(false);
});
