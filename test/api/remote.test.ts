// The transport to a service over HTTP, against real servers, a real proxy and a throwaway authority.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openRemote, type RemoteOptions } from '../../src/api/remote.ts';
import { type Call, ConnectionError, type Reply, TIMEOUTS } from '../../src/api/transport.ts';
import { createServerAuthority, type ServerAuthority } from '../support/certificates/server-certificates.ts';
import { unusedOrigin } from '../support/servers/ports.ts';
import {
  startScriptedService,
  startSocketServer,
  startTunnelProxy,
} from '../support/servers/scripted-service.ts';
import { SLOW, sampleOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const opened = async <T extends { close(): Promise<unknown> }>(making: Promise<T> | T): Promise<T> => {
  const made = await making;
  closing.push(() => made.close());
  return made;
};

const ask = async (url: string, call: Partial<Call> = {}, options: RemoteOptions = {}): Promise<Reply> => {
  const { transport } = await opened(openRemote(options));
  return transport({ method: 'GET', url, headers: {}, ...call });
};

async function errorOf(asking: Promise<unknown>): Promise<ConnectionError> {
  const error = await asking.catch((caught: unknown) => caught);
  if (!(error instanceof ConnectionError)) throw new Error(`No ConnectionError: ${String(error)}`);
  return error;
}

const text = ({ body }: Reply): string => new TextDecoder().decode(body as Uint8Array);

describe('an exchange', () => {
  test('carries method, path, query, headers and body there, and status, headers and bytes back', async () => {
    const { origin, asked } = await opened(
      startScriptedService((response) => {
        response.writeHead(201, { 'X-Request-Id': 'R', 'Set-Cookie': ['a', 'b'] });
        response.end('{"id":"T"}');
      }),
    );
    const reply = await ask(`${origin}/v1/x?y=z`, { method: 'PUT', headers: { 'x-a': 'b' }, body: 'body' });
    expect(reply).toMatchObject({ status: 201, headers: { 'x-request-id': 'R', 'set-cookie': 'a, b' } });
    expect(text(reply)).toBe('{"id":"T"}');
    expect(asked).toMatchObject([{ method: 'PUT', path: '/v1/x?y=z', headers: { 'x-a': 'b' } }]);
    expect(asked[0]?.body.toString()).toBe('body');
  });

  test('follows no redirect', async () => {
    const other = await opened(startScriptedService((response) => response.end('secret')));
    const { origin } = await opened(
      startScriptedService((response) => response.writeHead(307, { location: `${other.origin}/x` }).end()),
    );
    expect(await ask(origin, { headers: { authorization: 'Bearer T' } })).toMatchObject({
      status: 307,
      headers: { location: `${other.origin}/x` },
    });
    expect(other.asked).toEqual([]);
  });

  test('tells how much of a body has left, and sends its length along', async () => {
    const { origin, asked } = await opened(startScriptedService((response) => response.end('{}')));
    const body = new Uint8Array(1_000_000).map((_, index) => index);
    const sent: [number, number][] = [];
    await ask(origin, {
      method: 'POST',
      headers: { 'content-length': String(body.length) },
      body,
      onSent: (some, total) => sent.push([some, total]),
    });
    expect(asked[0]?.headers['content-length']).toBe('1000000');
    expect(asked[0]?.headers['transfer-encoding']).toBeUndefined();
    expect(asked[0]?.body.equals(body)).toBe(true);
    expect(sent.at(0)).toEqual([0, 1_000_000]);
    expect(sent.at(-1)).toEqual([1_000_000, 1_000_000]);
    expect(sent.length).toBeGreaterThan(10);
    expect(sent.every(([some], index) => index === 0 || some > (sent[index - 1]?.[0] ?? 0))).toBe(true);
  });

  test('leaves no connection behind once it is closed', async () => {
    const { origin, connections } = await opened(startScriptedService((response) => response.end('{}')));
    const remote = openRemote();
    await remote.transport({ method: 'GET', url: origin, headers: {} });
    await remote.transport({ method: 'GET', url: origin, headers: {} });
    expect(await connections()).toBe(1);
    await remote.close();
    for (let count = 0; count < 100 && (await connections()) > 0; count += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await connections()).toBe(0);
  });
});

describe('no answer', () => {
  test('because nothing listens there: nothing was sent', async () => {
    const origin = await unusedOrigin();
    expect(await errorOf(ask(origin, { method: 'POST', body: 'x' }))).toMatchObject({
      delivery: 'not_sent',
      reason: 'ECONNREFUSED',
      kind: 'connection',
      isWorthAnotherTry: true,
      message: `${origin} did not respond (ECONNREFUSED).`,
    });
  });

  test('because the name is unknown: nothing was sent', async () => {
    expect(await errorOf(ask('http://nobody.invalid/'))).toMatchObject({ delivery: 'not_sent' });
  });

  test.each<[string, string]>([
    ['before the head', ''],
    ['within the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"id":'],
    ['within a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"id":'],
  ])('because the connection broke %s: the service may have acted', async (_, said) => {
    const { origin } = await opened(
      startSocketServer((socket) => socket.once('data', () => socket.end(said))),
    );
    expect(await errorOf(ask(origin))).toMatchObject({ delivery: 'unknown', isWorthAnotherTry: true });
  });

  test.each<[string, string]>(
    sampleOf(
      [
        ['the head', ''],
        ['the rest of the body', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{"id":'],
      ],
      2,
    ),
  )('because %s does not come in time', async (_, said) => {
    const { origin } = await opened(
      startSocketServer((socket) => socket.once('data', () => socket.write(said))),
    );
    const error = await errorOf(ask(origin, {}, { answerMs: 100 }));
    expect(error).toMatchObject({ delivery: 'unknown', kind: 'timeout', isWorthAnotherTry: true });
  });

  test('because it is not HTTP', async () => {
    const { origin } = await opened(
      startSocketServer((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'))),
    );
    expect(await errorOf(ask(origin))).toMatchObject({ kind: 'answer_unreadable', isWorthAnotherTry: false });
  });

  test.skipIf(!SLOW)('because it is too large: the rest is not read', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    let pieces = 0;
    const { origin } = await opened(
      startScriptedService(async (response) => {
        response.on('error', () => undefined).setMaxListeners(0);
        for (; pieces < 200 && !response.destroyed; pieces += 1)
          if (!response.write(piece))
            await Promise.race(
              ['drain', 'close'].map((name) => new Promise((resolve) => response.once(name, resolve))),
            );
        response.end();
      }),
    );
    expect(await errorOf(ask(origin))).toMatchObject({ kind: 'answer_too_large', isWorthAnotherTry: false });
    expect(pieces).toBeLessThan(TIMEOUTS.answerBytes / piece.length + 20);
  });

  test('because the command was ended', async () => {
    const { origin } = await opened(startSocketServer(() => undefined));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(ask(origin, {}, { signal: controller.signal })).rejects.toBeInstanceOf(ConnectionError);
  });
});

const { skip, why } = needsCommand('openssl');
const HOST = 'esign.example.test';

describe.skipIf(skip)(`over TLS${why}`, () => {
  let authority: ServerAuthority;
  beforeAll(() => {
    authority = createServerAuthority();
  });
  afterAll(() => authority?.close());

  const tlsService = (name: string, days?: number) =>
    opened(startScriptedService((response) => response.end('{}'), authority.certificateFor(name, days)));

  test('a certificate of a known authority is accepted', async () => {
    const { origin } = await tlsService('127.0.0.1');
    expect((await ask(origin, {}, { authorities: [authority.pem] })).status).toBe(200);
  });

  test.each<[string, string, number, boolean, string]>([
    [
      'an unknown authority',
      '127.0.0.1',
      90,
      false,
      'was issued by a certificate authority that this machine does not trust',
    ],
    ['another name', 'other.example.test', 90, true, 'is for another host name'],
    ['the past', '127.0.0.1', -1, true, 'has expired'],
  ])('one of %s is refused before anything is sent', async (_, name, days, isKnown, fault) => {
    const { origin, asked } = await tlsService(name, days);
    const error = await errorOf(
      ask(origin, { method: 'POST', body: 'x' }, isKnown ? { authorities: [authority.pem] } : {}),
    );
    expect(error).toMatchObject({ kind: 'certificate', delivery: 'not_sent', isWorthAnotherTry: false });
    expect(error.message).toContain(`The certificate of ${new URL(origin).host} ${fault} (`);
    expect(asked).toEqual([]);
  });

  test('a server without TLS is recognised', async () => {
    const { port } = await opened(startScriptedService((response) => response.end('{}')));
    expect(await errorOf(ask(`https://127.0.0.1:${port}/`))).toMatchObject({
      kind: 'tls',
      delivery: 'not_sent',
    });
  });

  describe('through a proxy', () => {
    const through = (address: string, more: RemoteOptions = {}): RemoteOptions => ({
      proxyFor: () => ({ address, authorization: 'Basic c2VjcmV0' }),
      authorities: [authority.pem],
      ...more,
    });

    test('the tunnel is asked for by name, and TLS is spoken with the service', async () => {
      const service = await tlsService(HOST);
      const proxy = await opened(startTunnelProxy(service.port));
      const reply = await ask(
        `https://${HOST}/v1/x`,
        { headers: { authorization: 'Bearer T' } },
        through(proxy.origin),
      );
      expect(reply.status).toBe(200);
      expect(proxy.wishes).toEqual([{ target: `${HOST}:443`, authorization: 'Basic c2VjcmV0' }]);
      expect(service.asked).toMatchObject([
        { path: '/v1/x', headers: { host: HOST, authorization: 'Bearer T' } },
      ]);
      expect(service.asked[0]?.headers['proxy-authorization']).toBeUndefined();
    });

    test('the certificate of the service is checked', async () => {
      const service = await tlsService('other.example.test');
      const proxy = await opened(startTunnelProxy(service.port));
      expect(await errorOf(ask(`https://${HOST}/`, {}, through(proxy.origin)))).toMatchObject({
        kind: 'certificate',
        delivery: 'not_sent',
      });
    });

    test.each([
      ['407 Proxy Authentication Required', /requires a user name and a password/, false],
      ['403 Forbidden', /refused to connect to esign\.example\.test:443 \(status 403\)/, false],
      ['502 Bad Gateway', /status 502/, true],
    ])('that answers %s', async (refusal, message, isWorthAnotherTry) => {
      const proxy = await opened(startTunnelProxy(1, () => refusal));
      const error = await errorOf(ask(`https://${HOST}/`, {}, through(proxy.origin)));
      expect(error).toMatchObject({ kind: 'proxy', delivery: 'not_sent', isWorthAnotherTry });
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain('c2VjcmV0');
    });

    test('that is not there, or says nothing that is HTTP', async () => {
      const origin = await unusedOrigin();
      const error = await errorOf(ask(`https://${HOST}/`, {}, through(origin)));
      expect(error).toMatchObject({ kind: 'proxy', delivery: 'not_sent', isWorthAnotherTry: true });
      expect(error.message).toBe(`The proxy ${origin} did not respond (ECONNREFUSED).`);
      const odd = await opened(
        startSocketServer((socket) => socket.once('data', () => socket.end('what?\r\n\r\n'))),
      );
      expect(await errorOf(ask(`https://${HOST}/`, {}, through(odd.origin)))).toMatchObject({
        kind: 'proxy',
      });
    });
  });
});
