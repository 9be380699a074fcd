// Files are read within a limit and without waiting; what is no file is refused by name.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFileUpTo, readNamedFile, readOwnFile, readTrustedFile } from '../../src/files/read-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder, 'file');
  await writeFile(file, 'twelve bytes');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const READERS = {
  readFileUpTo: async (path: string, mostBytes: number) => readFileUpTo(path, { mostBytes }),
  readNamedFile: async (path: string, mostBytes: number) => readNamedFile(path, { mostBytes }),
  readTrustedFile: async (path: string, mostBytes: number) => readTrustedFile(path, { mostBytes }),
  readOwnFile: async (path: string, mostBytes: number) => readOwnFile(path, { mostBytes }),
};

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe.each(Object.entries(READERS))('%s', (_name, read) => {
  test('returns what a file holds, up to the limit', async () => {
    expect(textOf(await read(file, 12))).toBe('twelve bytes');
    await writeFile(file, '');
    expect(await read(file, 12)).toHaveLength(0);
  });

  test('refuses a file that is longer', async () => {
    await expect(read(file, 11)).rejects.toMatchObject({ name: 'FileTooLargeError', sizeBytes: 12 });
  });

  test('refuses a directory', async () => {
    await mkdir(join(folder, 'directory'));
    await expect(read(join(folder, 'directory'), 12)).rejects.toMatchObject({
      name: 'NotAFileError',
      kind: 'directory',
    });
  });

  test.skipIf(process.platform === 'win32')('refuses a device, a pipe and a socket', async () => {
    await symlink('/dev/zero', join(folder, 'device'));
    await expect(read(join(folder, 'device'), 12)).rejects.toMatchObject({ kind: 'device' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(read(join(folder, 'pipe'), 12)).rejects.toMatchObject({ kind: 'pipe' });
    const server = createServer().listen(join(folder, 'socket'));
    await once(server, 'listening');
    try {
      await expect(read(join(folder, 'socket'), 12)).rejects.toMatchObject({ kind: 'socket' });
    } finally {
      server.close();
    }
  });
});

test.skipIf(!SLOW)('a file of any size comes back byte for byte', async () => {
  for (const size of [1, 65_536, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1, 9_000_000]) {
    const bytes = Buffer.alloc(size, 'abcdefg');
    await writeFile(file, bytes);
    expect(bytes.equals(await readNamedFile(file, { mostBytes: size }))).toBe(true);
    expect(bytes.equals(readFileUpTo(file, { mostBytes: size }))).toBe(true);
  }
});

test.runIf(process.platform === 'linux')(
  'what the system tells as a file without a size is read to its end',
  () => {
    expect(textOf(readFileUpTo('/proc/self/status', { mostBytes: 100_000 }))).toContain('Pid:');
    expect(() => readFileUpTo('/proc/self/status', { mostBytes: 10 })).toThrow('too large');
  },
);

test.skipIf(!SLOW)('a signal ends the reading of a large file', async () => {
  await writeFile(file, Buffer.alloc(9_000_000));
  const reading = readNamedFile(file, { mostBytes: 9_000_000, signal: AbortSignal.abort(new Error('over')) });
  await expect(reading).rejects.toThrow('over');
});

test('a link is refused where that is wished', async () => {
  await symlink(file, join(folder, 'link'));
  expect(textOf(readFileUpTo(join(folder, 'link'), { mostBytes: 12 }))).toBe('twelve bytes');
  expect(() => readFileUpTo(join(folder, 'link'), { mostBytes: 12, isLinkRefused: true })).toThrow();
});

describe.skipIf(process.platform === 'win32')('what another user could have written', () => {
  test('is not read from a folder of the program', async () => {
    expect(readTrustedFile(join(folder, 'missing'), { mostBytes: 12 })).toBeUndefined();
    await chmod(file, 0o666);
    expect(() => readTrustedFile(file, { mostBytes: 12 })).toThrow('can be changed by other users');
    await chmod(file, 0o600);
    await chmod(folder, 0o777);
    expect(() => readTrustedFile(file, { mostBytes: 12 })).toThrow('can be changed by other users');
  });

  test('is not read beside documents, where a clone and a folder that is shared are read', async () => {
    await mkdir(join(folder, '.git'));
    await chmod(folder, 0o770);
    await chmod(file, 0o660);
    expect(textOf(readOwnFile(file, { mostBytes: 12 }))).toBe('twelve bytes');
    await chmod(file, 0o666);
    expect(() => readOwnFile(file, { mostBytes: 12 })).toThrow('can be changed by other users');
  });
});
