// What only a service on a port has: connections, a stop, a line for each request.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Transport } from '../../src/api/transport.ts';
import { type RequestLine, serve } from '../../src/service/http/server.ts';
import { createDraft, eventTypesOf, updateBodyOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { MULTIPART_TYPE, multipartChunks } from '../support/multipart.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

let harness: Harness;
const open = async () => {
  harness = await openHarness('over HTTP');
  return harness;
};
afterEach(async () => {
  await harness.close();
  expect(harness.errors).toEqual([]);
});

/** Sends these bytes over one connection. @returns all that comes back until it is closed, and how many were taken */
function exchange(
  port: number,
  chunks: (string | Uint8Array)[],
  until: RegExp,
): Promise<{ text: string; end: string; takenBytes: number }> {
  return new Promise((resolve) => {
    let text = '';
    let takenBytes = 0;
    const socket = connect(port, '127.0.0.1', () => {
      for (const chunk of chunks)
        socket.write(chunk, (error) => {
          if (!error) takenBytes += chunk.length;
        });
    });
    const settle = (end: string) => {
      resolve({ text, end, takenBytes });
      socket.destroy();
    };
    socket.on('data', (data) => {
      text += data.toString('latin1');
      if (until.test(text)) settle('open');
    });
    socket.on('end', () => settle('closed'));
    socket.on('error', () => settle('reset'));
  });
}

const statuses = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1] ?? '');

