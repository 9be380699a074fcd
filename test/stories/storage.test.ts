// What a command, `sandbox serve` and `doctor` print when the storage of the sandbox fails.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createStoryFixture,
  runCommand,
  type StartedCommand,
  type StoryFixture,
  startCommand,
} from '../support/stories/story.ts';
import { SLOW, sampleOf } from '../support/tier.ts';
import { needsMount } from '../support/tools.ts';

let fixture: StoryFixture;
let sandbox: string;
beforeEach(async () => {
  fixture = await createStoryFixture();
  sandbox = join(fixture.env.ESIGN_HOME ?? '', 'data', 'sandbox');
});
afterEach(async () => {
  spawnSync('umount', ['--lazy', join(fixture.folder, 'disk')]);
  await fixture.close();
});

const esign = (words: string) => runCommand(fixture, `esign ${words}`);

/** In a process that ends, and lets go of every file with it. */
const esignAlone = (words: string) => runCommand(fixture, `exec esign ${words}`);

const errorIn = (err: string) => JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').error;

async function made(): Promise<void> {
  expect((await esign('tx send contract.pdf --to ada@example.com --json')).code).toBe(0);
}

async function blobs(): Promise<string[]> {
  const entries = await readdir(join(sandbox, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

type Checks = Record<string, { state: string; message: string; hint: string | null }>;

async function examined(words = ''): Promise<{ code: number | null; checks: Checks }> {
  const { code, out } = await esign(`doctor --sandbox --json ${words}`);
  const { checks } = JSON.parse(out) as { checks: ({ name: string } & Checks[string])[] };
  return { code, checks: Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest])) };
}

describe('a sandbox that lost a part', () => {
  test.each(
    sampleOf(
      [
        ['key', 'the file "key" is missing', 1],
        ['store.db', 'the file "store.db" is missing', 1],
      ],
      2,
    ),
  )('%s: every command says so, and nothing is made in its place', async (part, said, exit) => {
    await made();
    await rm(join(sandbox, part));
    for (const words of ['sandbox status --json', 'tx send contract.pdf --to ada@example.com --json']) {
      const { code, err } = await esign(words);
      expect(code).toBe(exit);
      const error = errorIn(err);
      expect(error).toMatchObject({ code: 'storage_damaged', retryable: false });
      expect(error.message).toContain(said);
      expect(error.hint).toContain(`move ${sandbox} away`);
    }
    expect(await readdir(sandbox)).not.toContain(part);
    const { code, checks } = await examined();
    expect(code).toBe(1);
    expect(checks.store).toMatchObject({ state: 'fail', message: expect.stringContaining(said.slice(4)) });
    expect(await readdir(sandbox)).not.toContain(part);
  });
});

describe('doctor', () => {
  test('says what a sound sandbox is', async () => {
    await made();
    const before = await Promise.all((await blobs()).map((path) => readFile(path)));
    for (const words of ['', '--deep']) {
      const { code, checks } = await examined(words);
      expect(code).toBe(0);
      expect(checks).toMatchObject({
        store: { state: 'ok' },
        documents: { state: 'ok', message: expect.stringContaining('1 stored files are') },
        space: { message: expect.stringMatching(/^[\d,]+ MB are free/) },
      });
    }
    expect(await Promise.all((await blobs()).map((path) => readFile(path)))).toEqual(before);
  });

  test('makes no sandbox', async () => {
    expect((await examined()).checks.store).toMatchObject({ state: 'skip' });
    await expect(stat(sandbox)).rejects.toThrow('ENOENT');
  });

  test('finds documents that are truncated or missing, and with --deep one bit that changed', async () => {
    await made();
    const [path = ''] = await blobs();
    const bytes = await readFile(path);
    const { mtime } = await stat(path);
    const flipped = Uint8Array.from(bytes);
    flipped[100] = (flipped[100] ?? 0) ^ 1;
    await writeFile(path, flipped);
    await utimes(path, mtime, mtime);
    expect((await examined()).checks.documents?.state).toBe('ok');
    const deep = await examined('--deep');
    expect(deep).toMatchObject({ code: 1, checks: { documents: { state: 'fail' } } });
    expect(deep.checks.documents?.message).toContain('"contract.pdf" (changed');
    await truncate(path, 100);
    expect((await examined()).checks.documents?.message).toContain('100 bytes instead of');
    await rm(path);
    expect((await examined()).checks.documents?.message).toContain('"contract.pdf" (missing');
    // As the hint says: the same document again.
    await esign('tx upload contract.pdf --json');
    await made();
    expect((await examined('--deep')).checks.documents?.state).toBe('ok');
  });

  test('finds a database that is damaged inside', async () => {
    await made();
    const file = join(sandbox, 'store.db');
    const bytes = await readFile(file);
    bytes.fill(0x55, 4096 * 3, 4096 * 8);
    await writeFile(file, bytes);
    const { code, checks } = await examined();
    expect(code).toBe(1);
    expect(checks.store).toMatchObject({ state: 'fail', hint: expect.stringContaining('store.db') });
  });
});

