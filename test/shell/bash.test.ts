// TAB in bash: the script in a real bash, asked many lines in one process, and typed at a terminal.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completionData } from '../../src/cli/describe/completion-data.ts';
import { answerShell } from '../../src/cli/shell-completion/answer.ts';
import { createKnownOffers } from '../../src/cli/shell-completion/complete.ts';
import { TREE } from '../../src/cli/tree.ts';
import { runCommand, type StoryFixture } from '../support/stories/story.ts';
import { FULL, SLOW, sampleOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';
import {
  askBash,
  HOSTILE,
  keepProfiles,
  openFixtureWith,
  runShell,
  seen,
  typeInto,
  UNSPEAKABLE,
  wasRun,
} from './shells.ts';
import { everyPlace, someOf } from './tree.ts';

const { skip, why } = needsCommand('bash');
const terminal = needsCommand('script');

describe.skipIf(skip)(`bash${why}`, () => {
  let fixture: StoryFixture;
  beforeAll(async () => {
    fixture = await openFixtureWith([
      ...[...HOSTILE, ...UNSPEAKABLE].map((id) => seen(id, { name: id })),
      seen('tx-1', { people: ['ada@example.com', 'grace@example.com'] }),
      seen('tx-2', { people: ['alan@example.com'] }),
      seen('template-1', { kind: 'template', name: 'Lease' }),
      seen('webhook-1', { kind: 'webhook' }),
      seen('elsewhere', { service: 'https://api.example.com' }),
    ]);
    await keepProfiles(fixture, {
      acme: { base_url: 'https://api.acme.example' },
      'two words': { base_url: 'https://two.example' },
    });
  });
  afterAll(() => fixture.close());

  test(`${FULL ? 'every command' : 'commands'} and their options`, async () => {
    const places = someOf(await everyPlace());
    const answers = await askBash(
      fixture,
      places.map(({ words }) => ['esign', ...words].join(' ')),
    );
    for (const [index, { words, offers }] of places.entries())
      expect([words, answers[index]]).toEqual([words, offers]);
  });

  const lines: [string, string[]][] = [
    ['esign tx show tx-', ['tx-2', 'tx-1']],
    ['esign tx show "tx-1', ['tx-1']],
    ['esign --json tx show tx-1', ['tx-1']],
    ['esign tx show --profile acme ', []],
    ['esign tx show --profile sandbox tx-1', ['tx-1']],
    ['esign --profile acme sandbox sign tx-1', ['tx-1']],
    ['esign tx use-template tx-1 ', ['template-1']],
    ['esign tx use-template tx-1 template-1 ', []],
    ['esign webhooks delete ', ['webhook-1']],
    ['esign sandbox sign tx-1 --as ', ['ada@example.com', 'grace@example.com']],
    ['esign sandbox sign tx-1 --as=a', ['ada@example.com']],
    ['esign --profile ', ['acme', 'two\\ words', 'sandbox']],
    ['esign --profile=a', ['acme']],
    ['esign --profile "two ', ['two words']],
    ['esign --color ', ['auto', 'always', 'never']],
    ['esign --color=al', ['always']],
    ['esign --color al', ['always']],
    ['esign completion z', ['zsh']],
    ['esign help tx sen', ['send']],
    ['esign help exit', ['exit-codes']],
    ['esign sandbox token --scope transaction:r', ['read']],
    ['esign webhooks create --event recipient_s', ['recipient_submitted']],
    ['esign config get base', ['base_url']],
    ['esign tx show --jso', ['--json']],
    ['esign tx show --json --jso', []],
    ['esign webhooks create --event x --eve', ['--event']],
    ['esign tx show -- --jso', []],
    ['esign tx nosuch ', []],
    ['esign __', []],
    ['esign tx show tx-1 > ', []],
    ['esign tx send ', []],
  ];
  test('offers values where they belong', async () => {
    const some = lines.filter((_, index) => SLOW || index % 5 === 0);
    const answers = await askBash(
      fixture,
      some.map(([line]) => line),
    );
    expect(some.map(([line], index) => [line, answers[index]])).toEqual(some);
  });

  test('all of them, asked without a shell', async () => {
    const { folder, env } = fixture;
    const known = createKnownOffers(async () => ({ variables: env, homeDir: folder, workingDir: folder }));
    const data = await completionData(TREE);
    for (const [line, offers] of lines) {
      const variables = { ESIGN_COMPLETE_LINE: line, ESIGN_COMPLETE_BREAKS: ' \t\n"\'><=;|&(:' };
      const [, ...answers] = (await answerShell('bash', variables, data, known)).trimEnd().split('\n');
      expect([line, answers.map((text) => text.split('\t')[0])]).toEqual([line, offers]);
    }
  });

  test('a list for the eye says what each is', async () => {
    const [list, one] = await askBash(fixture, ['esign tx show tx-', 'esign tx show tx-1'], {
      COMP_TYPE: '63',
    });
    expect([list, one]).toEqual([['tx-2  (Agreement · started)', 'tx-1  (Agreement · started)'], ['tx-1']]);
  });

  test('whatever a word break is', async () => {
    const ask = (BREAKS: string, line: string) => askBash(fixture, [line], { BREAKS });
    expect(await ask(' \t\n', 'esign --profile=a')).toEqual([['--profile=acme']]);
    expect(await ask(' \t\n', 'esign sandbox token --scope transaction:r')).toEqual([['transaction:read']]);
    expect(await ask(' \t\n@', 'esign sandbox sign tx-1 --as ada@e')).toEqual([['example.com']]);
  });

  test('what a service has named is a value and nothing else', async () => {
    const [answers = []] = await askBash(fixture, ['esign tx show '], { BREAKS: ' \t\n' });
    // Read back by the shell, each is one word again, and the one that it was.
    const read = answers.map((word) => `printf '%s\\n' ${word}`).join('\n');
    const { out } = await runShell(fixture, ['bash', '-c', read]);
    expect(out.trimEnd().split('\n').sort()).toEqual([...HOSTILE, 'tx-1', 'tx-2'].sort());
    expect(await wasRun(fixture)).toBe(false);
  });

  test('what was typed is not evaluated', async () => {
    const forms = [
      (word: string) => `esign tx show ${word}`,
      (word: string) => `esign tx show ${word} `,
      (word: string) => `esign --profile ${word} tx show `,
      (word: string) => `esign --profile="${word}`,
      (word: string) => `esign ${word}`,
    ];
    const typed = sampleOf(
      [...HOSTILE, ...UNSPEAKABLE].flatMap((word) => forms.map((form) => form(word))),
      11,
    );
    expect(await askBash(fixture, typed)).toHaveLength(typed.length);
    expect(await wasRun(fixture)).toBe(false);
  });

  test('without esign nothing is offered and nothing is said', async () => {
    const { env } = fixture;
    const PATH = (env.PATH ?? '').split(':').slice(1).join(':');
    expect(await askBash(fixture, ['esign tx show '], { PATH })).toEqual([[]]);
  });

  test.skipIf(terminal.skip)(`installed for good, without bash-completion${terminal.why}`, async () => {
    expect(await runCommand(fixture, 'esign completion bash --install --yes')).toMatchObject({ code: 0 });
    const typed = await typeInto(fixture, 'bash', ['esign tx sho\ttx-1\t'], ['. "$HOME/.bashrc"']);
    expect(typed).toEqual(['<tx><show><tx-1>']);
  });

  test.skipIf(terminal.skip)(`typed at a terminal${terminal.why}`, async () => {
    const typed = await typeInto(
      fixture,
      'bash',
      [
        'esign tx sho\ttx-1\t',
        'esign tx show \\$\\(\t',
        'esign tx show "$(\t',
        "esign tx show '$(\t",
        "esign tx show '`\t",
        'esign tx show ";t\t',
        'esign tx show it\t',
        'esign tx send my\\ fi\t',
        'esign tx send "my fi\t',
        'esign tx update --from=my\\ fi\t',
        'esign --profile=two\t',
        'esign sandbox token --scope transaction:r\t',
        'esign tx show nosuch\t',
        'esign tx show con\t',
      ],
      ['set -u', '. "$SCRIPTS/esign.bash"', 'set +o history'],
    );
    expect(typed).toEqual([
      '<tx><show><tx-1>',
      '<tx><show><$(touch PWNED)>',
      '<tx><show><$(touch PWNED)>',
      '<tx><show><$(touch PWNED)>',
      '<tx><show><`touch PWNED`>',
      '<tx><show><;touch PWNED>',
      "<tx><show><it's>",
      '<tx><send><my file.pdf>',
      '<tx><send><my file.pdf>',
      '<tx><update><--from=my file.pdf>',
      '<--profile=two words>',
      '<sandbox><token><--scope><transaction:read>',
      '<tx><show><nosuch>',
      '<tx><show><con>',
    ]);
    expect(await wasRun(fixture)).toBe(false);
  });
});
