// The file of --env-path: what is kept, what is refused, and that every reader gets the same value.
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { checkEnvFile, type EnvFile, EnvFileError, writeEnvFile } from '../../src/credentials/env-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folders: string[] = [];

afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function fileIn(name = '.env', isReplaced = false): Promise<EnvFile> {
  const folder = await temporaryFolder();
  folders.push(folder);
  return { path: join(folder, name), shown: name, isReplaced };
}

const modeOf = async (path: string) => (await lstat(path)).mode & 0o777;

describe('a file of variables', () => {
  test('is made for its owner alone', async () => {
    const file = await fileIn();
    await checkEnvFile(file, ['A']);
    expect(await writeEnvFile(file, new Map([['A', 'whsec_a+b/c=']]))).toEqual({ wasShared: false });
    expect(await readFile(file.path, 'utf8')).toBe('A=whsec_a+b/c=\n');
    expect(await modeOf(file.path)).toBe(0o600);
  });

  test.each([
    ['', 'N=v\n'],
    ['A=1', 'A=1\nN=v\n'],
    ['A=1\r\n', 'A=1\r\nN=v\r\n'],
    ['# N=no\n\nA = "x\nN=inside\n"\n', '# N=no\n\nA = "x\nN=inside\n"\nN=v\n'],
    ['export N = old # note\nB=2', 'export N=v\nB=2'],
    ['N="a\nb"\r\nC=3\r\n', 'N=v\r\nC=3\r\n'],
    ["N='unclosed\nC=3\n", 'N=v\nC=3\n'],
    ['N=1\r\nA=1\nexport N="a\nb"\nN=2 # note\n', 'A=1\nN=v\n'],
    ["A='C:\\'\nN=old\nB='z'\n", "A='C:\\'\nN=v\nB='z'\n"],
    ['\ufeffN=1\nB=\u00e9\n', '\ufeffN=v\nB=\u00e9\n'],
    ['NN=1\nN.x=2\n', 'NN=1\nN.x=2\nN=v\n'],
  ])('%j becomes %j', async (before, after) => {
    const file = await fileIn('.env', true);
    await writeFile(file.path, before);
    await writeEnvFile(file, new Map([['N', 'v']]));
    expect(await readFile(file.path, 'utf8')).toBe(after);
  });

  test('keeps bytes that are not UTF-8', async () => {
    const file = await fileIn();
    await writeFile(file.path, Buffer.from([0x41, 0x3d, 0xff, 0xfe, 0x0a]));
    await writeEnvFile(file, new Map([['N', 'v']]));
    expect([...(await readFile(file.path))]).toEqual([0x41, 0x3d, 0xff, 0xfe, 0x0a, 0x4e, 0x3d, 0x76, 0x0a]);
  });

  test.each(['plain-1_2.3', '~root', 'a b#c', '$HOME `x` "q"', "it's #1"])(
    'gives shells and Node.js the value %j',
    async (value) => {
      const file = await fileIn();
      await writeEnvFile(file, new Map([['N', value]]));
      expect(parseEnv(await readFile(file.path, 'utf8'))).toEqual({ N: value });
      const shown = execFileSync('sh', ['-c', `. "${file.path}"; printf %s "$N"`]).toString();
      expect(shown).toBe(value);
    },
  );

  test.each(['a\nB=2', 'a\rb', 'a\u0000', 'both \' and "', 'é'])(
    'refuses the value %j, and stays as it was',
    async (value) => {
      const file = await fileIn();
      await writeFile(file.path, 'A=1\n');
      const write = writeEnvFile(
        file,
        new Map([
          ['N', 'v'],
          ['M', value],
        ]),
      );
      await expect(write).rejects.toBeInstanceOf(EnvFileError);
      expect(await readFile(file.path, 'utf8')).toBe('A=1\n');
    },
  );

  test('takes no variable twice, unless it replaces it', async () => {
    const file = await fileIn();
    await writeFile(file.path, "A='C:\\'\n export N=1\nB='z'\n");
    await expect(checkEnvFile(file, ['M', 'N'])).rejects.toMatchObject({ isTaken: true });
    await expect(writeEnvFile(file, new Map([['N', 'v']]))).rejects.toMatchObject({ isTaken: true });
    await checkEnvFile({ ...file, isReplaced: true }, ['M', 'N']);
  });

  test('that others could read is closed to them', async () => {
    const file = await fileIn();
    await writeFile(file.path, 'A=1\n');
    await chmod(file.path, 0o644);
    expect(await writeEnvFile(file, new Map([['N', 'v']]))).toEqual({ wasShared: true });
    expect(await modeOf(file.path)).toBe(0o600);
  });

  test('has the variables of all that write it at the same time', async () => {
    const file = await fileIn();
    await writeFile(file.path, 'A=1\n');
    const names = Array.from({ length: 6 }, (_, index) => `N${index}`);
    await Promise.all(names.map((name) => writeEnvFile(file, new Map([[name, 'v']]))));
    const lines = (await readFile(file.path, 'utf8')).trimEnd().split('\n');
    expect(lines.sort()).toEqual(['A=1', ...names.map((name) => `${name}=v`)]);
    expect(await readdir(join(file.path, '..'))).toEqual(['.env']);
  });

  test('leaves nothing beside it', async () => {
    const file = await fileIn();
    await writeEnvFile(file, new Map([['N', 'v']]));
    expect(await readdir(join(file.path, '..'))).toEqual(['.env']);
  });
});

describe('it is refused where it is', () => {
  test.each([
    ['a symbolic link', (path: string) => symlink('elsewhere', path)],
    ['a directory', (path: string) => mkdir(path)],
    ['no text', (path: string) => writeFile(path, 'A=1\u0000')],
    ['too large', (path: string) => writeFile(path, 'a'.repeat(1024 * 1024 + 1))],
  ])('%s', async (_, make) => {
    const file = await fileIn();
    await make(file.path);
    await expect(checkEnvFile(file, ['N'])).rejects.toBeInstanceOf(EnvFileError);
    await expect(writeEnvFile(file, new Map([['N', 'v']]))).rejects.toBeInstanceOf(EnvFileError);
  });

  test('in a directory that does not exist', async () => {
    const file = await fileIn('none/.env');
    await expect(checkEnvFile(file, ['N'])).rejects.toBeInstanceOf(EnvFileError);
  });
});
