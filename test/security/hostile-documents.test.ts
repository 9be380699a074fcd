// Documents that are built to hurt, against the program as a user starts it: each is refused or done in time while another
// client is answered; it stops on request, and leaves nothing when it is killed.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { greedyPdf, slowPdf } from '../support/documents/engine.ts';
import { HOSTILE } from '../support/documents/hostile/index.mjs';
import {
  askAgainAndAgain,
  draftWith,
  enginesOf,
  isRunning,
  pictureOf,
  type SandboxServer,
  startSandboxServer,
  uploadAndShow,
  watchMemory,
} from '../support/servers/sandbox-server.mjs';
import { createStoryFixture, type StoryFixture, startCommand } from '../support/stories/story.ts';
import { FULL, SLOW, shareOf } from '../support/tier.ts';

const MB = 1024 * 1024;
const contract = readFileSync(new URL('../fixtures/contract.pdf', import.meta.url));
const endless = { fileName: 'endless.pdf', bytes: slowPdf(300) };
/** Past the limit of memory soon; on a busy machine it may be past the one of time before. */
const greedy = { fileName: 'greedy.pdf', bytes: greedyPdf(30) };
/** Pages that no recipient can be asked to sign, and the message about them. */
const undrawable = [
  { ...greedy, why: /it takes too (much memory|long)/ },
  { ...endless, why: /it takes too long/ },
];

// The groups below run beside each other.

/** This asks whether it hangs; how long other clients wait is measured by `npm run bench`. */
const HANGS_MS = 240_000;
const TEST_MS = 600_000;
/** One of them in the short tier: what each is refused for is asked there by complexity.test.ts. */
const files = HOSTILE.filter(({ name }) => SLOW || name === 'tiny tiles');

let served: SandboxServer;
let honest: string;
beforeAll(async () => {
  served = await startSandboxServer();
  honest = (await draftWith(served, 'contract.pdf', contract)).path ?? '';
}, TEST_MS);
afterAll(() => served.close());

/**
 * Asks again while the answer is `documents_busy`, as our client does: on a machine with more work than processors a job may
 * wait too long for its turn, which says nothing about the file.
 */
async function askWhileBusy<Answered extends { status: number }>(
  ask: () => Promise<Answered>,
): Promise<Answered> {
  for (;;) {
    const answered = await ask();
    if (answered.status !== 503) return answered;
    await setTimeout(1000);
  }
}

/**
 * Uploads a file and reads its first page, while another client asks for a detail again and again. The bytes are made
 * beforehand: this process measures how long the other client waits.
 */
async function isRefusedOrDone({
  fileName,
  bytes,
}: {
  fileName: string;
  bytes: Uint8Array;
}): Promise<{ status: number; detail: string | undefined }> {
  const [asking, memory] = [askAgainAndAgain(served, honest), watchMemory(served.pid)];
  const { status, code, detail, tookMs } = await askWhileBusy(() =>
    uploadAndShow(served, { fileName, bytes }),
  );
  const waits = await asking.stop();
  expect([200, 422], code).toContain(status);
  if (status === 422)
    expect(['document_too_complex', 'document_unreadable', 'document_too_long']).toContain(code);
  expect(tookMs).toBeLessThan(HANGS_MS);
  expect(Math.max(...waits)).toBeLessThan(HANGS_MS / 10);
  expect(memory.stop()).toBeLessThan(700 * MB);
  return { status, detail };
}

describe('while another client asks', () => {
  test.each(shareOf(files, 12))('$name', async (file) => void (await isRefusedOrDone(file)), TEST_MS);

  // Each waits ten seconds for the one before it; fifty are a row of `npm run bench`.
  test.skipIf(!SLOW)(
    'many at once: an honest page of another company is drawn before they are done',
    async () => {
      const other = served.ofCompany('Navy');
      const memory = watchMemory(served.pid);
      const bad = Array.from({ length: FULL ? 20 : 4 }, (_, index) =>
        uploadAndShow(served, { fileName: 'endless.pdf', bytes: slowPdf(301 + index) }),
      );
      // Those of one company wait in one queue, and get `documents_busy` when that takes too long.
      let answeredBad = 0;
      for (const one of bad) void one.then(() => (answeredBad += 1));
      const { detail } = await draftWith(other, 'other.pdf', Buffer.concat([contract, Buffer.from('\n%')]));
      const asking = askAgainAndAgain(served, honest);
      expect((await askWhileBusy(() => pictureOf(other, detail as never))).status).toBe(200);
      expect(answeredBad).toBeLessThan(bad.length);
      expect(Math.max(...(await asking.stop()))).toBeLessThan(HANGS_MS / 10);
      for (const { status, code } of await Promise.all(bad)) expect([422, 503], code).toContain(status);
      expect(memory.stop()).toBeLessThan(700 * MB);
    },
    TEST_MS,
  );
});

