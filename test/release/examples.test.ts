// The example projects for `@esign-cli/esign/testing`: those whose runner is installed here are run, with the package as it was built.
// `.ci/examples` runs all of them with the packed package.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, shareOf } from '../support/tier.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'test/examples');
const projects = readdirSync(EXAMPLES).filter((name) => name !== 'program');
const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8');
const textOf = (project: string): string => readFileSync(join(EXAMPLES, project, 'lease.test.js'), 'utf8');

test('docs/testing.md lists every example project, and no other', () => {
  const listed = [...page.matchAll(/^\|.*\| \[`test\/examples\/([\w-]+)\/`\]/gm)].map(([, name]) => name);
  expect(listed.length).toBeGreaterThan(5);
  expect(listed.sort()).toEqual(projects);
});

test('docs/testing.md shows the example for node:test as it is', () => {
  expect(/^```js\n([\s\S]*?)^```$/m.exec(page)?.[1]).toBe(textOf('node-test'));
});

test.each(projects)('the project %s names its runner in an exact version', (project) => {
  const described = JSON.parse(readFileSync(join(EXAMPLES, project, 'package.json'), 'utf8'));
  expect(described).toMatchObject({ private: true, scripts: { test: expect.any(String) } });
  expect(
    Object.values(described.devDependencies ?? {}).filter((v) => !/^\d+\.\d+\.\d+$/.test(`${v}`)),
  ).toEqual([]);
});

/** Copies what the package contains into node_modules, so that runners take it for an installed package. */
function install(folder: string): void {
  const installed = join(folder, 'node_modules/@esign-cli/esign');
  mkdirSync(installed, { recursive: true });
  const { files, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const name of ['package.json', ...files.filter((name: string) => !name.startsWith('!'))])
    cpSync(join(ROOT, name), join(installed, name), { recursive: true });
  for (const name of [...Object.keys(dependencies), '@photostructure/sqlite', 'vitest']) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(join(link, '..'), { recursive: true });
    if (existsSync(join(ROOT, 'node_modules', name))) symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}

const RUNNERS = {
  vitest: [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--testTimeout=60000',
    '--reporter=tap-flat',
    '--no-color',
  ],
  'node-test': ['--test', '--test-reporter=tap'],
};

test.skipIf(!SLOW).each(shareOf(Object.entries(RUNNERS), 2))(
  'the tests of the project %s pass, and one fails if the lease has a day left',
  async (project, words) => {
    const folder = await temporaryFolder();
    for (const from of [join(EXAMPLES, 'program'), join(EXAMPLES, project)])
      cpSync(from, folder, { recursive: true });
    cpSync(join(ROOT, 'test/fixtures/contract.pdf'), join(folder, 'contract.pdf'));
    install(folder);
    const { PATH = '' } = process.env;
    const run = () =>
      spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env: { PATH, HOME: folder } });
    const countOf = (result: 'ok' | 'not ok', { stdout }: { stdout: string }) =>
      [...stdout.matchAll(new RegExp(`^${result} `, 'gm'))].length;
    const tests = [...textOf(project).matchAll(/^test\(/gm)].length;
    const passed = run();
    expect([passed.status, countOf('ok', passed), countOf('not ok', passed)]).toEqual([0, tests, 0]);
    writeFileSync(join(folder, 'lease.test.js'), textOf(project).replace("advance('15d')", "advance('13d')"));
    const failed = run();
    expect([failed.status, countOf('ok', failed), countOf('not ok', failed)]).toEqual([1, tests - 1, 1]);
  },
);
