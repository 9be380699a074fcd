// Writes src/cli/command-list.ts: each command with its summary and its file. The path of the file below src/cli/commands is that of
// the command (`tx/send.ts`); a file exports `command`, or `commands` with several of one noun by name (`sandbox/clock.ts`), or both (`api.ts`).
// `tx/send/send.ts` is the command of its folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSource } from './load-source.js';

const FOLDER = 'src/cli/commands';

/** @param root of the project */
export async function commandList(root) {
  const files = [];
  for (const file of (await readdir(join(root, FOLDER), { recursive: true })).sort())
    if (
      file.endsWith('.ts') &&
      /^export const commands? =/m.test(await readFile(join(root, FOLDER, file), 'utf8'))
    )
      files.push(file);
  const entry = files.map((file, index) => `export * as file${index} from './${FOLDER}/${file}';`).join('\n');
  const loaded = await loadSource('command-list-entry.ts', entry);
  const rows = files.flatMap((file, index) => rowsOf(file, loaded[`file${index}`]));
  return [
    '// Written by `npm run generate` from the files of commands/. Do not edit.',
    "import type { Leaf } from './command/tree.ts';",
    '',
    'export const COMMANDS: Readonly<Record<string, Leaf>> = {',
    ...rows.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
    '};',
    '',
  ].join('\n');
}

function rowsOf(file, { command, commands }) {
  const words = file.replace(/\.ts$/, '').split('/');
  if (words.at(-1) === words.at(-2)) words.pop();
  const path = words.join(' ');
  return [
    ...(command ? [rowOf(path, command.summary, file, 'command')] : []),
    ...Object.entries(commands ?? {}).map(([name, { summary }]) =>
      rowOf(`${path} ${name}`, summary, file, `commands.${name}`),
    ),
  ];
}

const rowOf = (path, summary, file, exported) => [
  path,
  [
    `  ${JSON.stringify(path)}: {`,
    `    summary: ${JSON.stringify(summary)},`,
    `    load: async () => (await import('./commands/${file}')).${exported},`,
    '  },',
  ].join('\n'),
];
