// What is rendered when the program is built, so that it need not be at each run: help, and the tree for TAB.
import { isBranch, type Tree } from '../command/tree.ts';
import { type Catalogue, parseWords } from '../program.ts';
import { safeLines } from '../terminal/safe-text.ts';
import { completionData } from './completion-data.ts';
import { helpOn } from './help.ts';
import { TOPICS } from './topics.ts';

/** `words` is keyed by the JSON of the words that were typed; what it holds is the place in `texts`. */
export type PreparedHelp = { texts: string[]; words: Record<string, number> };

/**
 * Only lines whose meaning is certain: nothing at all, words of the tree with `--help` or `-h` at the end, and `help` with
 * words of the tree or the name of a topic.
 */
export async function preparedHelp(catalogue: Catalogue): Promise<PreparedHelp> {
  const texts: string[] = [];
  const words: Record<string, number> = {};
  const put = (line: readonly string[], text: string) => {
    const known = texts.indexOf(text);
    words[JSON.stringify(line)] = known < 0 ? texts.push(text) - 1 : known;
  };
  put([], await helpText([], catalogue));
  for (const path of pathsOf(catalogue.tree)) {
    const text = await helpText(path, catalogue);
    for (const flag of ['--help', '-h']) put([...path, flag], text);
    put(['help', ...path], printed(await helpOn(path, catalogue)));
  }
  for (const { name } of TOPICS) put(['help', name], printed(await helpOn([name], catalogue)));
  return { texts, words };
}

export const preparedCompletion = completionData;

function pathsOf(tree: Tree, path: readonly string[] = []): (readonly string[])[] {
  const inner = Object.entries(tree).flatMap(([name, node]) => {
    const here = [...path, name];
    return isBranch(node) ? pathsOf(node.children, here) : [here];
  });
  return [path, ...inner];
}

async function helpText(path: readonly string[], catalogue: Catalogue): Promise<string> {
  const { run } = await parseWords([...path, '--help'], catalogue);
  const outcome = await run(undefined as never);
  if (outcome.kind !== 'text') throw new Error(`esign ${path.join(' ')} --help is not a text`);
  return printed(outcome.text);
}

const printed = (text: string): string => `${safeLines(text)}\n`;
