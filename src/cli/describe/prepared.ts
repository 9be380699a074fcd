// Makes, when the program is built, what would otherwise be made at each run: pages of help, and the tree for TAB.
import type { HelpSection } from '../command/help-page.ts';
import { isBranch, type Tree } from '../command/tree.ts';
import { plainText } from '../terminal/page-layout.ts';
import type { HelpIndex, HelpPlace } from './answer-help.ts';
import { completionData } from './completion-data.ts';
import { helpOn } from './help.ts';
import { helpPage } from './help-page.ts';
import { TOPIC_LIST, TOPICS } from './topics.ts';

/** `words` is keyed by the JSON of the words that are typed; what it holds is the place in `pages`. */
export type PreparedHelp = { pages: (readonly HelpSection[])[]; words: Record<string, number> };

/** Makes the file that the launcher reads: an index, and each page as JSON and as plain text. */
export function helpFile({ pages, words }: PreparedHelp): string {
  const places: HelpPlace[] = [];
  let content = '';
  let size = 0;
  const put = (text: string): number => {
    content += text;
    size += Buffer.byteLength(text);
    return size;
  };
  for (const page of pages)
    places.push({ start: size, text: put(JSON.stringify(page)), end: put(`${plainText(page)}\n`) });
  const index: HelpIndex = Object.fromEntries(
    Object.entries(words).map(([typed, at]) => [typed, places[at] as HelpPlace]),
  );
  return `${JSON.stringify(index)}\n${content}`;
}

/**
 * Prepares help only for lines whose meaning is certain: an empty one, words of the tree with `--help` or `-h` at the end, and
 * `help` with words of the tree or the name of a topic.
 */
export async function prepareHelp(tree: Tree): Promise<PreparedHelp> {
  const pages: (readonly HelpSection[])[] = [];
  const words: Record<string, number> = {};
  const put = (page: readonly HelpSection[], ...lines: (readonly string[])[]) => {
    pages.push(page);
    for (const line of lines) words[JSON.stringify(line)] = pages.length - 1;
  };
  for (const path of pathsOf(tree)) {
    const own = [[...path, '--help'], [...path, '-h'], ...(path.length === 0 ? [[]] : [])];
    const isTopic = path.length === 1 && TOPICS.some(({ name }) => name === path[0]);
    put(await helpPage(path, tree), ...own, ...(isTopic ? [] : [['help', ...path]]));
  }
  for (const name of [...TOPICS.map((topic) => topic.name), TOPIC_LIST])
    put(await helpOn([name], tree), ['help', name]);
  return { pages, words };
}

export const preparedCompletion = completionData;

function pathsOf(tree: Tree, path: readonly string[] = []): (readonly string[])[] {
  const inner = Object.entries(tree).flatMap(([name, node]) => {
    const here = [...path, name];
    return isBranch(node) ? pathsOf(node.children, here) : [here];
  });
  return [path, ...inner];
}
