// What was kept comes back byte for byte, or counts as nothing kept.
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isWorthKeeping, openCodeCache, type Runtime } from '../../../src/cli/start/code-cache.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const RUNTIME: Runtime = {
  version: 'v20.19.0',
  versions: { v8: '11.3' },
  platform: 'linux',
  arch: 'x64',
  execArgv: [],
  env: {},
  pid: 1,
};
const HASH = '0123456789abcdef';
const KEPT = { code: Buffer.from('compiled code of a bundle'), learned: ['tx send', 'tx show'] };

let scratch: string;
let folder: string;
beforeEach(async () => {
  scratch = await temporaryFolder();
  folder = join(scratch, 'cache', 'code');
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

const opened = (change: Partial<Runtime> = {}) => openCodeCache(folder, { ...RUNTIME, ...change });
const theFile = async () => join(folder, (await readdir(folder))[0] ?? '');

test('what was written is read, by the same Node and for the same bundle alone', () => {
  const cache = opened();
  expect(cache.read('main.cjs', HASH)).toBeUndefined();
  cache.write('main.cjs', HASH, KEPT);
  expect(cache.read('main.cjs', HASH)).toEqual(KEPT);
  expect(cache.read('main.cjs', 'fedcba9876543210')).toBeUndefined();
  expect(cache.read('package-undici.cjs', HASH)).toBeUndefined();
  for (const other of [
    { version: 'v20.19.1' },
    { versions: { v8: '11.4' } },
    { platform: 'darwin' },
    { arch: 'arm64' },
    { execArgv: ['--max-lazy'] },
    { env: { NODE_OPTIONS: '--no-opt' } },
  ])
    expect(opened(other).read('main.cjs', HASH)).toBeUndefined();
});

test('a file with one wrong byte, too few or too many counts as none', async () => {
  const cache = opened();
  cache.write('main.cjs', HASH, KEPT);
  const file = await theFile();
  const sound = await readFile(file);
  for (let at = 0; at < sound.length; at += 1) {
    const damaged = Buffer.from(sound);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    await writeFile(file, damaged);
    expect(cache.read('main.cjs', HASH), `byte ${at}`).toBeUndefined();
    await writeFile(file, sound.subarray(0, at));
    expect(cache.read('main.cjs', HASH), `${at} bytes`).toBeUndefined();
  }
  await writeFile(file, Buffer.concat([sound, sound]));
  expect(cache.read('main.cjs', HASH)).toBeUndefined();
});

describe.skipIf(process.platform === 'win32')('code that another user could have written is not used', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['the folder', () => chmod(folder, 0o777)],
    ['the folder above it', () => chmod(join(scratch, 'cache'), 0o777)],
    ['a folder further up', () => chmod(scratch, 0o777)],
    ['the file', async () => chmod(await theFile(), 0o666)],
  ];
  test.each(ways)('others can write to %s', async (_where, open) => {
    const cache = opened();
    cache.write('main.cjs', HASH, KEPT);
    expect(cache.read('main.cjs', HASH)).toEqual(KEPT);
    await open();
    expect(cache.read('main.cjs', HASH)).toBeUndefined();
  });

  test('nothing is written where others can write', async () => {
    await chmod(scratch, 0o777);
    opened().write('main.cjs', HASH, KEPT);
    expect(await readdir(scratch)).toEqual([]);
  });

  test('the folder is inside the working tree of a repository', async () => {
    const cache = opened();
    cache.write('main.cjs', HASH, KEPT);
    await mkdir(join(scratch, '.git'));
    expect(cache.read('main.cjs', HASH)).toBeUndefined();
  });

  test('the file is a link, or a pipe that nothing writes to', async () => {
    const cache = opened();
    cache.write('main.cjs', HASH, KEPT);
    const file = await theFile();
    await rename(file, join(scratch, 'elsewhere'));
    await symlink(join(scratch, 'elsewhere'), file);
    expect(cache.read('main.cjs', HASH)).toBeUndefined();
    await rm(file);
    execFileSync('mkfifo', [file]);
    expect(cache.read('main.cjs', HASH)).toBeUndefined();
  });
});

test('a place where no folder can be made is no error', async () => {
  await mkdir(join(scratch, 'cache'));
  await writeFile(folder, 'a file');
  opened().write('main.cjs', HASH, KEPT);
  expect(opened().read('main.cjs', HASH)).toBeUndefined();
  expect(await readFile(folder, 'utf8')).toBe('a file');
  await rm(folder);
  await symlink(join(scratch, 'nowhere', 'at', 'all'), folder);
  opened().write('main.cjs', HASH, KEPT);
  expect(opened().read('main.cjs', HASH)).toBeUndefined();
});

test('old files and unfinished ones go when something is written', async () => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const leave = async (name: string, daysOld: number) => {
    const then = Date.now() / 1000 - daysOld * 24 * 60 * 60;
    await writeFile(join(folder, name), '');
    await utimes(join(folder, name), then, then);
  };
  await leave('main-old.bin', 31);
  await leave('main-recent.bin', 1);
  await leave('main-other.bin.77.tmp', 1);
  await leave('main-other.bin.78.tmp', 0);
  await leave('notes.txt', 400);
  for (let count = 0; count < 50; count += 1) await leave(`package-${count}.bin`, 2 + count / 100);
  const cache = opened();
  cache.write('main.cjs', HASH, KEPT);
  const names = await readdir(folder);
  expect(names).not.toContain('main-old.bin');
  expect(names).not.toContain('main-other.bin.77.tmp');
  expect(names).not.toContain('package-49.bin');
  expect(names).toContain('main-recent.bin');
  expect(names).toContain('main-other.bin.78.tmp');
  expect(names).toContain('notes.txt');
  expect(names.length).toBe(40);
  expect(cache.read('main.cjs', HASH)).toEqual(KEPT);
});

test('the first run is kept, then what is called often and is new', () => {
  expect(isWorthKeeping([], 'config list', 'config list')).toBe(true);
  expect(isWorthKeeping([], 'doctor', 'doctor')).toBe(false);
  expect(isWorthKeeping(['config list'], 'config get', 'config get')).toBe(false);
  expect(isWorthKeeping(['config list'], 'tx send', 'tx send')).toBe(true);
  expect(isWorthKeeping(['tx send'], 'tx send', 'tx send')).toBe(false);
  expect(isWorthKeeping(['tx send'], 'tx send', 'tx send + package-undici.cjs')).toBe(true);
  const full = Array.from({ length: 16 }, (_, index) => `tx send + package-${index}.cjs`);
  expect(isWorthKeeping(full, 'tx show', 'tx show')).toBe(false);
});
