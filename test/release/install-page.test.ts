// docs/install.md, carried out: its blocks run as they stand there, one user and one machine for all of them. Git and curl find this checkout and a
// release on loopback in the place of GitHub. npm finds nothing in a registry: `npm ci` gets what is installed here, and the packed package is
// put where `npm install --global` puts it; installed.test.ts installs one with npm. The executable is a script: executable.test.ts has the real one.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../support/processes/run.ts';
import { type ServedRelease, serveRelease, writeChecksums } from '../support/servers/release.ts';
import { allCodeBlocks } from '../support/stories/code-blocks.ts';
import { SLOW } from '../support/tier.ts';
import { need, needsCommand, unmet } from '../support/tools.ts';

// Scripts have no types.
const { tarOf } = (await import('../../scripts/archives.js' as string)) as {
  tarOf(files: { name: string; bytes: Buffer; isProgram: boolean }[]): Buffer;
};

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const blocks = allCodeBlocks(readFileSync(join(root, 'docs/install.md'), 'utf8'));
const blockWith = (words: string): string =>
  blocks.find(({ code }) => code.includes(words))?.code ?? `echo 'There is no block with ${words}.'; exit 1`;

const tools = unmet(
  need('this system is not Linux', () => process.platform === 'linux'),
  needsCommand('git'),
  needsCommand('curl'),
);

describe.skipIf(!SLOW || tools.skip)(`docs/install.md${tools.why}`, () => {
  let folder: string;
  let home: string;
  let served: ServedRelease;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'esign-install-page-'));
    home = join(folder, 'home');
    const [bin, release] = [join(folder, 'bin'), join(folder, 'release')];
    for (const path of [home, bin, release]) mkdirSync(path);
    const program = `#!/bin/sh\nmkdir -p "$HOME/.cache/esign/program"\necho ${version}\n`;
    const files = [{ name: 'esign', bytes: Buffer.from(program), isProgram: true }];
    // The page names the archive for x64; the installer takes that of this machine.
    for (const processor of new Set(['x64', process.arch]))
      writeFileSync(join(release, `esign-v${version}-linux-${processor}.tar.gz`), gzipSync(tarOf(files)));
    writeChecksums(release);
    copyFileSync(join(root, 'scripts/install.sh'), join(release, 'install.sh'));
    served = await serveRelease(release, version);
    const script = (name: string, text: string) =>
      writeFileSync(join(bin, name), `#!/bin/bash\nset -eu\n${text}`, { mode: 0o755 });
    const [curl, npm] = await Promise.all(['curl', 'npm'].map(pathOf));
    script(
      'curl',
      `exec '${curl}' "\${@//https:\\/\\/github.com\\/esign-cli\\/esign\\/releases/${served.base.replaceAll('/', '\\/')}}"\n`,
    );
    script(
      'npm',
      `case "$*" in
  ci) ln -s '${root}node_modules' node_modules; cp -r '${root}dist' dist ;;
  pack) exec '${npm}' pack --ignore-scripts ;;
  'install --global '*.tgz)
    package=$HOME/.npm-global/lib/node_modules/@esign-cli/esign
    mkdir -p "$package" "$HOME/.npm-global/bin"
    tar -xzf "$3" --strip-components=1 -C "$package"
    ln -s '${root}node_modules' "$package/node_modules"
    chmod +x "$package/bin/esign.js"
    ln -s "$package/bin/esign.js" "$HOME/.npm-global/bin/esign" ;;
  *) echo "unexpected: npm $*" >&2; exit 1 ;;
esac
`,
    );
  });
  afterAll(async () => {
    await served?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const pathOf = async (name: string): Promise<string> =>
    (await run('sh', ['-c', `command -v ${name}`])).out.trim();

  /** Runs lines in a fresh folder of the user. @returns what they printed */
  async function succeeds(lines: string): Promise<string> {
    const ran = await run('bash', ['-c', `set -eu -o pipefail\n${lines}`], {
      cwd: mkdtempSync(join(home, 'work-')),
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        HOME: home,
        // The installer asks for nothing but HTTPS, unless it is told where the releases are.
        ESIGN_INSTALL_BASE: served.base,
        GIT_CONFIG_COUNT: '2',
        GIT_CONFIG_KEY_0: `url.file://${root}.insteadOf`,
        GIT_CONFIG_VALUE_0: 'https://github.com/esign-cli/esign',
        GIT_CONFIG_KEY_1: 'safe.directory',
        GIT_CONFIG_VALUE_1: '*',
      },
    });
    expect(ran, `${lines}\n${ran.out}${ran.err}`).toMatchObject({ code: 0 });
    return ran.out;
  }

  const installed = () => join(home, '.local/bin/esign');

  test('installs from a clone', async () => {
    await succeeds(blockWith('git clone'));
    expect(await succeeds('~/.npm-global/bin/esign --version')).toBe(`${version}\n`);
    expect(await succeeds('~/.npm-global/bin/esign --help')).toContain('CORE COMMANDS');
  });

  test.each([
    ['the newest executable', 'latest/download/install.sh'],
    ['the executable of a version', 'VERSION='],
  ])('installs %s, which is removed as the page says', async (_, words) => {
    expect(await succeeds(blockWith(words))).toContain(`esign ${version} is in ${installed()}`);
    expect(await succeeds('~/.local/bin/esign --version')).toBe(`${version}\n`);
    await succeeds(blockWith('rm ~/.local/bin/esign'));
    expect([existsSync(installed()), existsSync(join(home, '.cache/esign'))]).toEqual([false, false]);
  });

  test('unpacks an executable that is downloaded and checked by hand', async () => {
    const code = blockWith('sha256sum --check');
    expect(await succeeds(`${code}\n./esign --version; ls`)).toMatch(
      /: OK\n[\s\S]*^checksums\.txt\nesign\n/m,
    );
  });

  test('unpacks nothing by hand where the archive is another one', async () => {
    const name = `esign-v${version}-linux-x64.tar.gz`;
    served.replace(name, Buffer.from('another'));
    const before = readdirSync(home);
    await expect(succeeds(blockWith('sha256sum --check'))).rejects.toThrow('FAILED');
    served.restore();
    const [work = ''] = readdirSync(home).filter((entry) => !before.includes(entry));
    expect(readdirSync(join(home, work))).not.toContain('esign');
  });
});
