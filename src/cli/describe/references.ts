// Writes the help of the whole program as Markdown files: one for each word that `esign` takes, with every command below it,
// and one for each topic. skills/esign/references/ and llms.txt are made from them.
import type { HelpSection } from '../command/help-page.ts';
import { isBranch, type Tree } from '../command/tree.ts';
import { helpOn } from './help.ts';
import { markdownPage } from './markdown-page.ts';
import { TOPICS } from './topics.ts';

export type Reference = {
  /** The name of the file without its extension, and what `esign help` takes. */
  name: string;
  kind: 'command' | 'topic';
  summary: string;
  markdown: string;
};

/** Sections that say on each page where more help is. */
const REPEATED = new Set(['GLOBAL OPTIONS', 'LEARN MORE']);

export async function references(tree: Tree): Promise<Reference[]> {
  const commands = Object.entries(tree).map(
    async ([name, node]): Promise<Reference> => ({
      name,
      kind: 'command',
      summary: [
        node.summary,
        ...TOPICS.filter((topic) => topic.name === name).map((topic) => topic.summary),
      ].join('. '),
      markdown: (await Promise.all(pathsOf([name], node).map((path) => pageOf(path, tree)))).join('\n'),
    }),
  );
  const topics = TOPICS.filter(({ name }) => !Object.hasOwn(tree, name)).map(
    async ({ name, summary }): Promise<Reference> => ({
      name,
      kind: 'topic',
      summary,
      markdown: await pageOf([name], tree),
    }),
  );
  return Promise.all([...commands, ...topics]);
}

function pathsOf(path: readonly string[], node: Tree[string]): (readonly string[])[] {
  const inner = isBranch(node)
    ? Object.entries(node.children).flatMap(([name, child]) => pathsOf([...path, name], child))
    : [];
  return [path, ...inner];
}

/** Only the first page of a file has a main heading. */
async function pageOf(path: readonly string[], tree: Tree): Promise<string> {
  const sections: HelpSection[] = await helpOn(path, tree, 'complete');
  const page = markdownPage(
    sections.filter(({ title }, index) => index === 0 || !REPEATED.has(title)),
    ['esign', ...path].join(' '),
  );
  return path.length === 1 ? page : oneLevelDown(page);
}

/** Moves headings one level down. What stands in fences stays. */
export function oneLevelDown(markdown: string): string {
  let fence = '';
  const lines = markdown.split('\n').map((line) => {
    const mark = /^`{3,}/.exec(line)?.[0];
    if (fence === '' && mark) fence = mark;
    else if (line === fence) fence = '';
    else if (fence === '' && /^#+ /.test(line)) return `#${line}`;
    return line;
  });
  return lines.join('\n');
}
