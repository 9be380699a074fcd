import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { MissingState } from '../../../../src/cli/commands/login/authorization.ts';
import { type Listening, listenForCallback } from '../../../../src/cli/commands/login/callback-server.ts';
import { isLoopback } from '../../../../src/cli/connection/loopback.ts';
import { freePort } from '../../../support/servers/ports.ts';
import { sampleOf } from '../../../support/tier.ts';

const STATE = 'S'.repeat(43);
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function taken(host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host, port, ipv6Only: host === '::1' }, () => resolve(server));
  });
}

async function listening(
  address = 'http://127.0.0.1:PORT/callback',
  windowMs = 5000,
  missingState: MissingState = 'ask',
) {
  const callback = new URL(address.replace('PORT', String(await freePort())));
  const server = await listenForCallback({ callback, state: STATE, missingState, windowMs });
  closing.push(() => server.close());
  return { server, callback };
}

type Asked = { status: number; headers: IncomingHttpHeaders; body: string };

/** @param to where the connection goes; the Host header is the callback's unless named */
function ask(
  callback: URL,
  path: string,
  {
    headers = {},
    method = 'GET',
    to = '127.0.0.1',
  }: { headers?: Record<string, string>; method?: string; to?: string } = {},
): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: to, port: callback.port, path, method, headers: { host: callback.host, ...headers } },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text) => {
          body += text;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        );
      },
    );
    request.on('error', reject).end();
  });
}

const isOpen = (server: Listening) =>
  Promise.race([server.returned, new Promise((resolve) => setTimeout(() => resolve('open'), 30))]);

