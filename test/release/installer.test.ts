// install.sh installs what checksums.txt names, and nothing at all where anything is wrong. The archive here has a script in the
// place of the executable: test/release/executable.test.ts installs the executable itself.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, run } from '../support/processes/run.ts';
import { type ServedRelease, serveRelease, writeChecksums } from '../support/servers/release.ts';
import { need, needsCommand, unmet } from '../support/tools.ts';

// Scripts have no types.
const { tarOf } = (await import('../../scripts/archives.js' as string)) as {
  tarOf(files: { name: string; bytes: Buffer; isProgram: boolean }[]): Buffer;
};

const installer = fileURLToPath(new URL('../../scripts/install.sh', import.meta.url));
const VERSION = '1.2.0';
const TARGET = `linux-${process.arch}`;
const ARCHIVE = `esign-v${VERSION}-${TARGET}.tar.gz`;

/** What the installer uses of a system, besides a way to download and one to hash. */
const TOOLS = [
  'cat',
  'chmod',
  'cp',
  'cut',
  'gzip',
  'mkdir',
  'mktemp',
  'mv',
  'rm',
  'sed',
  'sh',
  'tar',
  'uname',
];

const tools = unmet(
  need('this system is not Linux', () => process.platform === 'linux'),
  needsCommand('curl'),
  needsCommand('wget'),
  needsCommand('dash'),
);

