// What is published beside the executables: archives, the list of components, formulas. Scripts have no types.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { run } from '../support/processes/run.ts';
import { needsCommand } from '../support/tools.ts';

type Files = { name: string; bytes: Buffer; isProgram: boolean }[];
const { tarOf, zipOf } = (await import('../../scripts/archives.js' as string)) as {
  tarOf(files: Files): Buffer;
  zipOf(files: Files): Uint8Array;
};
const { formulasOf } = (await import('../../scripts/formulas.js' as string)) as {
  formulasOf(version: string, checksums: string): Record<string, string>;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'esign-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('archives', () => {
  const files = (): Files => [
    { name: 'LICENSE', bytes: Buffer.from('MIT'), isProgram: false },
    { name: 'esign', bytes: Buffer.alloc(1025, 'x'), isProgram: true },
  ];
  const tar = needsCommand('tar');

  test('are the same bytes for the same files', () => {
    expect(tarOf(files()).equals(tarOf(files()))).toBe(true);
    expect(Buffer.from(zipOf(files())).equals(Buffer.from(zipOf(files())))).toBe(true);
  });

  test.skipIf(tar.skip)(`are unpacked by tar, and only the program may be run${tar.why}`, () => {
    writeFileSync(join(folder, 'a.tar.gz'), gzipSync(tarOf(files())));
    expect(spawnSync('tar', ['-xzf', 'a.tar.gz'], { cwd: folder }).status).toBe(0);
    expect(files().every(({ name, bytes }) => readFileSync(join(folder, name)).equals(bytes))).toBe(true);
    expect(['LICENSE', 'esign'].map((name) => statSync(join(folder, name)).mode & 0o111)).toEqual([0, 0o111]);
  });

  test('for Windows have the same files', () => {
    const entries = Object.entries(unzipSync(zipOf(files())));
    expect(entries.map(([name, bytes]) => [name, bytes.length])).toEqual(
      files().map(({ name, bytes }) => [name, bytes.length]),
    );
  });
});

describe('formulas', () => {
  const TARGETS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'windows-x64'];
  const hashOf = (target: string) => createHash('sha256').update(target).digest('hex');
  const nameOf = (target: string) =>
    `esign-v1.2.0-${target}.${target.startsWith('windows') ? 'zip' : 'tar.gz'}`;
  const lines = TARGETS.map((target) => `${hashOf(target)}  ${nameOf(target)}\n`);
  const addressOf = (target: string) =>
    `https://github.com/esign-cli/esign/releases/download/v1.2.0/${nameOf(target)}`;
  const formulas = formulasOf('1.2.0', lines.join(''));

  test('name each archive with the hash of checksums.txt', () => {
    const homebrew = formulas['esign.rb'] ?? '';
    const pairs = [...homebrew.matchAll(/url "(.*)"\n\s+sha256 "(.*)"/g)].map(([, url, hash]) => [url, hash]);
    expect(pairs.sort()).toEqual(TARGETS.slice(0, 4).map((target) => [addressOf(target), hashOf(target)]));
    const scoop = JSON.parse(formulas['esign.scoop.json'] ?? '');
    expect(scoop.architecture['64bit']).toEqual({
      url: addressOf('windows-x64'),
      hash: hashOf('windows-x64'),
    });
    expect(scoop).toMatchObject({ version: '1.2.0', license: 'MIT', bin: 'esign.exe' });
    expect(scoop.autoupdate.architecture['64bit'].url).not.toContain('1.2.0');
    const installer = parse(formulas['EsignCli.Esign.installer.yaml'] ?? '');
    expect(installer.Installers).toEqual([
      {
        Architecture: 'x64',
        InstallerUrl: addressOf('windows-x64'),
        InstallerSha256: hashOf('windows-x64').toUpperCase(),
      },
    ]);
  });

  test('for WinGet are three manifests of one version', () => {
    const manifests = Object.entries(formulas).filter(([name]) => name.endsWith('.yaml'));
    const described = manifests.map(([, text]) => parse(text));
    expect(described.map(({ ManifestType }) => ManifestType).sort()).toEqual([
      'defaultLocale',
      'installer',
      'version',
    ]);
    for (const manifest of described)
      expect(manifest).toMatchObject({
        PackageIdentifier: 'EsignCli.Esign',
        PackageVersion: '1.2.0',
        ManifestVersion: '1.10.0',
      });
  });

  test.each(TARGETS)('are not made without the archive of %s', (target) => {
    const others = lines.filter((line) => !line.includes(target)).join('');
    expect(() => formulasOf('1.2.0', others)).toThrow(nameOf(target));
  });
});

