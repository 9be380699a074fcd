// Tables in Markdown: of the commands and exit codes for the README, of the choices for docs/service.md.
import { EXIT_MEANINGS } from '../command/exit-codes.ts';
import type { Tree } from '../command/tree.ts';
import { ASSUMED_POINTS } from './assumed-points.ts';
import { describeTree } from './describe.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

export async function commandTable(tree: Tree): Promise<string> {
  const rows = (await describeTree(tree)).map(
    ({ usage, summary }) => `| \`${cell(usage)}\` | ${cell(summary)} |`,
  );
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}

export function choiceTable(): string {
  const rows = Object.entries(ASSUMED_POINTS).map(
    ([number, { about, choice }]) => `| ${number} | ${cell(about)} | ${cell(choice)} |`,
  );
  return ['| Number | About | Choice |', '|---|---|---|', ...rows].join('\n');
}

export function exitCodeTable(): string {
  const rows = EXIT_MEANINGS.map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`);
  return ['| Code | Meaning |', '|---|---|', ...rows].join('\n');
}