async function served(
  words = '',
): Promise<{ child: StartedCommand; url: string; post(): Promise<Response> }> {
  const child = startCommand(fixture, `exec esign sandbox serve --port 0 --json ${words}`);
  await expect.poll(() => child.said().out, { timeout: 20_000 }).toContain('base_url');
  const { base_url: url } = JSON.parse(child.said().out) as { base_url: string };
  const token = (await esign('sandbox token --raw')).out.trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = () => fetch(`${url}/v1/transaction`, { method: 'POST', headers, body: '{"name":"A"}' });
  return { child, url, post };
}

const ended = async (child: StartedCommand) => {
  child.process.kill('SIGTERM');
  await once(child.process, 'close');
};

describe('sandbox serve', () => {
  test.each(SLOW ? ['', '--quiet'] : [''])('says why a request failed, with its id %s', async (words) => {
    const { child, post } = await served(words);
    expect((await post()).status).toBe(201);
    await rm(sandbox, { recursive: true, maxRetries: 5 });
    const answer = await post();
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'storage_damaged' });
    const id = answer.headers.get('x-request-id');
    await expect
      .poll(() => child.said().err)
      .toContain(`failed ${id}: The files of the database were removed`);
    await ended(child);
  });
});

const mount = needsMount();

describe.skipIf(mount.skip)(`a disk of its own${mount.why}`, () => {
  beforeEach(async () => {
    const disk = join(fixture.folder, 'disk');
    await mkdir(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1500k', 'tmpfs', disk]).status).toBe(0);
    fixture.env.ESIGN_HOME = join(disk, 'home');
    sandbox = join(disk, 'home', 'data', 'sandbox');
  });

  test('that is full: a command ends with storage_full, and the way out', async () => {
    await esignAlone('sandbox status --json');
    const ballast = join(fixture.folder, 'disk', 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1k', 'count=2000']);
    const { code, err } = await esignAlone('tx create --json');
    expect(errorIn(err)).toMatchObject({ code: 'storage_full', exit: 7, retryable: true });
    expect(code).toBe(7);
    await rm(ballast);
    expect((await esignAlone('tx create --json')).code).toBe(0);
  });

  test('that is read-only: what is there can be read, and a change is refused by name', async () => {
    const sent = await esignAlone('tx send contract.pdf --to ada@example.com --json');
    const { id } = JSON.parse(sent.out) as { id: string };
    expect((await esignAlone(`sandbox sign ${id} --json`)).code).toBe(0);
    const { status } = spawnSync('mount', ['-o', 'remount,ro', join(fixture.folder, 'disk')]);
    expect(status).toBe(0);
    const { code, err } = await esignAlone('tx create --json');
    expect(code).toBe(7);
    expect(errorIn(err)).toMatchObject({
      code: 'storage_unusable',
      message: expect.stringContaining('read-only'),
    });
    const shown = await esignAlone(`tx show ${id} --json`);
    expect(JSON.parse(shown.out)).toMatchObject({ id, outcome: 'completed' });
    expect((await esignAlone(`tx show ${id}`)).err).toContain('The sandbox is on a read-only disk.');
    for (const line of ['tx list', 'events list', 'sandbox status', `tx download ${id} -o ${fixture.folder}`])
      expect(await esignAlone(`${line} --json`), line).toMatchObject({ code: 0 });
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('esign-read-only-'))).toEqual([]);
  });
});
