// Makes the help of an alias: the line that it stands for, and then the help of the command in that line.
import { splitAliasWords } from '../command/alias-words.ts';
import type { ProgramDescription } from '../command/context.ts';
import type { HelpSection } from '../command/help-page.ts';

/** Makes the help. @param line what the alias stands for */
export async function aliasHelp(
  name: string,
  line: string,
  help: ProgramDescription['help'],
): Promise<HelpSection[]> {
  const about: HelpSection = {
    title: '',
    blocks: [{ kind: 'text', text: `"${name}" is an alias for "${line}".` }],
  };
  const words = splitAliasWords(line) ?? [];
  // Arguments and options follow the words of the command; a line that begins with another alias has no page.
  for (let count = words.length; count > 0; count -= 1) {
    const page = await help(words.slice(0, count)).catch(() => undefined);
    if (page) return [about, ...page];
  }
  return [about];
}
