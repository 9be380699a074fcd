// TAB in fish, asked by `complete -C`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoryFixture } from '../support/stories/story.ts';
import { FULL, SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';
import { askFish, HOSTILE, openHostileFixture, wasRun } from './shells.ts';
import { everyPlace, someOf } from './tree.ts';

const { skip, why } = needsCommand('fish');

describe.skipIf(skip)(`fish${why}`, () => {
  let fixture: StoryFixture;
  beforeAll(async () => {
    fixture = await openHostileFixture();
  });
  afterAll(() => fixture.close());

  test(`${FULL ? 'every command' : 'commands'} and their options`, async () => {
    const places = someOf(await everyPlace());
    const answers = await askFish(
      fixture,
      places.map(({ words }) => ['esign', ...words].join(' ')),
    );
    for (const [index, { words, offers }] of places.entries())
      expect([words, answers[index]]).toEqual([words, offers]);
  });

  test('values and files where they belong; nothing that is typed or named is evaluated', async () => {
    const answers = await askFish(fixture, [
      'esign tx show ',
      'esign --profile=a',
      'esign sandbox sign tx-1 --as ',
      'esign tx send my',
      'esign tx send "my fi',
      'esign tx update --from=my',
      'esign tx nosuch ',
      ...HOSTILE.slice(0, SLOW ? undefined : 6).map((word) => `esign tx show ${word} `),
    ]);
    expect(answers.slice(0, 7)).toEqual([
      ['tx-1', ...[...HOSTILE].reverse()],
      ['--profile=acme'],
      ['ada@example.com'],
      ['my file.pdf', 'my folder/'],
      ['my file.pdf'],
      ['--from=my file.pdf', '--from=my folder/'],
      [],
    ]);
    expect(await wasRun(fixture)).toBe(false);
  });
});