test.skipIf(!SLOW)('answers the next request on the connection of a file that was too large', async () => {
  const { baseUrl, service } = await open();
  const { host, port } = new URL(baseUrl);
  const head = `Host: ${host}\r\nAuthorization: Bearer ${service.ownToken}\r\n`;
  const content = new Uint8Array(10 * 1024 * 1024 + 100_000);
  const body = Buffer.concat(multipartChunks([{ name: 'file', filename: 'a.pdf', content }]));
  const upload = `POST /v1/file/upload HTTP/1.1\r\n${head}Content-Type: ${MULTIPART_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
  const list = `GET /v1/webhook?limit=1&page=1 HTTP/1.1\r\n${head}\r\n`;
  const { text, end } = await exchange(
    Number(port),
    [upload, body, list],
    /HTTP\/1\.1 413[\s\S]*HTTP\/1\.1 200[\s\S]*page_count/,
  );
  expect(statuses(text)[0]).toBe('413');
  // Either the connection continues, or it is closed after the answer: never in the middle of one.
  if (end === 'open') expect(statuses(text)).toEqual(['413', '200']);
  else expect(text).toContain('"code":"file_too_large"');
  const after = await exchange(Number(port), [list], /page_count/);
  expect(statuses(after.text)).toEqual(['200']);
});

test.skipIf(!SLOW).each([
  ['a JSON body', 'POST /v1/transaction', 'application/json', 'body_too_large'],
  ['an upload', 'POST /v1/file/upload', MULTIPART_TYPE, 'file_too_large'],
])('refuses %s of a declared 100 GB before any of it comes, and closes', async (_, what, type, code) => {
  const { baseUrl, service } = await open();
  const { host, port } = new URL(baseUrl);
  const head = `${what} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${service.ownToken}\r\nContent-Type: ${type}\r\nContent-Length: 100000000000\r\n\r\n`;
  const { text, end } = await exchange(Number(port), [head], /never/);
  expect(statuses(text)).toEqual(['413']);
  expect(text).toMatch(/^connection: close\r$/im);
  expect(text).toContain(`"code":"${code}"`);
  expect(end).toBe('closed');
});

test.skipIf(!SLOW)(
  'refuses the form of a page of a declared 100 GB before any of it comes, and closes',
  async () => {
    const { baseUrl } = await open();
    const { host, port } = new URL(baseUrl);
    const head = `POST /sign-in HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nAccept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000000000\r\n\r\n`;
    const { text, end } = await exchange(Number(port), [head], /never/);
    expect(statuses(text)).toEqual(['413']);
    expect([/^connection: close\r$/im.test(text), end]).toEqual([true, 'closed']);
  },
);

test.skipIf(!SLOW)('ends each connection with its answer while it is about to close', async () => {
  await open();
  let isReady = true;
  const serving = await serve(harness.service, { host: '127.0.0.1', port: 0, isReady: () => isReady });
  const connection = async () => (await fetch(`${serving.url}/openapi.json`)).headers.get('connection');
  expect(await connection()).toBe('keep-alive');
  isReady = false;
  expect(await connection()).toBe('close');
  await serving.close();
});

test('reads what is left of a body that was refused, so that its client gets the answer, and closes', async () => {
  const { baseUrl, service } = await open();
  const { host, port } = new URL(baseUrl);
  const head = `POST /v1/transaction HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${service.ownToken}\r\nContent-Type: application/json\r\n`;
  const megabyte = Buffer.alloc(1 << 20, 0x20);
  const pieces = Array.from({ length: 30 }, () => megabyte);
  const chunked = pieces.flatMap((piece) => ['100000\r\n', piece, '\r\n']);
  for (const request of [
    [`${head}Content-Length: ${30 << 20}\r\n\r\n`, ...pieces],
    [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunked, '0\r\n\r\n'],
  ]) {
    const { text, end, takenBytes } = await exchange(Number(port), request, /never/);
    expect(statuses(text)).toEqual(['413']);
    expect(text).toContain('"code":"body_too_large"');
    expect(takenBytes).toBe(request.reduce((sum, piece) => sum + piece.length, 0));
    expect([/^connection: close\r$/im.test(text), end]).toEqual([true, 'closed']);
  }
});

test.each(
  sampleOf(
    [
      ['a request that is none', 'nonsense\r\n\r\n'],
      ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
      ['no host', 'GET / HTTP/1.1\r\n\r\n'],
      ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
      [
        'a length and chunks',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      ],
    ],
    3,
  ),
)('answers %s with 400 and continues', async (_, request) => {
  const { baseUrl, client } = await open();
  const { text } = await exchange(Number(new URL(baseUrl).port), [request], /\r\n\r\n/);
  expect(statuses(text)).toEqual(['400']);
  expect((await client['sandbox.status']()).users).toBe(1);
});

test.each(
  sampleOf(
    [
      ['two hosts', 'GET /openapi.json HTTP/1.1\r\nHost: HOST\r\nHost: other.example\r\n\r\n'],
      ['the same host twice', 'GET /openapi.json HTTP/1.1\r\nHost: HOST\r\nhost: HOST\r\n\r\n'],
      [
        'a coding in front of chunks',
        'POST /v1/transaction HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: identity, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ],
      [
        'chunks twice',
        'POST /v1/transaction HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ],
      [
        'an encoding in two headers',
        'POST /v1/transaction HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ],
    ],
    5,
  ),
)('refuses %s and closes, whatever follows', async (_, request) => {
  const { baseUrl } = await open();
  const { host, port } = new URL(baseUrl);
  const next = `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const { text, end } = await exchange(Number(port), [request.replaceAll('HOST', host), next], /never/);
  expect(statuses(text)).toEqual(['400']);
  expect([/^connection: close\r$/im.test(text), end]).toEqual([true, 'closed']);
});

/** As when a disk is full: the body is read to the first piece that cannot be stored. */
test.each(sampleOf([1000, 100_000, 267_000, 3_000_000], 2))(
  'a body of %d bytes of which only the beginning was read leaves its connection usable, or closed',
  async (size) => {
    const { service } = await open();
    const refusing: Transport = async ({ body }) => {
      if (!body) return { status: 200, headers: {}, body: '{}' };
      for await (const _ of body as AsyncIterable<Uint8Array>) break;
      // The next piece comes meanwhile, and is not read.
      await sleep(100);
      return { status: 507, headers: {}, body: '{}' };
    };
    const serving = await serve({ ...service, served: refusing }, { host: '127.0.0.1', port: 0 });
    const { host, port } = new URL(serving.url);
    const upload = `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${size}\r\n\r\n`;
    const list = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const chunks = [upload, Buffer.alloc(size), list];
    const { text, end } = await exchange(Number(port), chunks, /507[\s\S]*200[\s\S]*\{\}/);
    await serving.close();
    if (/^connection: close\r$/im.test(text)) expect([statuses(text), end]).toEqual([['507'], 'closed']);
    else expect([statuses(text), end]).toEqual([['507', '200'], 'open']);
  },
);

