// Forwarding to receivers of every kind: a sentence describes what they do, and nothing ends the program.
import { afterEach, expect, test } from 'vitest';
import { createPost, receiverUrl, withRetries } from '../../../src/cli/events/forward.ts';
import { createServerAuthority } from '../../support/certificates/server-certificates.ts';
import { unusedOrigin } from '../../support/servers/ports.ts';
import { startScriptedService, startSocketServer } from '../../support/servers/scripted-service.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const opened = <T extends { close(): Promise<void> }>(one: T): T => {
  closing.push(one.close);
  return one;
};

const never = new AbortController().signal;
const BODY = new TextEncoder().encode('{"id":"E"}');

async function sentTo(
  origin: string,
  more: { signal?: AbortSignal; timeoutMs?: number; authorities?: readonly string[] } = {},
) {
  const { signal = never, timeoutMs = 60_000, authorities } = more;
  const url = new URL('/hook?x=1', origin);
  const post = await createPost({ url, authorities, signal, clock: () => performance.now(), timeoutMs });
  return post({ 'webhook-id': 'E', 'content-type': 'application/json' }, BODY);
}

test('a receiver gets headers and bytes as they are', async () => {
  const receiver = opened(await startScriptedService((response) => response.writeHead(204).end()));
  expect(await sentTo(receiver.origin)).toEqual({ status: 204, why: null, duration_ms: expect.any(Number) });
  expect(receiver.asked).toHaveLength(1);
  expect(receiver.asked[0]).toMatchObject({
    method: 'POST',
    path: '/hook?x=1',
    headers: { 'webhook-id': 'E', 'content-length': String(BODY.length) },
    body: Buffer.from(BODY),
  });
});

test.each([
  [500, 'it responded with HTTP status 500'],
  [410, 'it responded with HTTP status 410'],
  [302, 'it responded with a redirect (HTTP status 302), which is not followed'],
])('status %i', async (status, why) => {
  const elsewhere = opened(await startScriptedService((response) => response.end()));
  const receiver = opened(
    await startScriptedService((response) =>
      response.writeHead(status, { location: elsewhere.origin }).end('x'),
    ),
  );
  expect(await sentTo(receiver.origin)).toMatchObject({ status, why });
  expect(elsewhere.asked).toEqual([]);
});

test.skipIf(!SLOW)('an endless answer is truncated, and a slow one times out', async () => {
  const gushing = opened(
    await startScriptedService((response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    }),
  );
  expect(await sentTo(gushing.origin)).toMatchObject({ status: 200, why: null });
  const dripping = opened(await startScriptedService((response) => response.write('x')));
  expect(await sentTo(dripping.origin, { timeoutMs: 250 })).toMatchObject({
    status: 200,
    why: 'it did not respond within 1 s',
  });
  const silent = opened(await startSocketServer(() => undefined));
  expect(await sentTo(silent.origin, { timeoutMs: 80 })).toMatchObject({
    status: null,
    why: 'it did not respond within 1 s',
  });
});

test('no receiver, a closed connection, a server without HTTP', async () => {
  expect(await sentTo(await unusedOrigin())).toMatchObject({
    status: null,
    why: 'the connection was refused (ECONNREFUSED)',
  });
  const resetting = opened(await startSocketServer((socket) => socket.resetAndDestroy()));
  expect(await sentTo(resetting.origin)).toMatchObject({
    why: 'the connection was closed before a response arrived (ECONNRESET)',
  });
  const babbling = opened(await startSocketServer((socket) => socket.end('hello\r\n\r\n')));
  expect((await sentTo(babbling.origin)).why).toMatch(/^its response is not HTTP \(HPE_/);
  const half = opened(
    await startSocketServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
    ),
  );
  expect(await sentTo(half.origin)).toMatchObject({
    status: 200,
    why: expect.stringContaining('ECONNRESET'),
  });
});

const openssl = needsCommand('openssl');

test.skipIf(openssl.skip)(`a certificate is checked${openssl.why}`, async () => {
  const authority = createServerAuthority();
  closing.push(async () => authority.close());
  const receiver = opened(
    await startScriptedService((response) => response.end(), authority.certificateFor('127.0.0.1')),
  );
  expect((await sentTo(receiver.origin)).why).toMatch(/^its certificate is not trusted/);
  expect(await sentTo(receiver.origin, { authorities: [authority.pem] })).toMatchObject({ why: null });
});

test('a signal ends the wait', async () => {
  const silent = opened(await startSocketServer(() => undefined));
  const controller = new AbortController();
  const reason = new Error('stop');
  const sent = sentTo(silent.origin, { signal: controller.signal });
  controller.abort(reason);
  await expect(sent).rejects.toBe(reason);
});

test.each(['hook', 'ftp://x', 'javascript:alert(1)', ''])('%j is no address', (text) => {
  expect(() => receiverUrl('--forward-to', text)).toThrow(/is not a valid value for --forward-to/);
});

test('tries again after each pause, until it arrives', async () => {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  let count = 0;
  const attempt = async () => {
    count += 1;
    return { status: 200, why: count < 3 ? 'no' : null, duration_ms: 1 };
  };
  expect(await withRetries(attempt, [1, 2, 3], pause)).toMatchObject({ why: null, attempts: 3 });
  expect(pauses).toEqual([1, 2]);
  count = -10;
  expect(await withRetries(attempt, [1, 2], pause)).toMatchObject({ why: 'no', attempts: 3 });
  count = -10;
  expect(await withRetries(attempt, [], pause)).toMatchObject({ why: 'no', attempts: 1 });
});
