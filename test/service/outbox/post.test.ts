// One delivery over real connections: receivers that answer as they should, and such that do not.
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createInsideReceivers } from '../../../src/api/contract/egress.ts';
import { resolveAndJudge } from '../../../src/service/outbox/open-connection.ts';
import { createPoster, type Poster, type PosterOptions } from '../../../src/service/outbox/post.ts';
import { unusedOrigin } from '../../support/servers/ports.ts';
import {
  type ScriptedReceiver,
  startFixedReceiver,
  startHttpReceiver,
  startRawReceiver,
} from '../../support/servers/scripted-receivers.ts';
import { SLOW } from '../../support/tier.ts';

const BODY = Buffer.from('{"id":"0199","type":"transaction_completed"}');
const HEADERS = { 'content-type': 'application/json', 'webhook-id': '0199' };

/** A poster and a receiver that end with the test. */
function posting(options: Partial<PosterOptions> = {}): Poster {
  const poster = createPoster({ allowLoopback: () => true, timeoutMs: 60_000, ...options });
  onTestFinished(() => poster.close());
  return poster;
}

async function closeAfterTest<R extends ScriptedReceiver>(opening: Promise<R>): Promise<R> {
  const receiver = await opening;
  onTestFinished(() => receiver.close());
  return receiver;
}

const deliver = (poster: Poster, url: string, signal?: AbortSignal) =>
  poster.post({ url, headers: HEADERS, body: BODY }, signal);

const head = (status: number, ...lines: string[]) =>
  `HTTP/1.1 ${status} X\r\n${lines.map((line) => `${line}\r\n`).join('')}`;

