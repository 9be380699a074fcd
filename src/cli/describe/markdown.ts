// The table of commands in the README.
import type { Tree } from '../command/tree.ts';
import { describeTree } from './describe.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

export async function commandTable(tree: Tree): Promise<string> {
  const rows = (await describeTree(tree)).map(
    ({ usage, summary }) => `| \`${cell(usage)}\` | ${cell(summary)} |`,
  );
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}
