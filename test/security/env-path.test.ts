// Node.js reads options of its own, such as --env-file, from the arguments of any script, and obeys NODE_OPTIONS in the file. The built
// program has to run as a process here, because that happens before its first line.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runInProcess } from '../support/command-line/in-process.ts';
import { run } from '../support/processes/run.ts';
import { createStoryFixture, type StoryFixture } from '../support/stories/story.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

let fixture: StoryFixture;

beforeAll(async () => {
  fixture = await createStoryFixture();
});

afterAll(() => fixture.close());

const esign = (...words: string[]) =>
  run(process.execPath, [PROGRAM, ...words], { cwd: fixture.folder, env: fixture.env });

test.each([
  ['--env-path', 'a.env'],
  ['--env-path=b.env', ''],
  ['-E', 'c.env'],
])('%s %s runs no code that the file names, and keeps it', async (...words) => {
  const name = words.join('').replace(/^.*(?=\w\.env$)/, '');
  const planted = `NODE_OPTIONS=--require=${join(fixture.folder, 'planted.cjs')}\n`;
  await writeFile(join(fixture.folder, 'planted.cjs'), 'process.exit(3)');
  await writeFile(join(fixture.folder, name), planted);
  const { code, err } = await esign('sandbox', 'users', 'password', ...words.filter((word) => word !== ''));
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`Wrote PASSWORD to ${name}.`) });
  expect(await readFile(join(fixture.folder, name), 'utf8')).toMatch(
    /^NODE_OPTIONS=--require=.*\nPASSWORD=.+\n$/,
  );
});

test('a file that does not exist is made', async () => {
  const { code, err } = await esign('sandbox', 'users', 'password', '--env-path', 'new.env');
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('Wrote PASSWORD to new.env.') });
  expect(await readFile(join(fixture.folder, 'new.env'), 'utf8')).toMatch(/^PASSWORD=.+\n$/);
});

test('the name of Node.js is no option, and the hint names ours', async () => {
  const { code, err } = await runInProcess(fixture, ['sandbox', 'users', 'password', '--env-file', 'x.env']);
  expect({ code, err }).toEqual({
    code: 2,
    err: expect.stringMatching(/Unknown option --env-file.*\(option_unknown\)\s+.*--env-path/s),
  });
});