describe('dist/bom.json', () => {
  const bom = JSON.parse(read('dist/bom.json'));
  const described = JSON.parse(read('package.json'));
  const names: string[] = bom.components.map(({ group, name }: { group?: string; name: string }) =>
    group ? `${group}/${name}` : name,
  );

  test('is CycloneDX 1.6, as far as its schema requires anything of these entries', () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(bom.metadata.component).toMatchObject({
      type: 'application',
      name: 'esign',
      version: described.version,
    });
    for (const { type, purl, version, licenses, hashes, ...component } of bom.components) {
      expect([type, component['bom-ref']]).toEqual(['library', purl]);
      expect(purl).toMatch(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@\d/);
      expect(purl.endsWith(`@${version}`)).toBe(true);
      expect(licenses).toEqual([
        expect.toSatisfy(
          ({ license, expression }) =>
            /^[\w.-]+$/.test(license?.id ?? '') || / (OR|AND) /.test(expression ?? ''),
        ),
      ]);
      for (const { alg, content } of hashes ?? [])
        expect([alg, content]).toEqual(['SHA-512', expect.stringMatching(/^[0-9a-f]{128}$/)]);
    }
  });

  test('names each component once, and what depends on it', () => {
    const refs: string[] = bom.components.map((component: { 'bom-ref': string }) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    const [first, ...others] = bom.dependencies;
    expect([first.ref, first.dependsOn]).toEqual([bom.metadata.component['bom-ref'], refs]);
    expect(others.map(({ ref }: { ref: string }) => ref)).toEqual(refs);
  });

  test('has the packages in the bundles and those beside them, and no tool of development', () => {
    const notices = [...read('dist/THIRD-PARTY-NOTICES.txt').matchAll(/^-{80}\n\n(\S+) \d/gm)].map(
      ([, name]) => name,
    );
    const beside = Object.keys({ ...described.dependencies, ...described.optionalDependencies });
    const installed = beside.filter((name) => existsSync(join(root, 'node_modules', name)));
    expect([...new Set(names)].sort()).toEqual([...new Set([...notices, ...installed])].sort());
    expect(names).not.toContain('vitest');
  });
});

describe('the workflow of a release', () => {
  type Step = { run?: string; uses?: string; with?: Record<string, string> };
  type Job = { needs?: string | string[]; steps: Step[] };
  const { jobs } = parse(read('.github/workflows/publish.yml')) as { jobs: Record<string, Job> };
  const stepsOf = (job: string) => jobs[job]?.steps ?? [];

  test('publishes only what every system has started and what passed everything', () => {
    expect(jobs.release?.needs).toEqual(['check', 'macos', 'windows', 'linux-arm64']);
    expect(jobs.image?.needs).toBe('release');
    expect(jobs.publish?.needs).toEqual(['release', 'image']);
  });

  test('signs for macOS before it computes the checksums, and states where each file was built', () => {
    expect(stepsOf('macos').some(({ run }) => run?.includes('codesign --force --sign -'))).toBe(true);
    const steps = stepsOf('release');
    const at = (found: (step: Step) => boolean) => steps.findIndex(found);
    const archives = at(({ run }) => run === 'npm run release -- --archives --out release');
    const statement = at(({ uses }) => uses?.startsWith('actions/attest-build-provenance@') === true);
    expect(archives).toBeGreaterThan(at(({ run }) => run?.includes('signed.tar') === true));
    expect(statement).toBeGreaterThan(archives);
    expect(steps[statement]?.with).toEqual({ 'subject-checksums': 'release/checksums.txt' });
    expect(at(({ run }) => run?.includes('gh release upload') === true)).toBeGreaterThan(statement);
  });

  const git = needsCommand('git');
  describe.skipIf(git.skip)(`offers the release to Homebrew and Scoop${git.why}`, () => {
    const script = stepsOf('taps')[0]?.run ?? '';
    const REPOSITORIES = ['homebrew-tap', 'scoop-bucket'];
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];

    /** Runs the step where repositories of this machine stand for those of GitHub, and the release has a file for each name. */
    async function offer(tag: string, token = 'token') {
      const bin = join(folder, 'bin');
      mkdirSync(bin, { recursive: true });
      writeFileSync(
        join(bin, 'gh'),
        '#!/bin/sh\n[ "$1" = auth ] || { [ "$3" = "$GITHUB_REF_NAME" ] && echo "$7 of $3" > "$9"; }\n',
        { mode: 0o755 },
      );
      const env = {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        GITHUB_REF_NAME: tag,
        GH_TOKEN: token,
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.file://${folder}/origin/.insteadOf`,
        GIT_CONFIG_VALUE_0: 'https://github.com/esign-cli/',
      };
      const job = mkdtempSync(join(folder, 'job-'));
      return run('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: job, env });
    }
    const inRepository = async (name: string, ...words: string[]) =>
      (await run('git', ['-C', join(folder, 'origin', name), ...words])).out;
    const commits = (name: string) => inRepository(name, 'log', '--format=%s');

    beforeEach(async () => {
      for (const name of REPOSITORIES) {
        const [origin, first] = [join(folder, 'origin', name), join(folder, `first-${name}`)];
        await run('git', ['init', '--quiet', '--bare', origin]);
        await run('git', ['clone', '--quiet', origin, first]);
        await run('git', ['-C', first, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'first']);
        await run('git', ['-C', first, 'push', '--quiet', 'origin', 'HEAD']);
      }
    });

    test('with one commit, also where the job runs again', async () => {
      for (let times = 0; times < 2; times += 1) expect(await offer('v1.2.0')).toMatchObject({ code: 0 });
      for (const name of REPOSITORIES) expect(await commits(name)).toBe('esign 1.2.0\nfirst\n');
      expect(await inRepository('homebrew-tap', 'show', 'HEAD:Formula/esign.rb')).toBe(
        'esign.rb of v1.2.0\n',
      );
      expect(await inRepository('scoop-bucket', 'show', 'HEAD:bucket/esign.json')).toBe(
        'esign.scoop.json of v1.2.0\n',
      );
    });

    test.each([
      ['a prerelease', 'v1.2.0-rc.1', 'token'],
      ['a workflow without the token', 'v1.2.0', ''],
    ])('but not %s', async (_, tag, token) => {
      const { code, out } = await offer(tag, token);
      expect([code, out]).toEqual([0, expect.stringContaining('::notice::')]);
      for (const name of REPOSITORIES) expect(await commits(name)).toBe('first\n');
    });
  });

  test('checks the signatures of the packages that are bundled', () => {
    expect(stepsOf('executables').some(({ run }) => run === 'npm audit signatures')).toBe(true);
  });
});

