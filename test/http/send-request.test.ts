// One request over real connections: how much of a response is read, and what ends it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type HttpRequest, sendRequest } from '../../src/http/send-request.ts';
import { startHttpReceiver, startRawReceiver } from '../support/servers/scripted-receivers.ts';

const request = (url: string, more: Partial<HttpRequest> = {}) =>
  sendRequest({ url, method: 'GET', headers: {}, timeoutMs: 10_000, maxBytes: () => 10, ...more });

const closeAfterTest = async <R extends { close(): Promise<void> }>(opening: Promise<R>): Promise<R> => {
  const receiver = await opening;
  onTestFinished(() => receiver.close());
  return receiver;
};

test('reads a body up to the limit, and no larger one', async () => {
  const receiver = await closeAfterTest(
    startHttpReceiver((asked, response) => response.end('x'.repeat(Number(asked.url!.slice(1))))),
  );
  const url = (size: number) => receiver.url.replace('hook', String(size));
  expect(await request(url(10))).toMatchObject({ status: 200, isTooLarge: false, error: undefined });
  const { body, ...tooLarge } = await request(url(11));
  expect(tooLarge).toMatchObject({ status: 200, isTooLarge: true, isLate: false });
  expect(body.length).toBeLessThanOrEqual(10);
});

test('does not wait for a body that is not wanted', async () => {
  const receiver = await closeAfterTest(
    startHttpReceiver((_, response) => {
      response.writeHead(500).write('x');
    }),
  );
  const maxBytes = (status: number) => (status === 200 ? 10 : 0);
  expect(await request(receiver.url, { maxBytes })).toMatchObject({ status: 500, isTooLarge: true });
  await expect.poll(receiver.open).toBe(0);
});

test.each([301, 302, 303, 307, 308])('does not follow a redirect by status %i', async (status) => {
  const asked: string[] = [];
  const receiver = await closeAfterTest(
    startHttpReceiver((sent, response) => {
      asked.push(sent.url!);
      response.writeHead(sent.url === '/hook' ? status : 200, { location: '/elsewhere' }).end();
    }),
  );
  expect(await request(receiver.url)).toMatchObject({ status, headers: { location: '/elsewhere' } });
  expect(asked).toEqual(['/hook']);
});

test('ends when the time is over, before and within a response', async () => {
  const silent = await closeAfterTest(startHttpReceiver(() => undefined));
  expect(await request(silent.url, { timeoutMs: 50 })).toMatchObject({ status: null, isLate: true });
  const dripping = await closeAfterTest(startHttpReceiver((_, response) => void response.write('x')));
  expect(await request(dripping.url, { timeoutMs: 200 })).toMatchObject({ status: 200, isLate: true });
  await expect.poll(dripping.open).toBe(0);
});

test('waits longer for a response than for a connection', async () => {
  const receiver = await closeAfterTest(
    startHttpReceiver((_, response) => setTimeout(() => response.end('late'), 150)),
  );
  const response = await request(receiver.url, { connectMs: 50, timeoutMs: 60_000 });
  expect(response).toMatchObject({ status: 200, isLate: false });
});

test.skipIf(process.platform !== 'linux')(
  'gives up an address where nothing accepts connections',
  async () => {
    const server = `const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    process.send(server.address().port);
    process.kill(process.pid, 'SIGSTOP');
  });`;
    const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [port] = (await once(child, 'message')) as [number];
    // Its queue is full then, and Linux answers no further connection.
    const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    onTestFinished(() => {
      for (const socket of waiting) socket.destroy();
    });
    await vi.waitFor(() => expect(waiting.filter(({ connecting }) => !connecting).length).toBeGreaterThan(1));
    const response = await request(`http://127.0.0.1:${port}/`, { connectMs: 200, timeoutMs: 3_600_000 });
    expect(response).toMatchObject({ status: null, isLate: true });
  },
);

test('reports a truncated response as an error, with its status', async () => {
  const receiver = await closeAfterTest(
    startRawReceiver((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
  );
  const sent = { method: 'POST', headers: { 'content-length': '2' }, body: Buffer.from('{}') };
  expect(await request(receiver.url, sent)).toMatchObject({
    status: 200,
    isLate: false,
    error: { code: 'ECONNRESET' },
  });
});

test('is ended by a signal', async () => {
  const silent = await closeAfterTest(startHttpReceiver(() => undefined));
  const stop = new AbortController();
  const response = request(silent.url, { signal: stop.signal });
  await expect.poll(silent.received).toContain('GET');
  stop.abort();
  expect(await response).toMatchObject({ status: null, isLate: false, error: { name: 'AbortError' } });
  expect(await request(silent.url, { signal: stop.signal })).toMatchObject({ error: { name: 'AbortError' } });
  expect(silent.connections()).toBe(1);
});