// What the pool does with one, and what is said of it, is asked in the short tier by pool.test.ts and undrawable.test.ts.
describe.concurrent('a page that cannot be drawn', () => {
  test.skipIf(!SLOW).each(shareOf(undrawable, 3))(
    'is refused, and delays no other client: $fileName',
    async (file) => {
      const { status, detail } = await isRefusedOrDone(file);
      expect(status).toBe(422);
      expect(detail).toMatch(file.why);
    },
    TEST_MS,
  );
});

/** For tests that run beside each other. */
const until = (isSo: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(isSo()).toBe(true), { timeout: 60_000, interval: 10 });

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux).concurrent('its end', () => {
  /** A server that draws an endless page, and its children. */
  async function busyServed(): Promise<{
    busy: SandboxServer;
    children: number[];
    drawing: Promise<unknown>;
  }> {
    const busy = await startSandboxServer();
    const { detail } = await draftWith(busy, endless.fileName, endless.bytes);
    const uploading = enginesOf(busy.pid);
    const drawing = pictureOf(busy, detail as never).catch(() => 'cut off');
    const others = () => enginesOf(busy.pid).filter((pid) => !uploading.includes(pid));
    await until(() => others().length > 0);
    const quick = others();
    // Past the time that it has in the child for quick work.
    if (SLOW) await until(() => others().some((pid) => !quick.includes(pid)));
    return { busy, children: enginesOf(busy.pid), drawing };
  }

  const SIGNALS: [string, NodeJS.Signals, number | string][] = [
    [
      'killed in the middle of a page: its children end by themselves, busy as they are',
      'SIGKILL',
      'SIGKILL',
    ],
    ['SIGTERM in the middle of a page: graceful, and no child is left', 'SIGTERM', 143],
  ];
  test.skipIf(!SLOW).each(shareOf(SIGNALS, 2))(
    '%s',
    async (_, signal, code) => {
      const { busy, children, drawing } = await busyServed();
      try {
        expect(children.length).toBeGreaterThan(0);
        busy.kill(signal);
        expect(await busy.ended).toBe(code);
        await drawing;
        await until(() => !children.some(isRunning));
      } finally {
        await busy.close();
      }
    },
    TEST_MS,
  );
});

describe.concurrent('a one-shot command', () => {
  let fixture: StoryFixture;
  beforeAll(async () => {
    fixture = await createStoryFixture();
  });
  afterAll(() => fixture.close());
  const sending = (fileName: string) => `exec esign tx send ${fileName} --to ada@example.com --json`;

  async function ended(child: ReturnType<typeof startCommand>): Promise<number | null> {
    return new Promise((resolve) => child.process.once('close', resolve));
  }

  test.skipIf(!SLOW).each(shareOf(undrawable, 3))(
    'names the page of $fileName that cannot be signed, and leaves a draft',
    async ({ fileName, bytes, why }) => {
      await writeFile(join(fixture.folder, fileName), bytes);
      const child = startCommand(fixture, sending(fileName));
      expect(await ended(child)).toBe(3);
      const { error } = JSON.parse(child.said().err.trimEnd().split('\n').at(-1) ?? 'null');
      expect(error).toMatchObject({ code: 'document_not_drawable' });
      expect(error.message).toContain(`page 1 of "${fileName}"`);
      expect(error.message).toMatch(why);
    },
    TEST_MS,
  );

  test.skipIf(!isLinux || !SLOW).each([
    ['while a page is drawn', endless.bytes],
    ['while the file is read', Buffer.concat([contract, Buffer.alloc(2 * MB, '\n%')])],
  ])(
    'ends at once at a signal, %s',
    async (_, bytes) => {
      const other = await createStoryFixture();
      try {
        await writeFile(join(other.folder, 'endless.pdf'), bytes);
        const child = startCommand(other, sending('endless.pdf'));
        const pid = child.process.pid ?? 0;
        await until(() => enginesOf(pid).length === 1);
        const children = enginesOf(pid);
        // As long as the work on a file may take, and longer.
        for (const one of children) process.kill(one, 'SIGSTOP');
        child.process.kill('SIGINT');
        // A command that waited for a stopped process would not end.
        expect(await ended(child)).toBe(130);
        await until(() => !children.some(isRunning));
      } finally {
        await other.close();
      }
    },
    TEST_MS,
  );
});
