// A service that never answers the request of a step: Ctrl-C ends the command at once, and it can be resumed.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedService } from '../support/servers/scripted-service.ts';
import { createStoryFixture, type StoryFixture, startCommand } from '../support/stories/story.ts';
import { sampleOf } from '../support/tier.ts';

/** It does not tell the user of the token, and holds the request that follows. */
const server = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', (head) => {
    if (head.toString('latin1').startsWith('GET '))
      socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    else server.emit('held');
  });
  socket.resume();
});
let fixture: StoryFixture;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fixture = await createStoryFixture();
  const { port } = server.address() as AddressInfo;
  Object.assign(fixture.env, {
    ESIGN_BASE_URL: `http://127.0.0.1:${port}`,
    ESIGN_ACCESS_TOKEN: 'token',
    ESIGN_SENDER: 'Grace <grace@example.com>',
  });
});

afterAll(async () => {
  server.close();
  await fixture.close();
});

describe('a signal while a request is under way', () => {
  test.each(
    sampleOf(
      [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const,
      2,
    ),
  )('%s: exit %d, the plan is named', async (signal, exit) => {
    const held = once(server, 'held');
    const child = startCommand(fixture, 'exec esign tx send contract.pdf --to ada@example.com --json');
    await held;
    const signalledMs = performance.now();
    child.process.kill(signal);
    const [code] = await once(child.process, 'close');
    expect(code).toBe(exit);
    expect(performance.now() - signalledMs).toBeLessThan(10_000);
    const { out, err } = child.said();
    expect(out).toBe('');
    const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) ?? 'null');
    expect(error).toMatchObject({
      code: 'interrupted',
      exit,
      partial: { plan: expect.stringMatching(/^plan-/) },
    });
  });
});

test('a signal ends the pause before another try at once', async () => {
  const { origin, asked, close } = await startScriptedService((response) =>
    response.writeHead(503, { 'retry-after': '30' }).end(),
  );
  const busy = await createStoryFixture();
  Object.assign(busy.env, { ESIGN_BASE_URL: origin, ESIGN_ACCESS_TOKEN: 'token' });
  try {
    const child = startCommand(busy, 'exec esign tx show T');
    while (!child.said().err.includes('Retrying in 30 s'))
      await once(child.process.stderr as NonNullable<typeof child.process.stderr>, 'data');
    const signalledMs = performance.now();
    child.process.kill('SIGINT');
    expect((await once(child.process, 'close'))[0]).toBe(130);
    expect(performance.now() - signalledMs).toBeLessThan(20_000);
    expect(asked).toHaveLength(1);
  } finally {
    await busy.close();
    await close();
  }
});
