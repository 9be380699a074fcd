// Requests whose body comes slowly or never ends: they are ended, whichever path they are for, and hold no memory.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { BODIES } from '../../../src/service/http/body.ts';
import { type Serving, serve } from '../../../src/service/http/server.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

let harness: Harness;
let serving: Serving;
let authorization: string;

beforeAll(async () => {
  harness = await openHarness('in process');
  const { access_token = '' } = await harness.client['sandbox.token']({ body: {} });
  authorization = `Bearer ${access_token}`;
  serving = await serve(harness.service, {
    host: '127.0.0.1',
    port: 0,
    documents: createInProcessEngine(),
    receiving: { withinMs: 600, checkEveryMs: 50 },
    mcp: { answer: async () => Response.json({ isAnswered: true }), close: async () => undefined },
  });
});
afterAll(async () => {
  await serving.close();
  await harness.close();
});

/** @param rest what the client sends again and again until the connection is closed */
async function send(path: string, rest: string, bytes = 14_000): Promise<string> {
  const { host, port, hostname } = new URL(serving.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  // The server closes while something more is sent.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const lines = [`host: ${host}`, `authorization: ${authorization}`, 'content-type: application/json'];
  socket.write(
    `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\ncontent-length: ${bytes}\r\n\r\n{"jsonrpc":`,
  );
  const timer = setInterval(() => rest !== '' && socket.write(rest), 40);
  // An error of the socket, which once() would throw, comes before this.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return answer;
}

describe('a body', () => {
  test.each([
    ['/mcp', 'that stops', ''],
    ['/mcp', 'that comes slowly', ' '],
    ['/mcp/token', 'that stops', ''],
    ['/v1/transaction', 'that stops', ''],
  ])('for %s %s is not waited for', async (path, _, rest) => {
    expect(await send(path, rest)).toMatch(/^HTTP\/1\.1 408 /);
    await expect.poll(() => BODIES.bytes).toBe(0);
  });

  test('of a login that is too long is refused before it comes', async () => {
    expect(await send('/mcp/token', '', 14_000_000)).toMatch(/^HTTP\/1\.1 413 [\s\S]*body_too_large/);
  });

  test('that comes in time is answered', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${serving.url}/mcp`, { method: 'POST', headers, body: '{}' });
    expect(await answer.json()).toEqual({ isAnswered: true });
  });
});
