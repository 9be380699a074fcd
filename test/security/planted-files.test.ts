// Files that another user, or a repository, put where the program looks for its own: compiled code, settings, logins, a
// store, a project file. None of them is used, and each is named. Runs the built program.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openCodeCache } from '../../src/cli/start/code-cache.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'dist', 'main.cjs');
const IS_ROOT = process.geteuid?.() === 0;
const STRANGER = 12_345;

let scratch: string;
/** ESIGN_HOME; the home of the person is elsewhere. */
let folder: string;
beforeEach(async () => {
  scratch = await temporaryFolder();
  folder = join(scratch, 'above', 'esign');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await mkdir(join(scratch, 'home'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

async function esign(words: readonly string[], more: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, HOME: join(scratch, 'home'), ESIGN_HOME: folder, ...more };
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'esign.js'), ...words], { env, cwd: scratch });
  child.stdin.end();
  const [out, err, [exit]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { out, err, exit };
}

const errorIn = ({ err }: { err: string }) => JSON.parse(err.trimEnd().split('\n').at(-1) ?? '').error;

/** What a stranger can do to a folder of the user, and what is said of it. */
const SITUATIONS: [string, { arrange(): Promise<unknown>; why: string }][] = [
  [
    'a folder above it that all can write to',
    { arrange: () => chmod(join(scratch, 'above'), 0o777), why: 'can be changed by other users' },
  ],
  [
    'the working tree of a repository',
    { arrange: () => mkdir(join(scratch, 'above', '.git')), why: 'is inside the Git working tree' },
  ],
  ...(IS_ROOT
    ? [
        [
          'a folder of another user',
          {
            arrange: () => chown(join(scratch, 'above'), STRANGER, STRANGER),
            why: `belongs to another user (uid ${STRANGER})`,
          },
        ] as [string, { arrange(): Promise<unknown>; why: string }],
      ]
    : []),
];

/** Code as V8 keeps it, of another program that is as long: V8 compares nothing else. */
function plantedCode(source: string): Buffer {
  const making = `
    const { Script } = require('node:vm');
    const length = Number(process.argv[1]);
    const text = "(function (exports, require, module) { module.exports = { program: { commandIn: () => '', " +
      "run: async (words) => { if (words) process.stdout.write('PLANTED'); } } }; })";
    const script = new Script(text.padEnd(length), { filename: 'main.cjs' });
    const module = {};
    script.runInThisContext()({}, require, module);
    module.exports.program.run();
    process.stdout.write(script.createCachedData());`;
  return execFileSync(process.execPath, ['-e', making, String(source.length)]);
}

async function plantCode(): Promise<void> {
  const source = await readFile(MAIN, 'latin1');
  const hash = /\/\*code ([0-9a-f]{16})\*\//.exec(source.slice(0, 200))?.[1] ?? '';
  const { version, versions, platform, arch, pid } = process;
  const runtime = { version, versions, platform, arch, execArgv: [], env: {}, pid };
  openCodeCache(join(folder, 'cache', 'code'), runtime).write('main.cjs', hash, {
    code: plantedCode(source),
    learned: ['config path'],
  });
  expect(await readdir(join(folder, 'cache', 'code'))).toHaveLength(1);
}

describe.skipIf(process.platform === 'win32')('in', () => {
  test('a folder of the user planted code would be run: the cache is trusted as the program is', async () => {
    await plantCode();
    expect((await esign(['config', 'path'])).out).toBe('PLANTED');
  });

  describe.each(sampleOf(SITUATIONS, 3))('%s', (_where, { arrange, why }) => {
    test('compiled code is not run', async () => {
      await plantCode();
      await arrange();
      const { out } = await esign(['config', 'path']);
      expect(out).not.toContain('PLANTED');
      expect(out).toContain(folder);
    });

    test('settings are refused by name', async () => {
      await mkdir(join(folder, 'config'));
      const config = { profile: 'x', profiles: { x: { base_url: 'http://127.0.0.1:9' } } };
      await writeFile(join(folder, 'config', 'config.json'), JSON.stringify(config));
      await arrange();
      const refused = await esign(['templates', 'list', '--json'], { ESIGN_ACCESS_TOKEN: 'token' });
      expect(errorIn(refused)).toMatchObject({
        code: 'not_trusted',
        exit: 2,
        message: expect.stringContaining(why),
        hint: expect.stringMatching(/ESIGN_HOME/),
      });
      expect(refused.exit).toBe(2);
    });

    test.skipIf(!SLOW)('a login is refused by name', async () => {
      const service = { ESIGN_BASE_URL: 'http://127.0.0.1:9', ESIGN_CREDENTIAL_STORE: 'file' };
      await mkdir(join(folder, 'data', 'credentials'), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, 'data', 'credentials', 'environment.json'), '{}', { mode: 0o600 });
      await arrange();
      const refused = await esign(['templates', 'list', '--json'], service);
      expect(errorIn(refused)).toMatchObject({ code: 'not_trusted', message: expect.stringContaining(why) });
    });

    test.skipIf(!SLOW)('no store is opened or made, and no journal', async () => {
      await arrange();
      const words = [
        'tx',
        'send',
        join(ROOT, 'test/fixtures/contract.pdf'),
        '--to',
        'ada@example.com',
        '--json',
      ];
      expect(errorIn(await esign(words))).toMatchObject({
        code: 'not_trusted',
        message: expect.stringContaining(why),
      });
      expect(await readdir(folder)).toEqual([]);
    });

    test.skipIf(!SLOW)('doctor lists the folders', async () => {
      await arrange();
      const { out, exit } = await esign(['doctor', '--json']);
      const checks = JSON.parse(out).checks as { name: string; state: string; message: string }[];
      const said = (name: string) => checks.find((one) => one.name === name);
      expect(said('folders')).toMatchObject({ state: 'fail', message: expect.stringContaining(why) });
      expect(said('code')).toMatchObject({ state: 'warn', message: expect.stringContaining(why) });
      expect(exit).toBe(2);
    });
  });

  test.skipIf(!SLOW)('a project file that another user could have written is refused by name', async () => {
    await copyFile(join(ROOT, 'test/fixtures/contract.pdf'), join(scratch, 'contract.pdf'));
    const project = join(scratch, 'esign.config.json');
    await writeFile(project, JSON.stringify({ to: ['Mallory <mallory@example.com>'] }));
    await chmod(project, 0o666);
    const words = ['tx', 'send', 'contract.pdf', '--json'];
    const refused = await esign(words);
    expect(errorIn(refused)).toMatchObject({
      code: 'project_file_invalid',
      message: 'esign.config.json is not used because it can be changed by other users.',
    });
    expect(refused.exit).toBe(2);
    await chmod(project, 0o644);
    await mkdir(join(scratch, '.git'));
    const home = { ESIGN_HOME: join(scratch, 'home', '.esign') };
    expect((await esign([...words, '--dry-run'], home)).exit).toBe(0);
    if (!IS_ROOT) return;
    await chown(project, STRANGER, STRANGER);
    expect(errorIn(await esign(words)).message).toContain(`belongs to another user (uid ${STRANGER})`);
    // A job in a container runs as root in the directory of another user.
    await chown(scratch, STRANGER, STRANGER);
    const own = await temporaryFolder();
    expect((await esign([...words, '--dry-run'], { ESIGN_HOME: own })).exit).toBe(0);
    await rm(own, { recursive: true });
  });
});
