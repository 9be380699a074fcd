// What `esign help WORDS` prints: the help of a command, a topic, or both where they share a name.
import type { HelpDetail, HelpSection } from '../command/help-page.ts';
import { nodeAt, type Tree } from '../command/tree.ts';
import { helpPage } from './help-page.ts';
import { topicPage } from './topics.ts';

/** @throws CliError when the words name neither */
export async function helpOn(
  words: readonly string[],
  tree: Tree,
  detail: HelpDetail = 'brief',
): Promise<HelpSection[]> {
  const [topic, another] = words;
  const page = topic !== undefined && another === undefined ? await topicPage(topic, tree) : undefined;
  if (page === undefined) return helpPage(words, tree, detail);
  return nodeAt(words, tree) ? [...(await helpPage(words, tree, detail)), ...page] : page;
}
