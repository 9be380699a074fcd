// The executable works where there is no Node: it is installed by install.sh into a minimal root, and used there. Its first start
// unpacks the program, whatever happens meanwhile.
import { spawn } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ran, run } from '../support/processes/run.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { type ServedRelease, serveRelease } from '../support/servers/release.ts';
import { prepareTeamDatabase } from '../support/servers/team-database.ts';
import { startTeamNode } from '../support/servers/team-nodes.ts';
import { FULL } from '../support/tier.ts';
import { need, needsCommand, needsMount, unmet } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const TARGET = `linux-${process.arch}`;
const nodes = process.env.ESIGN_NODES ?? '';
const nodesToBuild = need('ESIGN_NODES names no folder with a Node for executables', () =>
  existsSync(join(nodes, TARGET, 'node')),
);
/** The first bytes of an executable, the place of its processor, and the number of the processor. */
const FORMATS: Record<string, [magic: string, at: number, machine: number]> = {
  'linux-x64': ['\x7fELF', 18, 0x3e],
  'linux-arm64': ['\x7fELF', 18, 0xb7],
  'darwin-x64': ['\xcf\xfa\xed\xfe', 4, 0x07],
  'darwin-arm64': ['\xcf\xfa\xed\xfe', 4, 0x0c],
  'windows-x64': ['MZ', -1, 0x8664],
};
const isRoot = need('this user is not root', () => process.geteuid?.() === 0);

