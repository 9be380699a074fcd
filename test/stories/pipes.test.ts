// Real pipes and real processes: a reader that goes away, a reader that is slow, a signal, a pipe that nothing writes to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStoryFixture, runCommand, type StoryFixture, startCommand } from '../support/stories/story.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

/** Templates that make five megabytes of JSON, and as many lines. */
const ITEMS = Array.from({ length: 40_000 }, (_, index) => ({
  id: `template-${index}`,
  name: 'n'.repeat(100),
}));
const BODY = JSON.stringify({ items: ITEMS, meta: null });

let server: Server;
let fixture: StoryFixture;

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

const spawned = (words: string[]) => spawn('esign', words, { cwd: fixture.folder, env: fixture.env });

describe('a pipe', () => {
  test('whose reader goes away is no error, however much was still to come', async () => {
    for (const words of ['templates list --json', ...(SLOW ? ['templates list'] : [])]) {
      const { out, err } = await runCommand(fixture, `{ esign ${words}; echo "code=$?" >&2; } | head -c 100`);
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
  test.each(
    sampleOf(
      [
        ['SIGINT', 130],
        ['SIGTERM', 143],
      ] as const,
      2,
    ),
  )('%s ends a wait at once, with %d and the way to go on', async (signal, exit) => {
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

  test.skipIf(!SLOW)('ends the reading of standard input that never ends', async () => {
    const child = spawned(['tx', 'send', '-', '--to', 'ada@example.com']);
    const closed = once(child, 'close');
    // More than a pipe holds: that it is written means that it is being read.
    await new Promise((resolve) => child.stdin.write(Buffer.alloc(1_000_000), resolve));
    child.kill('SIGINT');
    expect(await closed).toEqual([null, 'SIGINT']);
  });

  test.runIf(process.platform === 'linux')(
    'ends the reading of a pipe of the shell that never ends',
    async () => {
      await runCommand(fixture, 'mkfifo held');
      const { process: child } = startCommand(fixture, 'exec 3<>held; exec esign verify /dev/fd/3');
      const closed = once(child, 'close');
      await writeFile(join(fixture.folder, 'held'), Buffer.alloc(1_000_000));
      child.kill('SIGINT');
      expect(await closed).toEqual([null, 'SIGINT']);
    },
  );

  test('ends an expression of --jq that never ends', async () => {
    const child = spawned(['templates', 'list', '--jq', 'last(range(1e15))']);
    const closed = once(child, 'close');
    await once(server, 'request');
    await sleep(300);
    child.kill('SIGINT');
    const [code, signal] = await closed;
    expect([130, 'SIGINT']).toContain(code ?? signal);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe in a folder that nothing writes to', () => {
  test.each(
    sampleOf(
      [
        ['verify pipe', '"pipe" is a pipe, not a file.'],
        ['tx preview pipe', '"pipe" is a pipe, not a file.'],
        ['tx send pipe --to ada@example.com', '"pipe" is a pipe, not a file.'],
        ['verify contract.pdf --trust pipe', '"pipe" is a pipe, not a file.'],
        ['api file.upload -F file=@pipe', '"pipe" is a pipe, not a file.'],
        ['verify zero', '"zero" is a device, not a file.'],
      ],
      5,
    ),
  )('is refused by esign %s', async (words, message) => {
    await runCommand(fixture, 'test -p pipe || mkfifo pipe; ln -sf /dev/zero zero');
    const { code: exit, err } = await runCommand(fixture, `esign ${words} --json`);
    expect(JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'file_not_regular',
      message,
    });
    expect(exit).toBe(2);
  });

  test.each(
    sampleOf(
      [
        ['ESIGN_ACCESS_TOKEN_FILE=pipe', 'templates list', 'secret_unreadable'],
        ['ESIGN_CA_CERT=pipe', 'templates list', 'ca_cert_unreadable'],
        ['ESIGN_HOME=with-pipe', 'templates list', 'config_unreadable'],
        ['', 'tx send contract.pdf --to ada@example.com', 'project_file_invalid'],
      ],
      3,
    ),
  )('is refused where it stands for a setting (%s esign %s)', async (setting, words, code) => {
    const isProject = code === 'project_file_invalid';
    await runCommand(
      fixture,
      'test -p pipe || mkfifo pipe; mkdir -p with-pipe/config && mv pipe with-pipe/config/config.json && mkfifo pipe',
    );
    if (isProject) await runCommand(fixture, 'mkfifo esign.config.json');
    const { code: exit, err } = await runCommand(
      fixture,
      `env -u ESIGN_ACCESS_TOKEN ${isProject ? 'ESIGN_ACCESS_TOKEN=token' : setting} esign ${words} --json`,
    );
    expect(JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({
      code,
      message: expect.stringContaining('it is a pipe'),
    });
    expect(exit).toBe(2);
    if (isProject) await runCommand(fixture, 'rm esign.config.json');
  });

  test.runIf(process.platform === 'linux')('of the shell is read to its end', async () => {
    const { out } = await runCommand(fixture, 'cat contract.pdf | esign verify /dev/stdin --json');
    expect(JSON.parse(out)).toMatchObject({ items: [{ file: '/dev/stdin', verdict: 'unsigned' }] });
  });
});
