// What `esign help WORDS` prints: the help of a command, the text of a topic, or both where they share a name.
import { nodeAt } from '../command/tree.ts';
import { type Catalogue, helpOf } from '../program.ts';
import { topicText } from './topics.ts';

/** @throws CliError when the words name neither */
export async function helpOn(words: readonly string[], catalogue: Catalogue): Promise<string> {
  const [topic, another] = words;
  const text =
    topic !== undefined && another === undefined ? await topicText(topic, catalogue.tree) : undefined;
  if (text === undefined) return helpOf(words, catalogue);
  return nodeAt(words, catalogue.tree) ? `${await helpOf(words, catalogue)}\n\n${text}` : text;
}