describe.skipIf(nodesToBuild.skip)(`the executable${nodesToBuild.why}`, () => {
  let release: string;
  let executable: string;

  beforeAll(async () => {
    release = mkdtempSync(join(tmpdir(), 'esign-release-files-'));
    const script = join(root, 'scripts/release.js');
    const building = ['--executables', '--nodes', nodes, '--out', release, '--only', TARGET];
    for (const words of [building, ['--archives', '--out', release]]) {
      const ran = await run(process.execPath, [script, ...words]);
      if (ran.code !== 0) throw new Error(ran.err);
    }
    executable = join(release, TARGET, 'esign');
  }, 240_000);
  afterAll(() => rmSync(release, { recursive: true, force: true }));

  describe('at its first start', () => {
    let folder: string;
    let place: string;
    let temporary: string;
    const env = () => ({ HOME: join(folder, 'home'), TMPDIR: temporary });
    const help = (variables: Record<string, string> = env()) =>
      run(executable, ['--help'], { env: variables });
    const worked: Ran = { code: 0, out: expect.stringContaining('CORE COMMANDS'), err: '' };
    const unpacked = (at = place): string[] => (existsSync(at) ? readdirSync(at) : []);

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'esign-executable-'));
      place = join(folder, 'home/.cache/esign/program');
      temporary = join(folder, 'tmp');
      mkdirSync(join(folder, 'home'));
      mkdirSync(temporary, { mode: 0o700 });
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    test('prints its version without unpacking anything', async () => {
      expect(await run(executable, ['--version'], { env: env() })).toEqual({
        code: 0,
        out: `${version}\n`,
        err: '',
      });
      expect([unpacked(), readdirSync(temporary)]).toEqual([[], []]);
    });

    test('unpacks once, for the user alone', async () => {
      expect(await help()).toEqual(worked);
      const [name = '', ...others] = unpacked();
      expect([name, others]).toEqual([expect.stringMatching(`^${version}-[0-9a-f]{16}$`), []]);
      const before = lstatSync(join(place, name));
      expect(before.mode & 0o777).toBe(0o700);
      expect(await help()).toEqual(worked);
      expect([unpacked(), lstatSync(join(place, name)).ino]).toEqual([[name], before.ino]);
    });

    test('unpacks one program where several start at the same time', async () => {
      const ran = await Promise.all(Array.from({ length: 4 }, () => help()));
      expect(ran).toEqual(ran.map(() => worked));
      expect(unpacked()).toHaveLength(1);
    });

    test('is not impressed by one that was killed while it unpacked', async () => {
      const isUnfinished = () => unpacked().some((name) => name.startsWith('.unpacking-'));
      for (let tries = 0; !isUnfinished(); tries += 1) {
        if (tries > 20) throw new Error('It was never killed in the middle.');
        rmSync(place, { recursive: true, force: true });
        const child = spawn(executable, ['--help'], { env: env(), stdio: 'ignore' });
        const ended = new Promise((resolve) => child.once('exit', resolve));
        while (!isUnfinished() && child.exitCode === null)
          await new Promise((resolve) => setTimeout(resolve, 1));
        child.kill('SIGKILL');
        await ended;
      }
      expect(await help()).toEqual(worked);
      expect(unpacked()).toEqual([expect.stringMatching(/^\d/)]);
    });

    test('unpacks again where a file or a folder is missing or damaged', async () => {
      await help();
      const folderOfProgram = join(place, unpacked()[0] ?? '');
      const program = join(folderOfProgram, 'dist/help.cjs');
      const launcher = join(folderOfProgram, 'bin/esign.js');
      const damages: [path: string, damage: (path: string) => void][] = [
        [program, (path) => rmSync(path)],
        [program, (path) => rmSync(dirname(path), { recursive: true })],
        [launcher, (path) => writeFileSync(path, '')],
        [program, (path) => writeFileSync(path, readFileSync(path).subarray(1))],
      ];
      for (const [path, damage] of damages) {
        const good = readFileSync(path);
        damage(path);
        expect(await help()).toEqual(worked);
        expect([readFileSync(path).equals(good), unpacked().length]).toEqual([true, 1]);
      }
    });

    test('uses its own folder among temporary files where there is no home, or none that can be written', async () => {
      writeFileSync(join(folder, 'file'), '');
      const ours = join(temporary, `esign-${process.geteuid?.()}`);
      for (const home of ['/proc/nowhere', join(folder, 'file')]) {
        rmSync(ours, { recursive: true, force: true });
        expect(await help({ HOME: home, TMPDIR: temporary })).toEqual(worked);
        expect([unpacked(ours).length, lstatSync(ours).mode & 0o777]).toEqual([1, 0o700]);
      }
    });

    test('says what to do where nothing can be unpacked', async () => {
      const nowhere = { HOME: '/proc/nowhere', TMPDIR: '/proc/nowhere' };
      for (const [variables, name] of [
        [nowhere, 'XDG_CACHE_HOME'],
        [{ ...nowhere, ESIGN_HOME: '/proc/nowhere' }, 'ESIGN_HOME'],
      ] as const) {
        const { code, out, err } = await help(variables);
        expect([code, out, err]).toEqual([1, '', expect.stringContaining(`Set ${name} to a directory`)]);
      }
    });

    test('runs nothing but its own programs for other processes', async () => {
      await help();
      const script = join(folder, 'script.js');
      writeFileSync(script, 'console.log("run")');
      const fromProgram = relative(join(place, unpacked()[0] ?? '', 'dist'), script);
      for (const words of [[script], [fromProgram], ['toString'], []])
        expect(await run(executable, ['__program', ...words], { env: env() })).toEqual({
          code: 1,
          out: '',
          err: '',
        });
    });

    test.each([
      ['a script', (script: string) => `--require=${script}`],
      ['a script that is missing', () => '--require=/missing.cjs'],
      ['an option that no Node has', () => '--no-such-option'],
      ['a debugger', () => '--inspect-brk=127.0.0.1:0'],
    ])('ignores %s in NODE_OPTIONS', async (_, optionOf) => {
      const script = join(folder, 'script.cjs');
      writeFileSync(script, 'console.log("run")');
      expect(await help({ ...env(), NODE_OPTIONS: optionOf(script) })).toEqual(worked);
    });

    test('takes no option of Node from its arguments, nor from a file that they name', async () => {
      const script = join(folder, 'script.cjs');
      writeFileSync(script, 'console.log("run")');
      writeFileSync(join(folder, 'a.env'), `NODE_OPTIONS=--require=${script}\n`);
      for (const option of [`--node-options=--require=${script}`, `--env-file=${join(folder, 'a.env')}`]) {
        const { code, out, err } = await run(executable, ['tx', 'list', option], { env: env() });
        expect([code, out, err]).toEqual([2, '', expect.stringContaining('option_unknown')]);
      }
    });

    test('opens documents in a process of its own, whatever NODE_OPTIONS has', async () => {
      const contract = join(root, 'test/fixtures/contract.pdf');
      const variables = { ...env(), NODE_OPTIONS: '--no-such-option' };
      const esign = (...words: string[]) => run(executable, words, { env: variables, cwd: folder });
      const sent = await esign('tx', 'send', contract, '--to', 'Ada <ada@example.com>');
      expect([sent.code, sent.err]).toEqual([0, expect.not.stringContaining('error')]);
      expect(await esign('tx', 'preview', '@', '-o', 'pictures')).toMatchObject({ code: 0 });
      expect(readdirSync(join(folder, 'pictures'))).toHaveLength(3);
    });

    test('removes versions that nobody started for a month and that do not run, and no other', async () => {
      await help();
      const [current = ''] = unpacked();
      const month = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000);
      const older = { '0.0.1-unused': undefined, '0.0.2-runs': process.pid, '0.0.3-ended': 999_999_999 };
      for (const [name, pid] of Object.entries(older)) {
        mkdirSync(join(place, name));
        if (pid !== undefined) {
          writeFileSync(join(place, name, `running-${pid}`), '');
          utimesSync(join(place, name, `running-${pid}`), month, month);
        }
        utimesSync(join(place, name), month, month);
      }
      mkdirSync(join(place, '0.0.4-recent'));
      rmSync(join(place, current, 'package.json'));
      expect(await help()).toEqual(worked);
      expect(unpacked().sort()).toEqual(['0.0.2-runs', '0.0.4-recent', current]);
    });

    test('records the day of its last start', async () => {
      await help();
      const program = join(place, unpacked()[0] ?? '');
      const week = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000);
      utimesSync(program, week, week);
      await help();
      expect(Date.now() - statSync(program).mtimeMs).toBeLessThan(24 * 60 * 60 * 1000);
    });

    test.skipIf(isRoot.skip)(`runs nothing that another user could have written${isRoot.why}`, async () => {
      await help();
      const program = join(place, unpacked()[0] ?? '');
      chownSync(program, 12_345, 12_345);
      const planted = join(program, 'dist/help.cjs');
      writeFileSync(planted, 'process.exit(3)'.padEnd(statSync(planted).size));
      expect(await help()).toEqual(worked);
      chownSync(place, 12_345, 12_345);
      expect(await help()).toEqual(worked);
      expect(unpacked(join(temporary, 'esign-0'))).toHaveLength(1);
      chownSync(join(temporary, 'esign-0'), 12_345, 12_345);
      const { code, err } = await help();
      expect([code, err]).toEqual([1, expect.stringContaining('belongs to another user (uid 12345)')]);
    });
  });

  const others = Object.keys(FORMATS).filter((target) => target !== TARGET && FULL);
  test.each(others)(
    'is made for %s here as well, with the whole program inside',
    async (target) => {
      const out = mkdtempSync(join(tmpdir(), 'esign-other-'));
      try {
        const words = ['--executables', '--nodes', nodes, '--out', out, '--only', target];
        expect(await run(process.execPath, [join(root, 'scripts/release.js'), ...words])).toMatchObject({
          err: '',
        });
        const [name = ''] = readdirSync(join(out, target)).filter((file) => /^esign/.test(file));
        const bytes = readFileSync(join(out, target, name));
        const [magic, place, machine] = FORMATS[target] ?? ['', 0, 0];
        const at = place < 0 ? bytes.readUInt32LE(0x3c) + 4 : place;
        expect([bytes.toString('latin1', 0, magic.length), bytes.readUInt16LE(at)]).toEqual([magic, machine]);
        const program = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0x02]));
        const unpacked = inflateRawSync(bytes.subarray(program + 10));
        expect(unpacked.includes(readFileSync(join(root, 'dist/main.cjs')))).toBe(true);
        // The library of the keyring is the one of that system.
        const library = unpacked.indexOf(
          magic === 'MZ' ? 'This program cannot be run' : Buffer.from(magic, 'latin1'),
        );
        expect(library).toBeGreaterThan(0);
      } finally {
        rmSync(out, { recursive: true, force: true });
      }
    },
    120_000,
  );

  const postgres = needsPostgres();
  test.skipIf(postgres.skip)(
    `serves a team with several workers${postgres.why}`,
    async () => {
      const team = await prepareTeamDatabase();
      const node = await startTeamNode(team.env, ['--workers', '2'], undefined, executable);
      try {
        const workers = await run('ps', ['-o', 'args=', '--ppid', `${node.pid}`]);
        expect(workers.out.match(/^\S+\/esign __program esign\.js serve /gm)).toHaveLength(2);
        const answer = await fetch(`${node.url}/v1/transaction`, {
          method: 'POST',
          headers: { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' },
          body: '{"name":"Agreement"}',
        });
        expect(answer.status).toBe(201);
        expect(await node.stop()).toBe(143);
      } finally {
        await node.kill();
        await team.close();
      }
    },
    60_000,
  );

  const chroot = unmet(isRoot, needsMount(), needsCommand('unshare'), needsCommand('curl'));
  describe.skipIf(chroot.skip)(`on a system without Node${chroot.why}`, () => {
    let system: string;
    let served: ServedRelease;

    beforeAll(async () => {
      system = mkdtempSync(join(tmpdir(), 'esign-system-'));
      await makeSystem(system);
      cpSync(join(root, 'scripts/install.sh'), join(release, 'install.sh'));
      for (const name of ['contract.pdf', 'fields.docx'])
        cpSync(join(root, 'test/fixtures', name), join(system, 'home/ada', name));
      served = await serveRelease(release, version);
    }, 120_000);
    afterAll(async () => {
      await served?.close();
      rmSync(system, { recursive: true, force: true });
    });
    beforeEach(() => served.restore());

    /** Runs lines of a shell as the user of the system. */
    const inside = (lines: string): Promise<Ran> =>
      run(
        'unshare',
        [
          '--mount',
          '--pid',
          '--fork',
          '--kill-child',
          'sh',
          '-ec',
          `mount -t proc proc '${system}/proc'; mount --bind /dev '${system}/dev'; exec chroot --userspec=1000:1000 '${system}' /bin/sh -ec "$1"`,
          'sh',
          lines,
        ],
        {
          cwd: '/',
          env: {
            PATH: '/home/ada/.local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
            HOME: '/home/ada',
            ESIGN_INSTALL_BASE: served.base,
            BASE: served.base,
          },
        },
      );
    const INSTALL = 'cd; curl -fsSL "$BASE/latest/download/install.sh" | sh';

    test('installs nothing when one byte of the checksums is another', async () => {
      const text = readFileSync(join(release, 'checksums.txt'), 'utf8');
      const wrong = text.replace(/^./gm, (digit) => (digit === '0' ? '1' : '0'));
      served.replace('checksums.txt', Buffer.from(wrong));
      const { code, err } = await inside(INSTALL);
      expect([code, err]).toEqual([1, expect.stringContaining('not what checksums.txt says')]);
      expect(existsSync(join(system, 'home/ada/.local'))).toBe(false);
    }, 120_000);

    test('sends, draws, serves, signs and verifies once it is installed', async () => {
      expect((await inside('command -v node || command -v npm')).code).not.toBe(0);
      const installed = await inside(INSTALL);
      expect([installed.code, installed.err]).toEqual([0, '']);
      const { code, out, err } = await inside(`cd
        esign --version
        esign tx send contract.pdf --to 'Ada <ada@example.com>' --json --jq '"status " + .status'
        esign tx preview @ -o pictures >/dev/null
        esign sandbox serve >serve.txt 2>&1 &
        url=$(esign tx show @ --json --jq .url)
        tries=0
        until curl -fsS "$url" >page.html 2>/dev/null; do
          tries=$((tries + 1)); [ $tries -lt 300 ]; sleep 0.1
        done
        kill $!; wait
        esign sandbox sign @ >/dev/null
        esign tx download @ -o signed >/dev/null
        esign verify signed/contract.sealed.pdf
        esign tx send fields.docx --to 'Ada <ada@example.com>' --json --jq '"pages " + (.documents[0].pages | tostring)'
        esign tx preview @ -o pictures >/dev/null`);
      expect([code, err]).toEqual([0, expect.not.stringContaining('error')]);
      expect(out).toContain(`${version}\nstatus started\n`);
      expect(out).toContain('signed/contract.sealed.pdf\tvalid\t');
      expect(out).toContain('pages 1\n');
      expect(readFileSync(join(system, 'home/ada/page.html'), 'utf8')).toContain('contract');
      expect(readdirSync(join(system, 'home/ada/pictures')).sort()).toEqual([
        'contract-1.png',
        'contract-2.png',
        'contract-3.png',
        'fields-1.png',
      ]);
    }, 240_000);
  });
});