test('answers a request that names the whole address, by that address', async () => {
  const { baseUrl } = await open();
  const port = Number(new URL(baseUrl).port);
  for (const [target, status] of [
    [`${baseUrl}/openapi.json`, '200'],
    [`${baseUrl}/nothing`, '404'],
    [`http://evil.example:${port}/openapi.json`, '400'],
    ['http://', '400'],
    ['ftp://127.0.0.1/', '400'],
    ['*', '400'],
  ] as const) {
    const head = `${target === '*' ? 'OPTIONS' : 'GET'} ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const { text } = await exchange(port, [head], /\r\n\r\n/);
    expect([target, ...statuses(text)]).toEqual([target, status]);
  }
});

test.skipIf(!SLOW)('continues when a caller leaves in the middle of a file', async () => {
  const { baseUrl, service, client } = await open();
  const { host, port } = new URL(baseUrl);
  const head = `POST /v1/file/upload HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${service.ownToken}\r\nContent-Type: ${MULTIPART_TYPE}\r\n`;
  for (const parts of [
    multipartChunks([{ name: 'file', filename: 'a', content: 'x'.repeat(9000) }], { cut: true }),
    multipartChunks([]),
    [],
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`${head}Content-Length: 100000\r\n\r\n`);
        for (const part of parts) socket.write(part);
        setTimeout(() => socket.destroy(), 20);
      });
      socket.on('close', () => resolve());
    });
  }
  expect((await client['sandbox.status']()).users).toBe(1);
});

test('lets a request that is under way finish when it stops, and takes no more', async () => {
  harness = await openHarness('in process');
  const serving = await serve(harness.service, { host: '127.0.0.1', port: 0 });
  let finish: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"name":'));
      finish = () => {
        controller.enqueue(new TextEncoder().encode('"Late"}'));
        controller.close();
      };
    },
  });
  const headers = { authorization: `Bearer ${harness.service.ownToken}`, 'content-type': 'application/json' };
  const answer = fetch(`${serving.url}/v1/transaction`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
  // Answered: the connection of the request before it has been taken.
  await (await fetch(`${serving.url}/openapi.json`)).text();
  const closed = serving.close();
  const isAnswered = () =>
    fetch(`${serving.url}/openapi.json`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isAnswered).toBe(false);
  finish();
  expect((await answer).status).toBe(201);
  await closed;
});

test('says why it cannot have a port, and writes lines without query and header', async () => {
  harness = await openHarness('in process');
  const lines: RequestLine[] = [];
  const first = await serve(harness.service, {
    host: '127.0.0.1',
    port: 0,
    onRequest: (line) => lines.push(line),
  });
  const port = Number(new URL(first.url).port);
  await expect(serve(harness.service, { host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await (await fetch(`${first.url}/sign?token=SECRET`)).text();
  await expect.poll(() => lines).toMatchObject([{ method: 'GET', path: '/sign', status: 404 }]);
  expect(JSON.stringify(lines)).not.toContain('SECRET');
  await first.close();
});

test.skipIf(!SLOW)('expires what is due without a request', async () => {
  const { client, clock } = await open();
  const { id, detail } = await createDraft(harness);
  const params = { transactionId: id };
  await client['transaction.update']({ params, body: updateBodyOf(detail, { expiration_days: 1 }) });
  await client['transaction.start']({ params });
  clock.advance(24 * 3600 * 1000);
  await expect.poll(() => eventTypesOf(harness, id), { timeout: 10_000 }).toContain('transaction_expired');
});
