// TAB in zsh: the function with compadd and its like in the hand of the test, and the real ones at a terminal.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand, type StoryFixture } from '../support/stories/story.ts';
import { FULL, SLOW } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';
import { askZsh, HOSTILE, openHostileFixture, typeInto, wasRun } from './shells.ts';
import { everyPlace, someOf } from './tree.ts';

const { skip, why } = needsCommand('zsh');
const terminal = needsCommand('script');

const COMPINIT = 'autoload -Uz compinit; compinit -u -d "$HOME/.zcompdump"';
const SOURCE = '. "$SCRIPTS/_esign"';

/** How the function may come into a shell; typing below begins with the second. */
const LOADED: [string, string[]][] = [
  ['sourced after compinit', [COMPINIT, SOURCE]],
  ['sourced before compinit', [SOURCE, COMPINIT]],
  ['a file of fpath', ['fpath=("$SCRIPTS" $fpath)', COMPINIT]],
];

describe.skipIf(skip)(`zsh${why}`, () => {
  let fixture: StoryFixture;
  beforeAll(async () => {
    fixture = await openHostileFixture();
  });
  afterAll(() => fixture.close());

  test(`${FULL ? 'every command' : 'commands'} and their options`, async () => {
    const places = someOf(await everyPlace());
    const answers = await askZsh(
      fixture,
      places.map(({ words }) => ['esign', ...words]),
    );
    for (const [index, { words, offers }] of places.entries())
      expect([words, answers[index]]).toEqual([words, offers]);
  });

  test('values and files where they belong; nothing that is typed or named is evaluated', async () => {
    const answers = await askZsh(fixture, [
      ['esign', 'tx', 'show', ''],
      ['esign', '--profile=a'],
      ['esign', 'sandbox', 'sign', 'tx-1', '--as', ''],
      ['esign', 'tx', 'send', ''],
      ['esign', 'tx', 'nosuch', ''],
      ...HOSTILE.slice(0, SLOW ? undefined : 6).map((word) => ['esign', 'tx', 'show', word, word]),
    ]);
    expect(answers.slice(0, 5)).toEqual([
      ['tx-1', ...[...HOSTILE].reverse()],
      ['acme', 'sandbox'],
      ['ada@example.com'],
      ['files '],
      [],
    ]);
    expect(await wasRun(fixture)).toBe(false);
  });

  test.skipIf(terminal.skip)(`typed at a terminal${terminal.why}`, async () => {
    const typed = await typeInto(
      fixture,
      'zsh',
      [
        'esign tx sho\ttx-1\t',
        'esign tx show \\$\\(\t',
        "esign tx show '$(\t",
        'esign tx show it\t',
        'esign tx send my\\ fi\t',
        'esign tx update --from=my\\ fi\t',
        'esign --profile=ac\t',
        'esign sandbox token --scope transaction:r\t',
      ],
      [SOURCE, COMPINIT],
    );
    expect(typed).toEqual([
      '<tx><show><tx-1>',
      '<tx><show><$(touch PWNED)>',
      '<tx><show><$(touch PWNED)>',
      "<tx><show><it's>",
      '<tx><send><my file.pdf>',
      '<tx><update><--from=my file.pdf>',
      '<--profile=acme>',
      '<sandbox><token><--scope><transaction:read>',
    ]);
    expect(await wasRun(fixture)).toBe(false);
  });

  test.skipIf(terminal.skip).each(['', COMPINIT])(
    'installed for good, where .zshrc had: %s',
    async (before) => {
      await writeFile(join(fixture.folder, '.zshrc'), `${before}\n`);
      expect(await runCommand(fixture, 'esign completion zsh --install --yes')).toMatchObject({ code: 0 });
      const typed = await typeInto(fixture, 'zsh', ['esign tx sho\ttx-1\t'], ['. "$HOME/.zshrc"']);
      expect(typed).toEqual(['<tx><show><tx-1>']);
    },
  );

  test.skipIf(terminal.skip).each(SLOW ? LOADED : LOADED.slice(0, 1))('%s', async (_, setup) => {
    expect(await typeInto(fixture, 'zsh', ['esign tx sho\ttx-1\t'], setup)).toEqual(['<tx><show><tx-1>']);
  });
});
