// Writes what is made from the code: the table of commands in the README, and openapi.json. With --check it only
// compares, and fails when one of them is not what the code says.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from './load-source.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');

const COMMANDS = { start: '<!-- commands:start -->', end: '<!-- commands:end -->' };

const stale = [];
const { commandTable } = await loadSource('src/cli/describe/markdown.ts');
await replaceBetween('README.md', COMMANDS, await commandTable());
const { openApiDocument } = await loadSource('src/api/contract/openapi.ts');
await put('openapi.json', `${JSON.stringify(openApiDocument('/'), null, 2)}\n`);
if (stale.length > 0) {
  process.stderr.write(
    `Not what the code says: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.\n`,
  );
  process.exitCode = 1;
}

async function replaceBetween(file, { start, end }, content) {
  const text = await readFile(join(root, file), 'utf8').catch(() => '');
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) {
    stale.push(`${file} (it has no ${start} … ${end})`);
    return;
  }
  await put(file, `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`);
}

async function put(file, content) {
  const path = join(root, file);
  const now = await readFile(path, 'utf8').catch(() => undefined);
  if (now === content) return;
  if (isCheck) stale.push(file);
  else await writeFile(path, content);
}
