// The table of commands in the README.
import { describeTree } from './describe.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

export async function commandTable(): Promise<string> {
  const rows = (await describeTree()).map(
    ({ usage, summary }) => `| \`${cell(usage)}\` | ${cell(summary)} |`,
  );
  return ['| Command | What it does |', '|---|---|', ...rows].join('\n');
}