describe.skipIf(tools.skip)(`install.sh${tools.why}`, () => {
  let folder: string;
  let release: string;
  let bin: string;
  let installed: string;
  let served: ServedRelease;

  beforeAll(async () => {
    release = mkdtempSync(join(tmpdir(), 'esign-installer-release-'));
    const program = Buffer.from(`#!/bin/sh\necho ${VERSION}\n`);
    writeFileSync(
      join(release, ARCHIVE),
      gzipSync(tarOf([{ name: 'esign', bytes: program, isProgram: true }])),
    );
    writeChecksums(release);
    served = await serveRelease(release, VERSION);
  });
  afterAll(async () => {
    await served.close();
    rmSync(release, { recursive: true, force: true });
  });
  beforeEach(() => {
    served.restore();
    folder = mkdtempSync(join(tmpdir(), 'esign-installer-'));
    bin = join(folder, 'bin');
    installed = join(folder, 'home/.local/bin/esign');
    mkdirSync(join(folder, 'home'));
    mkdirSync(join(folder, 'tmp'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the installer with a PATH that has only these programs. */
  async function install(
    env: Record<string, string> = {},
    { programs = ['curl', 'sha256sum'], shell = 'dash', script = installer } = {},
  ): Promise<Ran> {
    rmSync(bin, { recursive: true, force: true });
    mkdirSync(bin);
    for (const name of [...TOOLS, ...programs]) {
      const path = ['/usr/local/bin', '/usr/bin', '/bin'].map((at) => join(at, name)).find(existsSync);
      if (!path) throw new Error(`${name} is not installed.`);
      symlinkSync(path, join(bin, name));
    }
    return run(`/usr/bin/${shell}`, [script], {
      env: {
        PATH: bin,
        HOME: join(folder, 'home'),
        TMPDIR: join(folder, 'tmp'),
        ESIGN_INSTALL_BASE: served.base,
        ...env,
      },
    });
  }

  /** @returns everything that the installer left in the folder of the user and among temporary files */
  const remains = (): string[] =>
    ['home', 'tmp'].flatMap((name) => readdirSync(join(folder, name), { recursive: true }) as string[]);

  test.each([
    { name: 'curl and sha256sum', programs: ['curl', 'sha256sum'] },
    { name: 'wget and openssl', programs: ['wget', 'openssl'] },
    { name: 'bash', shell: 'bash' },
  ])('installs the newest version with $name, and says what PATH lacks', async ({ programs, shell }) => {
    const ran = await install({}, { ...(programs && { programs }), ...(shell && { shell }) });
    expect(ran).toEqual({
      code: 0,
      out: expect.stringContaining(`esign ${VERSION} is in ${installed}\n`),
      err: '',
    });
    expect(ran.out).toContain('PATH does not have this directory');
    expect(readFileSync(installed, 'utf8')).toContain(VERSION);
    expect(remains().filter((name) => !/^\.local(\/bin(\/esign)?)?$/.test(name))).toEqual([]);
  });

  test('installs a release whose checksums are pinned, and no other one', async () => {
    const pinned = createHash('sha256')
      .update(readFileSync(join(release, 'checksums.txt')))
      .digest('hex');
    expect((await install({ ESIGN_INSTALL_CHECKSUM: '0'.repeat(64) })).err).toContain(
      'does not have the SHA-256',
    );
    expect(remains()).toEqual([]);
    expect(await install({ ESIGN_INSTALL_CHECKSUM: pinned })).toMatchObject({ code: 0 });
  });

  test('installs a version by its name to a named directory, over an older file', async () => {
    const elsewhere = join(folder, 'opt');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'esign'), 'older');
    chmodSync(join(elsewhere, 'esign'), 0o755);
    for (const version of [VERSION, `v${VERSION}`]) {
      const ran = await install({ VERSION: version, ESIGN_INSTALL_DIR: elsewhere });
      expect([ran.code, ran.err]).toEqual([0, '']);
    }
    expect(readFileSync(join(elsewhere, 'esign'), 'utf8')).toContain(VERSION);
    expect(readdirSync(elsewhere)).toEqual(['esign']);
  });

  const changed = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) === 0x30 ? 0x31 : 0x30;
    return copy;
  };
  const checksums = (): Buffer => readFileSync(join(release, 'checksums.txt'));

  test.each<[string, string, () => void, { programs?: string[]; env?: Record<string, string> }?]>([
    [
      'one byte of the archive is another',
      'not what checksums.txt says',
      () => {
        const bytes = readFileSync(join(release, ARCHIVE));
        served.replace(ARCHIVE, changed(bytes, bytes.length - 3));
      },
    ],
    [
      'one byte of a hash is another',
      'not what checksums.txt says',
      () => served.replace('checksums.txt', changed(checksums(), 5)),
    ],
    ['checksums.txt is missing', 'nothing can be checked', () => served.replace('checksums.txt', undefined)],
    ['checksums.txt is empty', 'has no line for', () => served.replace('checksums.txt', Buffer.alloc(0))],
    [
      'checksums.txt ends in the middle of the line',
      'has no line for',
      () => served.replace('checksums.txt', checksums().subarray(0, -12)),
    ],
    [
      'checksums.txt has other archives only',
      'has no line for',
      () =>
        served.replace('checksums.txt', Buffer.from(checksums().toString().replace(TARGET, 'linux-mips'))),
    ],
    [
      'checksums.txt has two lines',
      'several lines',
      () => served.replace('checksums.txt', Buffer.concat([checksums(), checksums()])),
    ],
    [
      'checksums.txt has a page instead',
      'has no line for',
      () => served.replace('checksums.txt', Buffer.from('<html>Sign in</html>')),
    ],
    [
      'the archive is missing',
      'could not be downloaded completely',
      () => served.replace(ARCHIVE, undefined),
    ],
    ['the archive is cut off', 'could not be downloaded completely', () => served.cutOff(ARCHIVE)],
    ['nothing can hash it', 'none of sha256sum, shasum and openssl', () => undefined, { programs: ['curl'] }],
    ['nothing can download it', 'neither curl nor wget', () => undefined, { programs: ['sha256sum'] }],
    ['there is no such version', 'could not be downloaded', () => undefined, { env: { VERSION: '9.9.9' } }],
    ['the version is a path', 'is not a version', () => undefined, { env: { VERSION: '../../evil' } }],
    [
      'the release of a version names another',
      'names version',
      () => served.replace('checksums.txt', Buffer.from(checksums().toString().replace(VERSION, '1.0.0'))),
      { env: { VERSION } },
    ],
    [
      'the directory cannot be made',
      'cannot be made',
      () => undefined,
      { env: { ESIGN_INSTALL_DIR: '/dev/null/bin' } },
    ],
  ])('installs nothing where %s', async (_, why, prepare, { programs, env } = {}) => {
    prepare();
    const ran = await install(env, programs && { programs });
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/esign was not installed: .*\n.+/s);
    expect(ran.err).toContain(why);
    expect(remains()).toEqual([]);
  });

  test('installs nothing where the executable does not run, even with the right hash', async () => {
    const broken = gzipSync(
      tarOf([{ name: 'esign', bytes: Buffer.from('#!/bin/sh\nexit 1\n'), isProgram: true }]),
    );
    const other = mkdtempSync(join(folder, 'release-'));
    writeFileSync(join(other, ARCHIVE), broken);
    writeChecksums(other);
    for (const name of [ARCHIVE, 'checksums.txt']) served.replace(name, readFileSync(join(other, name)));
    const ran = await install();
    expect([ran.code, remains()]).toEqual([1, []]);
    expect(ran.err).toContain('does not run on this system');
  });

  test('does nothing when it is cut off anywhere', async () => {
    const text = readFileSync(installer, 'utf8').trimEnd();
    const cut = join(folder, 'cut.sh');
    for (const length of [text.length - 1, text.length - 4, text.length - 80, 3000, 900]) {
      writeFileSync(cut, text.slice(0, length));
      await install({}, { script: cut });
      expect(remains()).toEqual([]);
    }
  });
});