describe('a request that does not belong to the login is refused, and the server keeps waiting', () => {
  const refused: [string, number, string, Parameters<typeof ask>[2]?][] = [
    ['another path', 404, `/favicon.ico?code=C&state=${STATE}`],
    ['the path with more behind it', 404, `/callback/?code=C&state=${STATE}`],
    ['the path in capitals', 404, `/CALLBACK?code=C&state=${STATE}`],
    ['a wrong state', 400, `/callback?code=C&state=${'T'.repeat(43)}`],
    ['an empty state', 400, '/callback?code=C&state='],
    ['a state that begins alike', 400, `/callback?code=C&state=${STATE}x`],
    ['two states', 400, `/callback?code=C&state=${STATE}&state=${STATE}`],
    ['two codes', 400, `/callback?code=C&code=D&state=${STATE}`],
    ['no code', 400, `/callback?state=${STATE}`],
    ['a code that no service makes', 400, `/callback?code=a%20b&state=${STATE}`],
    ['an error with a wrong state', 400, '/callback?error=access_denied&state=x'],
    ['a POST', 405, `/callback?code=C&state=${STATE}`, { method: 'POST' }],
    ['a HEAD', 405, `/callback?code=C&state=${STATE}`, { method: 'HEAD' }],
    ['another Host', 400, `/callback?code=C&state=${STATE}`, { headers: { host: 'evil.example:80' } }],
    [
      'no state and a script that asks',
      400,
      '/callback?code=C',
      { headers: { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' } },
    ],
    [
      'no state and a frame',
      400,
      '/callback?code=C',
      { headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' } },
    ],
    [
      'no state and fetched ahead',
      400,
      '/callback?code=C',
      { headers: { ...NAVIGATION, 'sec-purpose': 'prefetch' } },
    ],
    ['the last page before its time', 404, '/callback/done'],
  ];
  test.each(sampleOf(refused, 9))('%s: %i', async (_, status, path, how) => {
    const { server, callback } = await listening();
    const answer = await ask(callback, path, how);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toContain('logged in');
    expect(await isOpen(server)).toBe('open');
  });
});

test('tells which of two addresses of this machine the browser came to', async () => {
  const told: string[] = [];
  const callback = new URL(`http://127.0.0.1:${await freePort()}/callback`);
  const server = await listenForCallback({
    callback,
    state: STATE,
    missingState: 'ask',
    windowMs: 5000,
    onStray: (why) => told.push(why),
  });
  closing.push(() => server.close());
  const headers = { host: `localhost:${callback.port}` };
  const answer = await ask(callback, `/callback?code=C&state=${STATE}`, { headers });
  expect(answer.status).toBe(400);
  expect(told).toEqual([expect.stringContaining(`http://localhost:${callback.port}/callback`)]);
  expect(told[0]).toContain('--callback-url');
  expect(told[0]).not.toContain(STATE);
  expect(await isOpen(server)).toBe('open');
});

describe('an answer without a state', () => {
  const isContested = (server: Listening) =>
    Promise.race([
      server.contested.then(() => true),
      new Promise((resolve) => setTimeout(() => resolve(false), 30)),
    ]);

  test('is refused where the service echoes it, and the server keeps waiting', async () => {
    const { server, callback } = await listening(undefined, 5000, 'refuse');
    const answer = await ask(callback, '/callback?code=EVIL', { headers: NAVIGATION });
    expect(answer.status).toBe(400);
    expect(await isOpen(server)).toBe('open');
    const coming = ask(callback, `/callback?code=C&state=${STATE}`);
    expect(await server.returned).toEqual({ returned: { code: 'C' }, proof: 'right' });
    await server.close();
    await coming;
  });

  test.each([
    ['one with the right state', `/callback?code=C&state=${STATE}`],
    ['one with another code', '/callback?code=OTHER'],
    ['one with a wrong state', '/callback?code=C&state=x'],
  ])('is contested by a second one: %s', async (_, second) => {
    const { server, callback } = await listening();
    const coming = ask(callback, '/callback?code=EVIL', { headers: NAVIGATION });
    expect(await server.returned).toEqual({ returned: { code: 'EVIL' }, proof: 'missing' });
    expect(await isContested(server)).toBe(false);
    expect((await ask(callback, second)).status).not.toBe(303);
    expect(await isContested(server)).toBe(true);
    await server.close();
    await coming;
  });

  test('is not contested by the same page loaded again', async () => {
    const { server, callback } = await listening();
    const coming = ask(callback, '/callback?code=C', { headers: NAVIGATION });
    await server.returned;
    expect((await ask(callback, '/callback?code=C', { headers: NAVIGATION })).status).toBe(409);
    expect(await isContested(server)).toBe(false);
    await server.close();
    await coming;
  });

  test('does not contest one with the right state', async () => {
    const { server, callback } = await listening();
    const coming = ask(callback, `/callback?code=C&state=${STATE}`);
    await server.returned;
    expect((await ask(callback, '/callback?code=EVIL', { headers: NAVIGATION })).status).toBe(409);
    expect(await isContested(server)).toBe(false);
    await server.close();
    await coming;
  });
});

describe('the login', () => {
  test('is finished by the right state, once, and the address with the code is left at once', async () => {
    const { server, callback } = await listening();
    const coming = ask(callback, `/callback?code=C-1&state=${STATE}`);
    expect((await server.returned)?.returned).toEqual({ code: 'C-1' });
    const second = await ask(callback, `/callback?code=C-2&state=${STATE}`);
    expect(second.status).toBe(409);
    const finishing = server.finish({ ok: true });
    const answer = await coming;
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/callback/done');
    const last = await ask(callback, '/callback/done');
    expect(last.status).toBe(200);
    expect(last.body).toContain('You are logged in.');
    expect(last.body).not.toContain('C-1');
    expect(last.headers['content-security-policy']).toContain("default-src 'none'");
    expect(last.headers['cache-control']).toBe('no-store');
    expect(last.headers['referrer-policy']).toBe('no-referrer');
    await finishing;
    await expect(ask(callback, '/callback')).rejects.toThrow('ECONNREFUSED');
  });

  test('is finished without a state by a navigation, as the specification redirects', async () => {
    const { server, callback } = await listening();
    const coming = ask(callback, '/callback?code=C-1', { headers: NAVIGATION });
    expect((await server.returned)?.returned).toEqual({ code: 'C-1' });
    const again = await ask(callback, '/callback?code=C-2', { headers: NAVIGATION });
    expect(again.status).toBe(409);
    await server.close();
    await coming;
  });

  test('is finished without a state by a browser that sends no Fetch Metadata', async () => {
    const { server, callback } = await listening();
    const coming = ask(callback, '/callback?code=C-1');
    expect((await server.returned)?.returned).toEqual({ code: 'C-1' });
    await server.close();
    await coming;
  });

  test('hands on what the service refused', async () => {
    const { server, callback } = await listening();
    const coming = ask(
      callback,
      `/callback?error=access_denied&error_description=No%2C%20thanks&state=${STATE}`,
    );
    expect((await server.returned)?.returned).toEqual({ error: 'access_denied', description: 'No, thanks' });
    await server.close();
    await coming;
  });

  test('shows an error as text, whatever is in it', async () => {
    const { server, callback } = await listening();
    const coming = ask(callback, `/callback?code=C-1&state=${STATE}`);
    await server.returned;
    const finishing = server.finish({ ok: false, message: `<script>alert("1")</script>'&` });
    await coming;
    const { body } = await ask(callback, '/callback/done');
    expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
    expect(body).not.toContain('<script>');
    await finishing;
  });

  test('comes to nothing when the window closes', async () => {
    const { server } = await listening('http://127.0.0.1:PORT/callback', 20);
    expect(await server.returned).toBeUndefined();
  });

  test('ends with a signal, and frees the port', async () => {
    const callback = new URL(`http://127.0.0.1:${await freePort()}/callback`);
    const stop = new AbortController();
    const server = await listenForCallback({
      callback,
      state: STATE,
      missingState: 'ask',
      windowMs: 5000,
      signal: stop.signal,
    });
    stop.abort();
    expect(await server.returned).toBeUndefined();
    await expect(ask(callback, '/callback')).rejects.toThrow('ECONNREFUSED');
  });

  test('may come back to the root', async () => {
    const { server, callback } = await listening('http://127.0.0.1:PORT');
    const coming = ask(callback, `/?code=C&state=${STATE}`);
    expect((await server.returned)?.returned).toEqual({ code: 'C' });
    const finishing = server.finish({ ok: true });
    expect((await coming).headers.location).toBe('/done');
    expect((await ask(callback, '/done')).body).toContain('You are logged in.');
    await finishing;
  });
});

describe('addresses', () => {
  test('listens on both stacks for localhost', async () => {
    const { server, callback } = await listening('http://localhost:PORT/callback');
    expect((await ask(callback, '/x', { to: '127.0.0.1' })).status).toBe(404);
    expect((await ask(callback, '/x', { to: '::1' })).status).toBe(404);
    const coming = ask(callback, `/callback?code=C&state=${STATE}`, { to: '::1' });
    expect((await server.returned)?.returned).toEqual({ code: 'C' });
    await server.close();
    await coming;
  });

  test('listens on 127.0.0.1 alone when that is the callback', async () => {
    const { callback } = await listening();
    await expect(ask(callback, '/x', { to: '::1' })).rejects.toThrow('ECONNREFUSED');
  });

  test.each(['127.0.0.1', '::1'])('says that the port is in use on %s, and holds no other', async (host) => {
    const port = await freePort();
    const other = await taken(host, port);
    closing.push(() => new Promise((resolve) => other.close(resolve)));
    const callback = new URL(`http://localhost:${port}/callback`);
    await expect(
      listenForCallback({ callback, state: STATE, missingState: 'ask', windowMs: 100 }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    const free = host === '::1' ? '127.0.0.1' : '::1';
    await expect(ask(callback, '/', { to: free })).rejects.toThrow('ECONNREFUSED');
  });

  test('knows which callbacks come to this machine', () => {
    const here = ['http://127.0.0.1:1/x', 'http://localhost/x', 'http://[::1]:3/'];
    const elsewhere = [
      'https://127.0.0.1:1/x',
      'http://127.0.0.2/',
      'http://localhost.evil.example/',
      'https://app.example.com/cb',
    ];
    expect(here.map((one) => isLoopback(new URL(one)))).toEqual([true, true, true]);
    expect(elsewhere.map((one) => isLoopback(new URL(one)))).toEqual([false, false, false, false]);
  });
});
