// Help at every width a terminal may have: nothing is wider, no word is cut, and an example stays on one line.
import { describe, expect, test } from 'vitest';
import type { HelpSection } from '../../../src/cli/command/help-page.ts';
import { prepareHelp } from '../../../src/cli/describe/prepared.ts';
import { layOut, pageWidth, plainText } from '../../../src/cli/terminal/page-layout.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const { pages, words } = await prepareHelp(TREE);
const bold = (text: string) => text;
const pageOf = (...line: string[]): readonly HelpSection[] => pages[words[JSON.stringify(line)] ?? -1] ?? [];

const WIDTHS = Array.from({ length: 41 }, (_, index) => 60 + index);

/** Lines that have to be pasted as they are. */
const isPasteable = (line: string): boolean => /^\s*(esign|export) /.test(line);
const isOneWord = (line: string): boolean => !/\S\s+\S/.test(line);

describe('every page of help', () => {
  test.each(sampleOf(SLOW ? WIDTHS : [60, 77, 80, 100], 2))('fits into %i columns', (width) => {
    const wide = pages.flatMap((page) =>
      layOut(page, { width, bold })
        .split('\n')
        .filter((line) => line.length > width && !isPasteable(line) && !isOneWord(line)),
    );
    expect(wide).toEqual([]);
  });

  test('has the same words at every width', () => {
    const wordsAt = (page: readonly HelpSection[], width: number) =>
      layOut(page, { width, bold }).match(/[^\s#]+/g);
    for (const page of pages) expect(wordsAt(page, 60)).toEqual(wordsAt(page, 100));
  });

  test('has each example as one line', () => {
    const text = layOut(pageOf('tx', 'send', '--help'), { width: 60, bold });
    expect(text).toContain(
      `\n  esign tx send contract.pdf -t "Ada <ada@example.com>" -f 'signature@"For the Customer",at=below'`,
    );
  });
});

/** Lines as a terminal of 80 columns shows them, which folds the examples. */
const shownLines = (...line: string[]): number =>
  layOut(pageOf(...line), { width: 80, bold })
    .split('\n')
    .reduce((count, text) => count + Math.max(1, Math.ceil(text.length / 80)), 0);

describe('a terminal of 80 columns and 24 lines', () => {
  const main = pageOf('--help');

  test('shows all of the main help above the prompt, the core commands first', () => {
    expect(shownLines('--help')).toBeLessThanOrEqual(23);
    expect(main.find(({ title }) => title !== '')?.title).toBe('CORE COMMANDS');
  });

  test('shows every command in the main help', () => {
    const terms = main
      .flatMap(({ blocks }) => blocks)
      .flatMap((one) => (one.kind === 'terms' ? one.rows : []));
    const named = terms.flatMap(([term]) => term.split(', '));
    expect(Object.keys(TREE).filter((name) => !named.includes(name))).toEqual([]);
  });

  test('scrolls at most three times for the longest page of a command', () => {
    expect(shownLines('tx', 'send', '--help')).toBeLessThanOrEqual(80);
  });
});

test('the help of each command and group ends with the topic of the global options', () => {
  const helped = Object.keys(words).filter((line) => /"--help"\]$/.test(line) && line !== '["--help"]');
  expect(helped.length).toBeGreaterThan(60);
  for (const line of helped) {
    const last = plainText(pages[words[line] ?? -1] ?? [])
      .split('\n\n')
      .at(-1);
    expect([line, last]).toEqual([line, expect.stringContaining('`esign help options`')]);
  }
});

test.each([
  ['main', ['--help']],
  ['tx', ['tx', '--help']],
  ['tx-send', ['tx', 'send', '--help']],
  ['tx-start', ['tx', 'start', '--help']],
  ['topic-fields', ['help', 'fields']],
])('the screen of %s', async (name, line) => {
  for (const width of [60, 80, 100])
    await expect(`${layOut(pageOf(...line), { width, bold })}\n`).toMatchFileSnapshot(
      `../../golden/help/${name}-${width}.txt`,
    );
});

test('a terminal is between 60 and 100 columns wide, a pipe is 80', () => {
  expect([undefined, 20, 60, 72, 100, 200].map(pageWidth)).toEqual([80, 60, 60, 72, 100, 100]);
});

test('headings are bold, and nothing else', () => {
  const marked = layOut(pageOf('tx', 'send', '--help'), { width: 80, bold: (text) => `<${text}>` });
  expect(marked.match(/<[A-Z ]+>/g)).toEqual(
    ['USAGE', 'ARGUMENTS', 'OPTIONS', 'JSON OUTPUT', 'EXAMPLES', 'GLOBAL OPTIONS'].map(
      (title) => `<${title}>`,
    ),
  );
  expect(marked.replace(/<([A-Z ]+)>/g, '$1')).toBe(plainText(pageOf('tx', 'send', '--help')));
});

test('code in backquotes stays on one line where it fits on one', () => {
  const page: HelpSection[] = [
    { title: '', blocks: [{ kind: 'text', text: `${'word '.repeat(11)}\`esign tx show ID\`, then` }] },
  ];
  expect(layOut(page, { width: 60, bold }).split('\n')[1]).toBe('`esign tx show ID`, then');
});
