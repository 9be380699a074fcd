// Links between the documents lead to a file that exists, and to a heading in it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const PAGES = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const withoutCode = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** Makes the anchors of a page as GitHub does: in lower case, spaces as hyphens, without punctuation. */
const anchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(PAGES)('%s', (page) => {
  const markdown = readFileSync(new URL(page, ROOT), 'utf8');

  test('links to files and headings that exist', () => {
    const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
    const broken = links.filter((to) => {
      if (/^https?:/.test(to)) return false;
      const [file = '', anchor] = to.split('#');
      const target = file === '' ? new URL(page, ROOT) : new URL(file, new URL(page, ROOT));
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

test('docs/service.md has every section with a heading of two hashes in its table of contents', () => {
  const service = readFileSync(new URL('docs/service.md', ROOT), 'utf8');
  const sections = [...withoutCode(service).matchAll(/^## .+$/gm)].flatMap(([heading]) => anchorsOf(heading));
  const contents = service.slice(0, service.indexOf('\n## '));
  const listed = [...contents.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(listed).toEqual(sections);
});
