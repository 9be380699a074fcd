// Real pipes and real processes: a reader that goes away, a reader that is slow, a second Ctrl-C.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStoryWorld, runCommand, type StoryWorld } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';

/** Templates that make five megabytes of JSON, and as many lines. */
const ITEMS = Array.from({ length: 40_000 }, (_, index) => ({
  id: `template-${index}`,
  name: 'n'.repeat(100),
}));
const BODY = JSON.stringify({ items: ITEMS, meta: null });

let server: Server;
let world: StoryWorld;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    if (request.url?.includes('/transaction')) {
      const started = { id: 't', status: 'started', template: {} };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(started));
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(BODY);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  world = await createStoryWorld();
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

const spawned = (words: string[]) => spawn('esign', words, { cwd: world.folder, env: world.env });

describe('a pipe', () => {
  test('whose reader goes away is no error, however much was still to come', async () => {
    for (const words of ['templates list --json', ...(SLOW ? ['templates list'] : [])]) {
      const { out, err } = await runCommand(world, `{ esign ${words}; echo "code=$?" >&2; } | head -c 100`);
      expect(out).toHaveLength(100);
      expect(err.trim()).toBe('code=0');
    }
  });

  test.skipIf(!SLOW)('that is read slowly gets everything', async () => {
    const child = spawned(['templates', 'list', '--json']);
    const closed = once(child, 'close');
    let text = '';
    child.stdout.setEncoding('utf8');
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.length < 1_000_000) await sleep(5);
    }
    expect((await closed)[0]).toBe(0);
    expect(JSON.parse(text).items).toHaveLength(ITEMS.length);
  });
});

describe('a signal', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends a wait at once, with %d and the way to go on', async (signal, exit) => {
    const asked = once(server, 'request');
    const child = spawned(['tx', 'wait', 't', '--json']);
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      err += text;
    });
    await asked;
    await sleep(100);
    const signalledMs = performance.now();
    child.kill(signal);
    expect((await once(child, 'close'))[0]).toBe(exit);
    expect(performance.now() - signalledMs).toBeLessThan(10_000);
    expect(JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'interrupted',
      exit,
      partial: { id: 't' },
      next: [{ command: 'esign tx wait t' }],
    });
  });

  test.skipIf(!SLOW)('a second one ends what does not stop', async () => {
    // Nobody ever ends this pipe, so that reading it never ends.
    const child = spawned(['tx', 'send', '-', '--to', 'ada@example.com']);
    const closed = once(child, 'close');
    // More than a pipe holds: that it is written means that it is being read.
    await new Promise((resolve) => child.stdin.write(Buffer.alloc(1_000_000), resolve));
    child.kill('SIGINT');
    await sleep(300);
    expect(child.exitCode).toBeNull();
    child.kill('SIGINT');
    expect((await closed)[0]).toBe(130);
  });
});
