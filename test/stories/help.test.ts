// Help that the build prepared is what the program would have printed, byte by byte, for every command.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { helpOn } from '../../src/cli/describe/help.ts';
import { helpPage } from '../../src/cli/describe/help-page.ts';
import { helpFile, prepareHelp } from '../../src/cli/describe/prepared.ts';
import { TOPIC_LIST, TOPICS } from '../../src/cli/describe/topics.ts';
import { parseWords } from '../../src/cli/program.ts';
import { programOf } from '../../src/cli/run.ts';
import { PLAIN } from '../../src/cli/terminal/color.ts';
import { layOut, plainText } from '../../src/cli/terminal/page-layout.ts';
import { render } from '../../src/cli/terminal/render.ts';
import { TREE } from '../../src/cli/tree.ts';
import { everyPath } from '../shell/tree.ts';
import { openTerminal } from '../support/command-line/terminal.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';
import { SLOW, sampleOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const CATALOGUE = { tree: TREE, version: '1.2.3' };

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Removes what the text does not check. */
const options = { json: false, select: undefined } as Parameters<typeof render>[3];

async function printed(words: readonly string[]): Promise<string> {
  const { run } = await parseWords(words, CATALOGUE);
  const written: string[] = [];
  const sink = { write: (text: string) => void written.push(text), isTerminal: false, columns: undefined };
  await render(
    await run({
      program: programOf(CATALOGUE, { environment: { variables: {}, homeDir: '/', workingDir: '/' } }),
    } as never),
    sink,
    PLAIN,
    options,
  );
  return written.join('');
}

describe('prepared help', async () => {
  const prepared = await prepareHelp(TREE);
  const found = (words: readonly string[]) => {
    const page = prepared.pages[prepared.words[JSON.stringify(words)] ?? -1];
    return page && `${plainText(page)}\n`;
  };
  const paths = everyPath();
  const lines = [
    [],
    ...paths.flatMap((path) => [
      [...path, '--help'],
      [...path, '-h'],
      ['help', ...path],
    ]),
    ...[...TOPICS.map(({ name }) => name), TOPIC_LIST].map((name) => ['help', name]),
  ];

  test.skipIf(!SLOW)('is what the program prints, for every command, group and topic', async () => {
    for (const words of lines) expect([words, found(words)]).toEqual([words, await printed(words)]);
  });

  test('is for these lines and for no others', () => {
    const known = new Set(lines.map((words) => JSON.stringify(words)));
    expect(Object.keys(prepared.words).filter((words) => !known.has(words))).toEqual([]);
    expect(paths.length).toBeGreaterThan(30);
  });

  test('is what was built', async () => {
    expect(await readFile(`${root}/dist/help.data`, 'utf8')).toBe(helpFile(prepared));
  });

  test('a topic that shares its name with a group comes after it', async () => {
    const titles = (await helpOn(['config'], TREE)).map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining(['', 'USAGE', 'COMMANDS', 'CONFIGURATION', 'MAIL SETTINGS']),
    );
    expect(titles.indexOf('CONFIGURATION')).toBeGreaterThan(titles.indexOf('LEARN MORE'));
  });
});

describe('the built program', () => {
  let fixture: StoryFixture;
  beforeAll(async () => {
    fixture = await createStoryFixture();
  });
  afterAll(() => fixture.close());

  test.each(
    sampleOf(
      [
        ['', ''],
        ['', '--help'],
        ['COLUMNS=60 FORCE_COLOR=1', 'help tx send'],
        ['COLUMNS=92', 'help exit-codes'],
      ],
      2,
    ),
  )('%s esign %s', async (before, line) => {
    const [quick, whole] = await Promise.all([
      // By its path: a line with `esign` may be run without the launcher.
      runCommand(fixture, `${before} ${process.execPath} ${root}/bin/esign.js ${line}`),
      runCommand(fixture, `${before} ${process.execPath} ${root}/dist/start.cjs ${line}`),
    ]);
    expect(quick).toEqual(whole);
    expect(quick).toMatchObject({ code: 0, err: '' });
  });

  test.each(
    sampleOf(
      [
        // No word of the tree is an unknown command.
        ['esign "tx send" --help', 2],
        ['esign tx nosuch --help', 2],
        ['esign tx send --help --json | grep -c "^{"', 0],
        ['esign --help | head -c 5', 0],
      ],
      4,
    ),
  )('%s is left to the program', async (line, code) => {
    expect(await runCommand(fixture, line)).toMatchObject({ code });
  });

  test.skipIf(!SLOW)('output that cannot be written is an error', async () => {
    const { code, err } = await runCommand(fixture, 'esign --help > /dev/full');
    expect([code, err]).toEqual([1, expect.stringContaining('output_failed')]);
  });
});

const tmux = needsCommand('tmux');

test.skipIf(!SLOW || tmux.skip)(`a terminal gets its own width and bold headings${tmux.why}`, async () => {
  const fixture = await createStoryFixture();
  const { PATH = '' } = fixture.env;
  const terminal = await openTerminal({ columns: 72, folder: fixture.folder, env: { ...fixture.env, PATH } });
  try {
    await terminal.type('clear; esign tx send --help; echo "the" end');
    await terminal.press('Enter');
    const shown = await terminal.until(/the end/);
    const page = layOut(await helpPage(['tx', 'send'], TREE), { width: 72, bold: (text) => text });
    // The terminal itself folds the example, which is one line.
    const [text = ''] = page.split('\n\nEXAMPLES');
    expect(shown).toContain(text);
    expect(await terminal.screen(true)).toContain('\u001b[1mUSAGE\n');
  } finally {
    await terminal.close();
    await fixture.close();
  }
});
