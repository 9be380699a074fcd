// How far an upload is, on a terminal, and nowhere else. `script` makes the terminal.
import { readFile, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { progressBar } from '../../src/cli/terminal/progress.ts';
import { type RunningServer, startSocketServer } from '../support/servers/scripted-service.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const UPLOAD = 'esign tx upload T big.pdf';

test.each([
  [0, 10, '░░░░░░░░░░░░░░░░░░░░ 0%'],
  [5, 10, '██████████░░░░░░░░░░ 50%'],
  [999, 1000, '███████████████████░ 99%'],
  [10, 10, '████████████████████ 100%'],
  [0, 0, '████████████████████ 100%'],
])('%i of %i', (done, total, bar) => {
  expect(progressBar(done, total)).toBe(bar);
});

/** Takes what comes in its own time, as a network would; whatever was asked for is in the answer. */
async function answerSlowly(socket: Socket): Promise<void> {
  let text = '';
  let sizeBytes = 0;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    if (sizeBytes === 0) text = piece.toString('latin1');
    sizeBytes += piece.length;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (sizeBytes < text.indexOf('\r\n\r\n') + 4 + length) {
      await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
      continue;
    }
    const body = '{"token":"F","id":"T","status":"draft"}';
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    sizeBytes = 0;
  }
}

const PIECE_MS = 8;

const ON_TERMINAL: [string, string, boolean][] = [
  ['with --json', `${UPLOAD} --json`, true],
  ['with --quiet', `${UPLOAD} --quiet`, true],
  ['in CI', `CI=1 ${UPLOAD}`, true],
];

const { skip, why } = needsCommand('script');

describe.skipIf(skip)(`an upload${why}`, () => {
  let fixture: StoryFixture;
  let service: RunningServer;

  beforeAll(async () => {
    fixture = await createStoryFixture();
    service = await startSocketServer((socket) => answerSlowly(socket).catch(() => undefined));
    Object.assign(fixture.env, {
      ESIGN_BASE_URL: service.origin,
      ESIGN_ACCESS_TOKEN: 'token',
      TERM: 'xterm',
    });
    const contract = await readFile(join(fixture.folder, 'contract.pdf'));
    await writeFile(
      join(fixture.folder, 'big.pdf'),
      Buffer.concat([contract, Buffer.alloc(3_000_000, '\n')]),
    );
  });

  afterAll(async () => {
    await fixture.close();
    await service.close();
  });

  const onTerminal = (command: string) =>
    runCommand(fixture, `script -qec "stty cols 100; ${command}" /dev/null`);

  test.skipIf(!SLOW)('shows a bar on a terminal', async () => {
    const { code, out } = await onTerminal(UPLOAD);
    expect(code).toBe(0);
    expect(out).toMatch(/upload big\.pdf .*█.* \d+%/);
  });

  test.each<[string, string, boolean]>([['in a pipe', UPLOAD, false], ...(SLOW ? ON_TERMINAL : [])])(
    'shows none %s',
    async (_, command, isTerminal) => {
      const { code, out, err } = await (isTerminal ? onTerminal(command) : runCommand(fixture, command));
      expect(code).toBe(0);
      expect(out + err).not.toMatch(/[█%]/);
    },
  );
});
