// A service that accepts a request and never answers: Ctrl-C ends the command at once, and it can be resumed.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, start, type World } from './story.ts';

const server = createServer((socket) => socket.on('error', () => undefined).resume());
let world: World;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  world = await createWorld();
  const { port } = server.address() as AddressInfo;
  Object.assign(world.env, {
    ESIGN_BASE_URL: `http://127.0.0.1:${port}`,
    ESIGN_ACCESS_TOKEN: 'token',
    ESIGN_SENDER: 'Grace <grace@example.com>',
  });
});

afterAll(async () => {
  server.close();
  await world.close();
});

describe('a signal while a request is under way', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s: exit %d, the plan is named', async (signal, exit) => {
    const connected = once(server, 'connection');
    const child = start(world, 'exec esign tx send contract.pdf --to ada@example.com --json');
    await connected;
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