describe('a delivery', () => {
  test('is one POST with its headers and its bytes', async () => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(200, 'Content-Length: 2')}\r\nok`));
    const result = await deliver(posting(), `${receiver.url}?a=%20b#c`);
    expect(result).toEqual({
      ok: true,
      status: 200,
      why: null,
      answer: 'ok',
      durationMs: expect.any(Number),
    });
    expect(receiver.received()).toBe(
      `POST /hook?a=%20b HTTP/1.1\r\nhost: 127.0.0.1:${receiver.port}\r\ncontent-length: ${BODY.length}\r\n` +
        `content-type: application/json\r\nwebhook-id: 0199\r\n\r\n${BODY}`,
    );
  });

  test('is understood by node:http, whatever its size', async () => {
    const sizes: number[] = [];
    const receiver = await closeAfterTest(
      startHttpReceiver(async (request, response) => {
        let size = 0;
        for await (const chunk of request) size += chunk.length;
        sizes.push(size);
        response.end('x'.repeat(size % 3000));
      }),
    );
    const poster = posting();
    for (const size of [0, 1, 1000, 65_536, 3_000_000]) {
      const result = await poster.post({ url: receiver.url, headers: {}, body: Buffer.alloc(size, 'x') });
      expect(result).toMatchObject({ ok: true, status: 200 });
    }
    expect(sizes).toEqual([0, 1, 1000, 65_536, 3_000_000]);
    expect(receiver.connections()).toBe(1);
  });

  test('goes to localhost and names below it, over IPv4 and IPv6', async () => {
    const poster = posting();
    const four = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    const six = await closeAfterTest(startRawReceiver((socket) => socket.write(`${head(204)}\r\n`), '::1'));
    for (const { port } of [four, six])
      for (const host of ['localhost', 'orders.localhost'])
        expect(await deliver(poster, `http://${host}:${port}/hook`)).toMatchObject({ ok: true });
    expect(await deliver(poster, `http://[::1]:${six.port}/hook`)).toMatchObject({ ok: true });
  });

  test('goes over connections that are kept, as many as there are deliveries at once', async () => {
    const receiver = await closeAfterTest(startHttpReceiver((_, response) => response.end('ok')));
    const poster = posting();
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.all([1, 2, 3].map(() => deliver(poster, receiver.url)));
      expect(results.every(({ ok }) => ok)).toBe(true);
    }
    expect(receiver.connections()).toBe(3);
    poster.close();
    await expect.poll(receiver.open).toBe(0);
  });

  test.each([200, 201, 202, 204, 299])('succeeds with status %i', async (status) => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(status, 'Content-Length: 0')}\r\n`));
    expect(await deliver(posting(), receiver.url)).toMatchObject({ ok: true, status, why: null });
  });

  test.each([304, 400, 401, 404, 410, 429, 500, 503])('fails with status %i', async (status) => {
    const receiver = await closeAfterTest(
      startFixedReceiver(`${head(status, 'Content-Length: 5')}\r\nsorry`),
    );
    const result = await deliver(posting(), receiver.url);
    const answer = status === 304 ? '' : 'sorry';
    expect(result).toMatchObject({
      ok: false,
      status,
      why: `it responded with HTTP status ${status}`,
      answer,
    });
    expect(result.isFinal).toBe(status === 410 ? true : undefined);
  });

  test('follows no redirect, and says where it would have gone', async () => {
    let followed = 0;
    const receiver = await closeAfterTest(
      startHttpReceiver((request, response) => {
        if (request.url !== '/hook') followed += 1;
        response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
      }),
    );
    expect(await deliver(posting(), receiver.url)).toMatchObject({
      ok: false,
      status: 307,
      why: 'it responded with HTTP status 307, a redirect to "http://169.254.169.254/latest/meta-data/". Redirects are not followed',
    });
    const itself = await closeAfterTest(
      startFixedReceiver(`${head(302, 'Location: /other', 'Content-Length: 0')}\r\n`),
    );
    expect(await deliver(posting(), itself.url)).toMatchObject({ ok: false, status: 302 });
    expect([followed, receiver.connections(), itself.connections()]).toEqual([0, 1, 1]);
  });

  test('shows the beginning of the answer on one line, without what a terminal would act on', async () => {
    const body = `\u001b[31mred\u001b]8;;https://evil.example\u0007\r\n\tünd \u202eso\u0000 ${'😀'.repeat(2000)}`;
    const length = Buffer.byteLength(body);
    const receiver = await closeAfterTest(
      startFixedReceiver(Buffer.from(`${head(500, `Content-Length: ${length}`)}\r\n${body}`)),
    );
    const { answer } = await deliver(posting(), receiver.url);
    expect(answer.startsWith('[31mred ]8;;https://evil.example ünd so 😀😀')).toBe(true);
    expect([...answer].length).toBeLessThanOrEqual(1000);
  });

  test.each([
    ['7', 7000],
    ['0', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['86400', 86_400_000],
    ['86401', 86_400_000],
    ['9999999999', 86_400_000],
    ['99999999999999999999', undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400_000],
    ['Xyz, 99 Abc 2999 99:99:99 GMT', undefined],
  ])('honours Retry-After: %s as %s ms', async (text, expected) => {
    const receiver = await closeAfterTest(
      startFixedReceiver(`${head(503, `Retry-After: ${text}`, 'Content-Length: 0')}\r\n`),
    );
    expect((await deliver(posting(), receiver.url)).retryAfterMs).toBe(expected);
  });

  test('waits until the date of a Retry-After', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    const receiver = await closeAfterTest(
      startFixedReceiver(`${head(429, `Retry-After: ${date}`, 'Content-Length: 0')}\r\n`),
    );
    const { retryAfterMs = 0 } = await deliver(posting(), receiver.url);
    expect(retryAfterMs).toBeGreaterThan(3_500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });

  test('with a header that would break the request is a bug, and sends nothing', async () => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    for (const value of ['a\r\nx: y', 'a\nb', 'a\u0000', '😀'])
      await expect(posting().post({ url: receiver.url, headers: { x: value }, body: BODY })).rejects.toThrow(
        'The header x cannot be sent.',
      );
    expect(receiver.connections()).toBe(0);
  });
});

describe('a receiver that is not there', () => {
  test('is said to be so', async () => {
    const url = `${await unusedOrigin()}/hook`;
    expect(await deliver(posting(), url)).toMatchObject({
      ok: false,
      status: null,
      why: 'the connection was refused (ECONNREFUSED)',
      answer: '',
    });
    expect(await deliver(posting(), url.replace('127.0.0.1', 'localhost'))).toMatchObject({
      why: 'the connection was refused (ECONNREFUSED)',
    });
  });

  test('does not answer within the time', async () => {
    const receiver = await closeAfterTest(startRawReceiver(() => undefined));
    const poster = posting({ timeoutMs: 100 });
    expect(await deliver(poster, receiver.url)).toMatchObject({
      ok: false,
      status: null,
      why: 'it did not respond within 0.1 s',
    });
    await expect.poll(receiver.open).toBe(0);
  });

  test('does not end TLS within the time', async () => {
    const receiver = await closeAfterTest(startRawReceiver(() => undefined));
    const url = receiver.url.replace('http:', 'https:');
    expect(await deliver(posting({ timeoutMs: 100 }), url)).toMatchObject({
      ok: false,
      why: 'it did not respond within 0.1 s',
    });
  });

  test('has a name that is not resolved within the time', async () => {
    const poster = posting({ timeoutMs: 50, resolve: () => new Promise(() => undefined) });
    expect(await deliver(poster, 'https://hooks.example.com/')).toMatchObject({
      ok: false,
      why: 'it did not respond within 0.05 s',
    });
  });

  test('is not waited for when the delivery is stopped, before and during it', async () => {
    const receiver = await closeAfterTest(startRawReceiver(() => undefined));
    const stop = new AbortController();
    const result = deliver(posting(), receiver.url, stop.signal);
    await expect.poll(receiver.received).toContain('POST');
    stop.abort();
    expect(await result).toMatchObject({ ok: false, status: null, why: 'the delivery was stopped' });
    expect(await deliver(posting(), receiver.url, stop.signal)).toMatchObject({
      why: 'the delivery was stopped',
    });
    expect(receiver.connections()).toBe(1);
  });

  test('opens no connection when the delivery is stopped while its certificates are read', async () => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    const stop = new AbortController();
    const loopbackRoots = async () => {
      stop.abort();
      return undefined;
    };
    const url = receiver.url.replace('http:', 'https:');
    expect(await deliver(posting({ loopbackRoots }), url, stop.signal)).toMatchObject({
      why: 'the delivery was stopped',
    });
    expect(await deliver(posting(), receiver.url)).toMatchObject({ ok: true });
    expect(receiver.connections()).toBe(1);
  });
});

