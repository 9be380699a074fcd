// What `esign help WORDS` prints: the help of a command, the text of a topic, or both where they share a name.
import { helpOf } from '../program.ts';
import { nodeAt } from '../tree.ts';
import { topicText } from './topics.ts';

/** @throws CliError when the words name neither */
export async function helpOn(words: readonly string[], version: string): Promise<string> {
  const [topic, another] = words;
  const text = topic !== undefined && another === undefined ? await topicText(topic) : undefined;
  if (text === undefined) return helpOf(words, version);
  return nodeAt(words) ? `${await helpOf(words, version)}\n\n${text}` : text;
}
