// Help as Markdown keeps to the signs that every reader of Markdown knows, and says what the page of help says.
import { describe, expect, test } from 'vitest';
import type { HelpSection } from '../../../src/cli/command/help-page.ts';
import { helpOn } from '../../../src/cli/describe/help.ts';
import { markdownPage } from '../../../src/cli/describe/markdown-page.ts';
import { TOPIC_LIST, TOPICS } from '../../../src/cli/describe/topics.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { everyPath } from '../../shell/tree.ts';
import { readMarkdown } from '../../support/documents/markdown.ts';

const pageOf = (...blocks: HelpSection['blocks']): string =>
  markdownPage([{ title: '', blocks }], 'esign x')
    .replace('# esign x\n\n', '')
    .trimEnd();

describe('a page of help as Markdown', async () => {
  const names = [
    [],
    ...everyPath().filter((path) => path.length > 0),
    ...[...TOPICS.map(({ name }) => name), TOPIC_LIST].map((name) => [name]),
  ];
  const pages = await Promise.all(
    names.map(async (words) => {
      const sections = await helpOn(words, TREE, 'complete');
      return {
        words: words.join(' '),
        sections,
        markdown: markdownPage(sections, `esign ${words.join(' ')}`),
      };
    }),
  );

  test('has one main heading, whole fences and tables, and no signs by accident', () => {
    for (const { words, markdown } of pages)
      expect([words, readMarkdown(markdown).faults]).toEqual([words, []]);
  });

  test('has every term and every line of an example', () => {
    for (const { words, sections, markdown } of pages) {
      const read = readMarkdown(markdown);
      for (const block of sections.flatMap(({ blocks }) => blocks)) {
        if (block.kind === 'terms')
          for (const [term, text] of block.rows)
            expect([words, read.rows]).toEqual([words, expect.arrayContaining([[term, text]])]);
        if (block.kind === 'examples')
          for (const [line] of block.rows)
            expect([words, read.code]).toEqual([words, expect.stringContaining(line)]);
      }
    }
  });

  test('has what otherwise only the man page has room for', async () => {
    const complete = markdownPage(await helpOn(['tx', 'send'], TREE, 'complete'), 'esign tx send');
    expect(complete).toContain('--dry-run converts nothing');
    const listening = markdownPage(
      await helpOn(['events', 'listen'], TREE, 'complete'),
      'esign events listen',
    );
    expect(listening).toContain('| Property | Meaning |');
    expect(complete).not.toContain('man esign-tx-send');
  });
});

describe('text', () => {
  test.each([
    ['Name <email>', 'Name \\<email>'],
    ['*.pdf and _this_', '\\*.pdf and \\_this\\_'],
    ['transaction_created', 'transaction_created'],
    ['`Name <email> | x`', '`Name <email> | x`'],
    ['a ` alone', 'a \\` alone'],
    ['[text](link)', '[text\\](link)'],
    ['# no heading', '\\# no heading'],
    ['- no item', '\\- no item'],
    ['C:\\files', 'C:\\\\files'],
  ])('%s stays text', (text, markdown) => {
    expect(pageOf({ kind: 'text', text })).toBe(markdown);
  });

  test('a bar does not end a cell, nor a backquote a term', () => {
    const rows: [string, string][] = [
      ['a|b', 'c|d and `e|f`'],
      ['a`b', ''],
    ];
    expect(pageOf({ kind: 'terms', rows })).toBe(
      '| Name | Meaning |\n| --- | --- |\n| `a\\|b` | c\\|d and `e\\|f` |\n| `` a`b `` |  |',
    );
  });

  test('lines that look like a fence stay within a longer one', () => {
    expect(pageOf({ kind: 'lines', lines: ['```', 'x'] })).toBe('````\n```\nx\n````');
  });
});