describe('a hostile receiver', () => {
  const every = (socket: Socket, ms: number, what: () => string) => {
    const timer = setInterval(() => socket.write(what()), ms);
    socket.on('close', () => clearInterval(timer));
  };

  test('that drips its headers is given up after the time', async () => {
    const receiver = await closeAfterTest(
      startRawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        every(socket, 10, () => 'X');
      }),
    );
    expect(await deliver(posting({ timeoutMs: 150 }), receiver.url)).toMatchObject({
      ok: false,
      status: null,
      why: 'it did not respond within 0.15 s',
    });
    await expect.poll(receiver.open).toBe(0);
  });

  test('that never ends its answer has answered, with its status', async () => {
    const receiver = await closeAfterTest(
      startRawReceiver((socket) => {
        socket.write(`${head(200, 'Transfer-Encoding: chunked')}\r\n`);
        every(socket, 10, () => '1\r\nx\r\n');
      }),
    );
    const result = await deliver(posting({ timeoutMs: 250 }), receiver.url);
    expect(result).toMatchObject({ ok: true, status: 200, answer: expect.stringMatching(/^x+$/) });
    await expect.poll(receiver.open).toBe(0);
  });

  test.skipIf(!SLOW)('that sends headers without end is stopped', async () => {
    const receiver = await closeAfterTest(
      startRawReceiver((socket) => flood(socket, head(200), 'X: yyyyyyyyyyyyyyy\r\n')),
    );
    expect(await deliver(posting(), receiver.url)).toMatchObject({
      ok: false,
      status: null,
      why: 'its response has more than 16384 bytes of headers',
    });
    await expect.poll(receiver.open).toBe(0);
  });

  test('that sends 10 GB is stopped after 20,000 bytes, and its status counts', async () => {
    const socketSeen: Socket[] = [];
    const receiver = await closeAfterTest(
      startRawReceiver((socket) => {
        socketSeen.push(socket);
        flood(socket, `${head(200, 'Content-Length: 10000000000')}\r\n`, 'x'.repeat(65_536));
      }),
    );
    const result = await deliver(posting(), receiver.url);
    expect(result).toMatchObject({ ok: true, status: 200, answer: 'x'.repeat(1000) });
    await expect.poll(receiver.open).toBe(0);
    // Far below 10 GB: what the sockets of both sides hold.
    expect(socketSeen[0]!.bytesWritten).toBeLessThan(200_000_000);
  });

  test('that closes at each byte of its answer is never taken for one that answered before its headers', async () => {
    const answer = `${head(200, 'Content-Length: 2')}\r\nok`;
    const headBytes = answer.length - 2;
    let length = 0;
    const receiver = await closeAfterTest(startRawReceiver((socket) => socket.end(answer.slice(0, length))));
    const poster = posting();
    for (length = 0; length <= answer.length; length += 1) {
      const result = await deliver(poster, receiver.url);
      expect([length, result.ok, result.status]).toEqual([
        length,
        length >= headBytes,
        length >= headBytes ? 200 : null,
      ]);
      if (length < headBytes) expect(result.why).toBe('the connection was closed before a response arrived');
    }
    expect(receiver.connections()).toBe(answer.length + 1);
  });

  test('that resets the connection instead of answering is not asked twice', async () => {
    const receiver = await closeAfterTest(startRawReceiver((socket) => socket.resetAndDestroy()));
    expect(await deliver(posting(), receiver.url)).toMatchObject({
      ok: false,
      why: 'the connection was closed before a response arrived',
    });
    expect(receiver.connections()).toBe(1);
  });

  test('that closes a kept connection while a request is on its way gets it again, on a new one', async () => {
    const receiver = await closeAfterTest(
      startRawReceiver((socket, count) => {
        if (count === 1) socket.write(`${head(200, 'Content-Length: 0')}\r\n`);
        else socket.resetAndDestroy();
      }),
    );
    const poster = posting();
    expect(await deliver(poster, receiver.url)).toMatchObject({ ok: true });
    expect(await deliver(poster, receiver.url)).toMatchObject({ ok: true });
    expect(receiver.connections()).toBe(2);
  });

  test('that begins to answer on a kept connection and closes it is not asked again', async () => {
    const receiver = await closeAfterTest(
      startRawReceiver((socket, count) => {
        if (count === 1) socket.write(`${head(200, 'Content-Length: 0')}\r\n`);
        else socket.end('HTTP/1.1 20');
      }),
    );
    const poster = posting();
    await deliver(poster, receiver.url);
    expect(await deliver(poster, receiver.url)).toMatchObject({ ok: false, status: null });
    expect(receiver.connections()).toBe(1);
  });

  test.skipIf(!SLOW)('that is silent on a kept connection is asked once', async () => {
    const receiver = await closeAfterTest(
      startRawReceiver((socket, count) => {
        if (count === 1) socket.write(`${head(200, 'Content-Length: 0')}\r\n`);
      }),
    );
    const poster = posting({ timeoutMs: 250 });
    await deliver(poster, receiver.url);
    expect(await deliver(poster, receiver.url)).toMatchObject({ why: 'it did not respond within 0.25 s' });
    expect(receiver.connections()).toBe(1);
  });

  test('that sends an unrequested answer cannot answer the next request with it', async () => {
    const answer = `${head(200, 'Content-Length: 0')}\r\n`;
    const receiver = await closeAfterTest(
      startRawReceiver((socket) => socket.write(`${answer}${head(500)}\r\n`)),
    );
    const poster = posting();
    expect(await deliver(poster, receiver.url)).toMatchObject({ status: 200 });
    expect(await deliver(poster, receiver.url)).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(2);
    const late = await closeAfterTest(
      startRawReceiver((socket) => {
        socket.write(answer);
        setTimeout(() => socket.write(`${head(500, 'Content-Length: 0')}\r\n`), 20);
      }),
    );
    expect(await deliver(poster, late.url)).toMatchObject({ status: 200 });
    await expect.poll(late.open).toBe(0);
    expect(await deliver(poster, late.url)).toMatchObject({ status: 200 });
  });

  test('that answers before it read the request has answered', async () => {
    const receiver = await closeAfterTest(
      startHttpReceiver((request, response) => {
        response.writeHead(413, { connection: 'close' }).end('too large');
        request.destroy();
      }),
    );
    const body = Buffer.alloc(200_000, 'x');
    const result = await posting().post({ url: receiver.url, headers: {}, body });
    expect(result).toMatchObject({ ok: false });
    expect([413, null]).toContain(result.status);
  });

  test.each([
    ['SSH-2.0-OpenSSH_9.2\r\n', 'its response is not HTTP/1.1'],
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n', 'its response is not HTTP/1.1'],
    ['\u0000\u0001\u0002\u0003', 'its response is not HTTP/1.1'],
  ])('that answers %j is reported so', async (answer, why) => {
    const receiver = await closeAfterTest(startFixedReceiver(answer));
    expect(await deliver(posting(), receiver.url)).toMatchObject({ ok: false, status: null, why });
    await expect.poll(receiver.open).toBe(0);
  });

  test('does not hold up others', async () => {
    const dripping = await closeAfterTest(startRawReceiver((socket) => every(socket, 20, () => 'H')));
    const healthy = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    const poster = posting();
    let ended = 0;
    const slow = Array.from({ length: 20 }, () =>
      deliver(poster, dripping.url).finally(() => {
        ended += 1;
      }),
    );
    expect(await deliver(poster, healthy.url)).toMatchObject({ ok: true });
    expect(ended).toBe(0);
    await dripping.close();
    expect((await Promise.all(slow)).every(({ ok }) => !ok)).toBe(true);
  });
});

