// What is rendered when the program is built, so that it need not be at each run: help, and the tree for TAB.
import { parseWords } from '../program.ts';
import { safeLines } from '../terminal/safe-text.ts';
import { isBranch, TREE, type Tree } from '../tree.ts';
import { completionData } from './completion-data.ts';
import { helpOn } from './help.ts';
import { TOPICS } from './topics.ts';

/** `words` is keyed by the JSON of the words that were typed; what it holds is the place in `texts`. */
export type PreparedHelp = { texts: string[]; words: Record<string, number> };

/**
 * Only lines whose meaning is certain: nothing at all, words of the tree with `--help` or `-h` at the end, and `help` with
 * words of the tree or the name of a topic.
 */
export async function preparedHelp(version: string): Promise<PreparedHelp> {
  const prepared: PreparedHelp = { texts: [], words: {} };
  const put = (text: string, lines: readonly (readonly string[])[]) => {
    const known = prepared.texts.indexOf(text);
    const place = known < 0 ? prepared.texts.push(text) - 1 : known;
    for (const line of lines) prepared.words[JSON.stringify(line)] = place;
  };
  for (const path of pathsOf(TREE)) {
    const lines = [
      [...path, '--help'],
      [...path, '-h'],
      ['help', ...path],
    ];
    put(await helpText(path, version), path.length === 0 ? [[], ...lines] : lines);
  }
  for (const { name, text } of TOPICS) put(printed(await text()), [['help', name]]);
  return prepared;
}

export const preparedCompletion = completionData;

function pathsOf(tree: Tree, path: readonly string[] = []): (readonly string[])[] {
  const inner = Object.entries(tree).flatMap(([name, node]) => {
    const here = [...path, name];
    return isBranch(node) ? pathsOf(node.children, here) : [here];
  });
  return [path, ...inner];
}

async function helpText(path: readonly string[], version: string): Promise<string> {
  const { run } = await parseWords([...path, '--help'], version);
  const outcome = await run(undefined as never);
  if (outcome.kind !== 'text') throw new Error(`esign ${path.join(' ')} --help is not a text`);
  return printed(outcome.text);
}

const printed = (text: string): string => `${safeLines(text)}\n`;
