// What a service says about the addresses of its parts is used only when it is complete and an address of a service.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { findAddresses, findAddressesOnce } from '../../../src/cli/connection/find-addresses.ts';

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

const asked: string[] = [];

/** Asks a service that answers like this. */
async function find(answer: RequestListener, abort = new AbortController().signal) {
  asked.length = 0;
  const listening = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    answer(request, response);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const environment = { variables: {} } as never;
  const checkpoint = () => abort.throwIfAborted();
  return findAddresses(
    { environment, abort, checkpoint },
    `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
  );
}

const say = (body: unknown, status = 200) =>
  find((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', location: 'http://127.0.0.1:9/' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

const GOOD = { dashboard_url: 'https://dashboard.example.com', app_url: 'https://sign.example.com/' };

test('the addresses are those that the service names, asked without a token', async () => {
  const named = { dashboard_url: 'https://dashboard.example.com', app_url: 'https://sign.example.com' };
  expect(await say({ ...GOOD, more: 1 })).toEqual({ ...named, extensions: [] });
  expect(asked).toEqual(['GET /.well-known/esign undefined']);
});

test('the extensions are those of them that are known', async () => {
  const extensions = ['telepathy', 'idempotency', 1, 'field_values'];
  expect(await say({ ...GOOD, extensions })).toMatchObject({ extensions: ['idempotency', 'field_values'] });
  for (const wrong of ['idempotency', { idempotency: true }, null])
    expect(await say({ ...GOOD, extensions: wrong })).toMatchObject({ extensions: [] });
});

test('control characters of an address are encoded', async () => {
  expect(await say({ ...GOOD, app_url: 'https://example.com/\u001b[2J' })).toMatchObject({
    app_url: 'https://example.com/%1B[2J',
  });
});

test.each<[string, unknown, number?]>([
  ['another status', GOOD, 404],
  ['a redirect', GOOD, 302],
  ['a failure', GOOD, 500],
  ['a page', '<!doctype html>'],
  ['nothing', ''],
  ['null', 'null'],
  ['a list', [GOOD]],
  ['one of the addresses', { dashboard_url: GOOD.dashboard_url }],
  ['a number', { ...GOOD, app_url: 1 }],
  ['a script', { ...GOOD, dashboard_url: 'javascript:alert(1)' }],
  ['an address without TLS', { ...GOOD, dashboard_url: 'http://dashboard.example.com' }],
  ['an address with a password', { ...GOOD, dashboard_url: 'https://user:secret@example.com' }],
  ['an answer without an end', { ...GOOD, more: 'x'.repeat(20_000) }],
])('%s is no answer', async (_, body, status) => {
  expect(await say(body, status)).toBeUndefined();
});

test('a service that breaks off says nothing, one that cannot be reached is named, and a signal ends the command', async () => {
  expect(await find((request) => request.socket.destroy())).toBeUndefined();
  const interrupted = new AbortController();
  const waiting = find(() => interrupted.abort(), interrupted.signal);
  await expect(waiting).rejects.toThrow('aborted');
  const environment = { variables: {} } as never;
  const { signal } = new AbortController();
  await expect(
    findAddresses({ environment, abort: signal, checkpoint: () => undefined }, 'http://127.0.0.1:9'),
  ).rejects.toThrow('http://127.0.0.1:9 did not respond (ECONNREFUSED)');
});

test('a login asks once about the same address and application', async () => {
  const urls: string[] = [];
  const listening = createServer((request, response) => {
    urls.push(request.url ?? '');
    response.writeHead(404).end();
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { signal } = new AbortController();
  const environment = { variables: {} } as never;
  const findOnce = findAddressesOnce({ environment, abort: signal, checkpoint: () => undefined });
  const baseUrl = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  for (const clientId of [undefined, 'a', undefined, 'a', 'b'])
    expect(await findOnce(baseUrl, clientId)).toBeUndefined();
  expect(urls).toEqual(['', '?client_id=a', '?client_id=b'].map((query) => `/.well-known/esign${query}`));
});