/** Sends as fast as the other side takes it, until it closes. */
function flood(socket: Socket, first: string, piece: string): void {
  socket.write(first);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', more);
  more();
}

describe('addresses at an attempt', () => {
  test.each([
    ['http://10.0.0.1/', 'the URL is not accepted: 10.0.0.1 is a private address'],
    ['https://169.254.169.254/', 'the URL is not accepted: 169.254.169.254 is a cloud metadata address'],
    ['https://[::ffff:7f00:1]/', 'the URL is not accepted: ::ffff:7f00:1 is an IPv4 address written as IPv6'],
    ['http://hooks.example.com/', 'the URL is not accepted: http is accepted only for this machine'],
    ['nonsense', 'the URL is not accepted: it is not a valid https URL'],
  ])('%s is refused without a lookup', async (url, why) => {
    const resolve = () => Promise.reject(new Error('asked'));
    const result = await deliver(posting({ resolve }), url);
    expect(result).toMatchObject({ ok: false, status: null });
    expect(result.why).toContain(why);
  });

  test('refuses loopback where the service does not allow it', async () => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    const poster = posting({ allowLoopback: () => false });
    for (const url of [receiver.url, receiver.url.replace('127.0.0.1', 'localhost')])
      expect((await deliver(poster, url)).why).toBe(
        'the URL is not accepted: this service does not deliver to its own machine. Use a host that is reachable from the internet',
      );
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    [['127.0.0.1'], '127.0.0.1, which is a loopback address'],
    [['8.8.8.8', '10.0.0.1'], '10.0.0.1, which is a private address'],
    [['2606:4700::1', '::ffff:10.0.0.1'], '::ffff:10.0.0.1, which is an IPv4 address written as IPv6'],
    [['169.254.169.254'], '169.254.169.254, which is a cloud metadata address'],
    [['nonsense'], 'something that is not an IP address'],
    [['fe80::1%eth0'], 'something that is not an IP address'],
  ])('refuses a name that resolves to %j', async (addresses, why) => {
    const poster = posting({ resolve: async () => addresses });
    const result = await deliver(poster, 'https://hooks.example.com/');
    expect(result.why).toContain(`the host name hooks.example.com resolves to ${why}`);
  });

  test.each([
    ['erp.intern.corp', ['10.1.2.3'], true],
    ['hooks.example.com', ['10.200.2.3'], true],
    ['hooks.example.com', ['10.1.2.3'], false],
    ['erp.intern.corp', ['10.1.2.3', '169.254.169.254'], false],
    ['erp.intern.corp', ['127.0.0.1'], false],
  ])('where %s leads to %j, which the operator has allowed or not: %s', async (name, addresses, expected) => {
    const inside = createInsideReceivers(['erp.intern.corp', '10.200.0.0/16']);
    const resolve = async () => addresses;
    const judged = resolveAndJudge(name, resolve, inside).then(
      (found) => found,
      ({ message }: Error) => message,
    );
    expect(await judged).toEqual(expected ? addresses : expect.stringContaining(`${name} resolves to`));
    // A delivery gets as far as a connection, and no further than the time it has.
    const poster = posting({ resolve, inside, timeoutMs: 50 });
    const { why } = await deliver(poster, `https://${name}/`);
    if (expected) expect(why).not.toMatch(/not accepted|resolves to/);
    else expect(why).toContain('resolves to');
  });

  test('refuses a name that has no address, or cannot be resolved', async () => {
    const none = posting({ resolve: async () => [] });
    expect((await deliver(none, 'https://hooks.example.com/')).why).toBe(
      'the host name hooks.example.com has no IP address',
    );
    const failing = posting({
      resolve: () => Promise.reject(Object.assign(new Error('secret'), { code: 'ENOTFOUND' })),
    });
    expect((await deliver(failing, 'https://hooks.example.com/')).why).toBe(
      'the host name hooks.example.com cannot be resolved (ENOTFOUND)',
    );
  });

  test('asks for the name again at each attempt, and refuses it once it resolves to this machine', async () => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    const answers = [['192.0.2.1'], ['127.0.0.1'], ['::1']];
    let asked = 0;
    const poster = posting({ resolve: async () => answers[asked++] ?? [] });
    const url = `https://rebinding.example.com:${receiver.port}/`;
    for (const what of [
      '192.0.2.1, which is an address reserved for documentation',
      '127.0.0.1, which',
      '::1, which',
    ])
      expect((await deliver(poster, url)).why).toContain(`resolves to ${what}`);
    expect([asked, receiver.connections()]).toEqual([3, 0]);
  });

  test('never asks for localhost', async () => {
    const receiver = await closeAfterTest(startFixedReceiver(`${head(204)}\r\n`));
    const resolve = () => Promise.reject(new Error('asked'));
    const url = receiver.url.replace('127.0.0.1', 'localhost');
    expect(await deliver(posting({ resolve }), url)).toMatchObject({ ok: true });
  });
});
