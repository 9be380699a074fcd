// llms.txt lists the whole documentation in the form of llmstxt.org, and the file that is made for a release has all of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { oneLevelDown, references } from '../../src/cli/describe/references.ts';
import { TOPICS } from '../../src/cli/describe/topics.ts';
import { TREE } from '../../src/cli/tree.ts';
import { readMarkdown } from '../support/documents/markdown.ts';

const { llmsFull } = (await import('../../scripts/llms.js' as string)) as {
  llmsFull(folder: string, help: unknown, down: typeof oneLevelDown): Promise<string>;
};

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const documents = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('llms.txt', () => {
  const text = read('llms.txt');
  const links = [...text.matchAll(/^- \[([^\]]+)\]\(([^)\s]+)\): (.*)$/gm)].map(
    ([, name = '', to = '', sentence = '']) => ({ name, to, sentence }),
  );

  test('has a heading, a quote, and sections of links with a sentence each', () => {
    expect(text).toMatch(/^# esign\n\n> \S.*\.\n\n/);
    const [, ...sections] = text.split(/^## .+\n\n/m);
    expect(sections.length).toBeGreaterThan(3);
    for (const section of sections)
      expect(section.trim().split('\n')).toEqual(
        section
          .trim()
          .split('\n')
          .map(() => expect.stringMatching(/^- \[[^\]]+\]\([^)\s]+\): .*\.$/)),
      );
  });

  test('links to files that exist, each once', () => {
    expect(links.filter(({ to }) => !existsSync(new URL(to, ROOT)))).toEqual([]);
    expect(new Set(links.map(({ to }) => to)).size).toBe(links.length);
  });

  test('lists every page of the documentation, every command and every topic', () => {
    const listed = links.map(({ to }) => to);
    const help = [...Object.keys(TREE), ...TOPICS.map(({ name }) => name)].map(
      (name) => `skills/esign/references/${name}.md`,
    );
    expect([...documents, ...help].filter((path) => !listed.includes(path))).toEqual([]);
    const sentences = links.map(({ sentence }) => sentence).join('\n');
    expect(TOPICS.filter(({ summary }) => !sentences.includes(summary))).toEqual([]);
  });
});

test('llms-full.txt has every page and every command below one main heading, and its links lead to files', async () => {
  const help = await references(TREE);
  const full = await llmsFull(fileURLToPath(ROOT), help, oneLevelDown);
  const { headings } = readMarkdown(full);
  expect(headings.filter(({ level }) => level === 1).length).toBe(1);
  const titles = headings.map(({ text }) => text);
  for (const path of documents) expect(titles).toContain(/^# (.*)$/m.exec(read(path))?.[1]);
  for (const { markdown } of help) expect(full).toContain(oneLevelDown(markdown).trim());
  expect(titles).toContain('esign tx send');
  const links = [...full.matchAll(/\]\((?!https?:|#|mailto:)([^)\s#]+)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((to) => !existsSync(new URL(to, ROOT)))).toEqual([]);
});

describe('the references of the skill', async () => {
  test.each(await references(TREE))(
    '$name are Markdown that every reader takes in the same way',
    ({ markdown }) => {
      expect(readMarkdown(markdown).faults).toEqual([]);
    },
  );
});