describe('workflows', () => {
  const workflows = readdirSync(join(root, '.github/workflows'));
  type Update = { 'package-ecosystem': string };

  test.each(workflows)('in %s use actions by their commit, with the version beside it', (name) => {
    const used = read(`.github/workflows/${name}`).match(/^ *(?:- )?uses:.*$/gm) ?? [];
    expect(used).not.toEqual([]);
    for (const line of used) expect(line).toMatch(/ uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('use one commit of each action', () => {
    const used = workflows.flatMap((name) => read(`.github/workflows/${name}`).match(/uses: .*$/gm) ?? []);
    const names = new Set(used.map((line) => line.replace(/@.*/, '')));
    expect(new Set(used).size).toBe(names.size);
  });

  test('and the Dockerfile are kept current by Dependabot', () => {
    const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] };
    const ecosystems = updates.map((update) => update['package-ecosystem']);
    expect(ecosystems).toEqual(['npm', 'github-actions', 'docker']);
  });
});

describe('the script for executables', () => {
  const release = (...words: string[]) => {
    const ran = spawnSync(process.execPath, [join(root, 'scripts/release.js'), ...words], {
      encoding: 'utf8',
    });
    return { code: ran.status, out: ran.stdout, err: ran.stderr };
  };

  test.each<[string, string[], string]>([
    [
      'says which Node is missing',
      ['--executables', '--nodes', 'NODES', '--out', 'OUT'],
      join('NODES', `${process.platform}-${process.arch}`),
    ],
    ['wants the folder of Nodes', ['--executables', '--out', 'OUT'], '--nodes DIR is missing'],
    ['wants a folder to write to', ['--archives'], '--out DIR is missing'],
    [
      'knows its targets',
      ['--executables', '--nodes', 'NODES', '--out', 'OUT', '--only', 'beos-x64'],
      'There is no target beos-x64',
    ],
    ['packs nothing where there is nothing', ['--archives', '--out', 'OUT'], 'There is no executable in'],
  ])('%s', (_, words, why) => {
    const at = (word: string) =>
      word.replace('NODES', join(folder, 'nodes')).replace('OUT', join(folder, 'out'));
    mkdirSync(join(folder, 'out'));
    const { code, out, err } = release(...words.map(at));
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(at(why))]);
    expect(readdirSync(join(folder, 'out'))).toEqual([]);
  });
});

const tar = needsCommand('tar');
test.skipIf(tar.skip)(`Node is fetched only when it is what SHASUMS256.txt says${tar.why}`, async () => {
  const name = 'node-v1.2.3-linux-x64.tar.gz';
  mkdirSync(join(folder, 'node/bin'), { recursive: true });
  writeFileSync(join(folder, 'node/bin/node'), 'program');
  writeFileSync(join(folder, 'node/LICENSE'), 'MIT');
  spawnSync('tar', ['-czf', name, 'node'], { cwd: folder });
  const archive = readFileSync(join(folder, name));
  let sums = `${createHash('sha256').update(archive).digest('hex')}  ${name}\n`;
  const server = createServer(({ url }, response) => {
    response.end(url === '/v1.2.3/SHASUMS256.txt' ? sums : url === `/v1.2.3/${name}` ? archive : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    ...process.env,
    ESIGN_NODE_VERSION: '1.2.3',
    ESIGN_NODE_BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const fetchTo = (target: string) =>
    run(process.execPath, [join(root, 'scripts/fetch-nodes.js'), join(folder, target), 'linux-x64'], { env });
  try {
    expect(await fetchTo('good')).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'good/linux-x64/node'), 'utf8')).toBe('program');
    sums = sums.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    expect(await fetchTo('bad')).toMatchObject({
      code: 1,
      err: expect.stringContaining('SHASUMS256.txt says'),
    });
    sums = '';
    expect(await fetchTo('none')).toMatchObject({ code: 1, err: expect.stringContaining('has no line for') });
    for (const target of ['bad', 'none']) expect(readdirSync(join(folder, target, 'linux-x64'))).toEqual([]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
