// The man pages as two formatters read them.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { describeTree } from '../../src/cli/describe/describe.ts';
import { TOPICS } from '../../src/cli/describe/topics.ts';
import { TREE } from '../../src/cli/tree.ts';
import { createStoryFixture } from '../support/stories/story.ts';
import { sampleOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';
import { runShell } from './shells.ts';
import { everyPath } from './tree.ts';

const folder = fileURLToPath(new URL('../../man/', import.meta.url));
const pages = readdirSync(folder);
const mandoc = needsCommand('mandoc');
const man = needsCommand('man');

async function said(command: readonly string[]) {
  const fixture = await createStoryFixture();
  try {
    return await runShell(fixture, command);
  } finally {
    await fixture.close();
  }
}

test('one for each command, group and topic', () => {
  const wanted = [
    ...everyPath().map((path) => `${['esign', ...path].join('-')}.1`),
    ...TOPICS.map(({ page, section }) => `${page}.${section}`),
  ];
  expect([...pages].sort()).toEqual([...wanted].sort());
});

test('every option, example and shape stands in its page', async () => {
  for (const { path, options, examples, json } of await describeTree(TREE)) {
    const page = readFileSync(`${folder}esign-${path.join('-')}.1`, 'utf8')
      .replace(/\\c\n\\ /g, ' ')
      .replace(/\n/g, ' ')
      .replace(/\\-/g, '-')
      .replace(
        /\\\((..)/g,
        (_, name: string) => ({ dq: '"', aq: "'", ga: '`', ha: '^', ti: '~' })[name] ?? '',
      )
      .replace(/\\\[u([0-9A-F]+)\]/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/\\f[BR]/g, '`');
    for (const { name } of options) expect(page).toContain(`--${name}`);
    for (const { line } of examples) expect(page).toContain(line);
    expect(page).toContain(json);
    for (const title of [
      'NAME',
      'SYNOPSIS',
      'DESCRIPTION',
      'JSON OUTPUT',
      'EXIT STATUS',
      'EXAMPLES',
      'SEE ALSO',
    ])
      expect(page).toContain(`.SH ${title} `);
  }
});

test.skipIf(mandoc.skip)(`mandoc has nothing to say${mandoc.why}`, async () => {
  const { out, err, code } = await said(['mandoc', '-T', 'lint', ...pages.map((page) => folder + page)]);
  expect([out, err, code]).toEqual(['', '', 0]);
});

test.skipIf(man.skip)(`man warns of nothing${man.why}`, async () => {
  const isTopic = (page: string) => /[57]$/.test(page);
  const some = [
    ...pages.filter(isTopic),
    ...sampleOf(
      pages.filter((page) => !isTopic(page)),
      8,
    ),
  ];
  const { out, err } = await said([
    'man',
    '--warnings',
    '-E',
    'UTF-8',
    '-l',
    ...some.map((page) => folder + page),
  ]);
  expect(err).toBe('');
  expect(out).toContain('esign-config');
});

test('no page refers to one that is not there', () => {
  for (const page of pages) {
    const text = readFileSync(folder + page, 'utf8').replace(/\\-/g, '-');
    for (const [, name, section] of text.matchAll(/\b(esign[a-z-]*)\((\d)\)/g))
      expect([page, pages.includes(`${name}.${section}`) ? '' : name]).toEqual([page, '']);
  }
});
