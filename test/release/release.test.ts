// The release script says what is missing for a release, and makes a tag only when nothing is.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RELEASED } from '../../src/cli/describe/man.ts';
import { SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const need = needsCommand('git');
const [version, date] = Object.entries(RELEASED).at(-1) ?? ['', ''];

let folder: string;

const git = (...words: string[]): string =>
  spawnSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...words], {
    cwd: folder,
    encoding: 'utf8',
  }).stdout;

function commit(changelog: string, formats = [`${version}-0001-tables.txt`]): void {
  const path = join(folder, 'test/fixtures/formats');
  mkdirSync(path, { recursive: true });
  for (const name of formats) writeFileSync(join(path, name), 'x');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));
  for (const name of ['.claude-plugin', '.codex-plugin', '.cursor-plugin', 'skills'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
}

function release(...words: string[]): { code: number | null; out: string; err: string } {
  const ran = spawnSync(process.execPath, [join(root, 'scripts/release.js'), '--in', folder, ...words], {
    encoding: 'utf8',
    env: { ...process.env, GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
  });
  return { code: ran.status, out: ran.stdout, err: ran.stderr };
}

const GOOD = `# Changelog\n\n## ${version} (${date})\n\n- A change.\n`;

describe.skipIf(!SLOW || need.skip)(`a release${need.why}`, () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'esign-release-'));
    git('init', '--quiet');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is only looked at in a dry run, and tagged once', () => {
    commit(GOOD);
    expect(release('--dry-run')).toMatchObject({ code: 0, err: '' });
    expect(git('tag')).toBe('');
    expect(release()).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining(`git push origin v${version}`),
    });
    expect(git('tag')).toBe(`v${version}\n`);
    expect(release('--dry-run')).toMatchObject({ code: 1, err: expect.stringContaining('is there already') });
  });

  test.each([
    ['no section', '# Changelog\n\n## Unreleased\n\n- A change.\n', 'has no section'],
    [
      'an empty section',
      `# Changelog\n\n## ${version} (${date})\n\n## 0.0.1 (2020-01-01)\n\n- Old.\n`,
      'has no section',
    ],
    ['another date', `# Changelog\n\n## ${version} (2020-01-01)\n\n- A change.\n`, 'says 2020-01-01'],
  ])('is refused with %s in the changelog', (_, changelog, said) => {
    commit(changelog);
    expect(release()).toMatchObject({ code: 1, out: '', err: expect.stringContaining(said) });
    expect(git('tag')).toBe('');
  });

  test.each([
    ['none', []],
    ['that of other versions', ['0.0.1-0001-tables.txt', `${version}-rc.1-0001-tables.txt`]],
  ])('is refused where its format is not recorded: %s', (_, formats) => {
    commit(GOOD, formats);
    const said = `The format of ${version} is not recorded: node scripts/record-format.js`;
    expect(release()).toMatchObject({ code: 1, out: '', err: expect.stringContaining(said) });
    expect(git('tag')).toBe('');
  });

  test('is refused while the skill or a plugin has another version', () => {
    commit(GOOD);
    writeFileSync(join(folder, '.codex-plugin/plugin.json'), '{\n  "version": "0.0.1"\n}\n');
    rmSync(join(folder, 'skills'), { recursive: true });
    git('add', '.');
    git('commit', '--quiet', '--message', 'x');
    const { code, err } = release();
    expect(code).toBe(1);
    expect(err.split('\n').filter((line) => line.includes('another version'))).toEqual([
      '- skills/esign/SKILL.md has another version: npm run generate',
      '- .codex-plugin/plugin.json has another version: npm run generate',
    ]);
  });

  test('is refused while something is not committed', () => {
    commit(GOOD);
    appendFileSync(join(folder, 'CHANGELOG.md'), '\n');
    expect(release()).toMatchObject({ code: 1, err: expect.stringContaining('not committed') });
    expect(git('tag')).toBe('');
  });

  test('has the tag of its version', () => {
    commit(GOOD);
    expect(release('--check-tag', `v${version}`).code).toBe(0);
    expect(release('--check-tag', 'v9.9.9')).toMatchObject({
      code: 1,
      err: expect.stringContaining('v9.9.9'),
    });
  });
});
