// `esign tx show --watch` at a terminal: a page that is drawn anew, and lines for a person whose screen reader reads them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAtTerminal } from '../../../support/command-line/at-terminal.ts';
import { runInProcess } from '../../../support/command-line/in-process.ts';
import { createStoryFixture, type StoryFixture } from '../../../support/stories/story.ts';

let fixture: StoryFixture;
let id: string;

beforeAll(async () => {
  fixture = await createStoryFixture();
  ({ id } = JSON.parse((await runInProcess(fixture, ['tx', 'create', '--json'])).out));
});

afterAll(() => fixture.close());

/** Watches a draft until its status was printed. */
async function watchWith(env: Record<string, string>): Promise<string> {
  const watching = runAtTerminal({ ...fixture, env: { ...fixture.env, ...env } }, [
    'tx',
    'show',
    id,
    '--watch',
  ]);
  while (!watching.said.out.includes('draft')) await new Promise((done) => setTimeout(done, 10));
  watching.stop();
  await watching.ended;
  return watching.said.out;
}

test.each(['ACCESSIBLE', 'GH_SPINNER_DISABLED'])('prints a status as a line with %s', async (name) => {
  expect(await watchWith({ [name]: '1', NO_COLOR: '1' })).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ {2}draft\n$/,
  );
});

test('draws a page otherwise', async () => {
  const ESCAPE = '\u001b';
  expect(await watchWith({ NO_COLOR: '1' })).toContain(`${ESCAPE}[H`);
});