const PROGRAMS = [
  ...['cat', 'chmod', 'cp', 'curl', 'cut', 'env', 'gzip', 'id', 'ls', 'mkdir', 'mktemp', 'mv', 'rm', 'sed'],
  ...['sh', 'sha256sum', 'sleep', 'tar', 'uname'],
];
/** What Debian's smallest image has of the libraries of Node. */
const LIBRARIES = [
  'libc.so.6',
  'libdl.so.2',
  'libgcc_s.so.1',
  'libm.so.6',
  'libpthread.so.0',
  'libstdc++.so.6',
];

/** Copies a minimal system of the host's own files: a shell, a few programs, their libraries, and a user. */
async function makeSystem(system: string): Promise<void> {
  for (const path of ['bin', 'dev', 'etc', 'home/ada', 'proc', 'tmp'])
    mkdirSync(join(system, path), { recursive: true });
  chownSync(join(system, 'home/ada'), 1000, 1000);
  writeFileSync(
    join(system, 'etc/passwd'),
    'root:x:0:0::/root:/bin/sh\nada:x:1000:1000::/home/ada:/bin/sh\n',
  );
  writeFileSync(join(system, 'etc/group'), 'root:x:0:\nada:x:1000:\n');
  const { out } = await run(
    'sh',
    [
      '-c',
      `chmod 755 '${system}'; chmod 1777 '${system}/tmp'; for name in ${PROGRAMS.join(' ')}; do command -v $name; done; ldconfig -p`,
    ],
    { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' } },
  );
  const paths = out.split('\n').filter((line) => line.startsWith('/'));
  const libraries = LIBRARIES.flatMap(
    (name) => new RegExp(`^\\s${name.replaceAll('+', '\\+')} .*64.* => (\\S+)$`, 'm').exec(out)?.[1] ?? [],
  );
  for (const path of paths) {
    cpSync(realpathSync(path), join(system, 'bin', basename(path)));
    const { out: needed } = await run('ldd', [path], { env: { PATH: '/usr/bin:/bin' } });
    libraries.push(...[...needed.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library));
  }
  for (const library of new Set(libraries)) {
    mkdirSync(join(system, dirname(library)), { recursive: true });
    cpSync(realpathSync(library), join(system, library));
  }
}
