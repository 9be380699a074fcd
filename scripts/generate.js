// Writes what is made from the code: the table of commands in the README, and openapi.json. With --check it only
// compares, and fails when one of them is not what the code says.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const isCheck = process.argv.includes('--check');
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

const COMMANDS = { start: '<!-- commands:start -->', end: '<!-- commands:end -->' };

const stale = [];
const { commandTable } = await load('src/cli/describe/markdown.ts');
await replaceBetween('README.md', COMMANDS, await commandTable());
const { openApiDocument } = await load('src/api/contract/openapi.ts');
await put('openapi.json', `${JSON.stringify(openApiDocument('/'), null, 2)}\n`);
if (stale.length > 0) {
  process.stderr.write(
    `Not what the code says: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.\n`,
  );
  process.exitCode = 1;
}

/** Bundles a module of src and imports it; packages stay where they are. */
async function load(entry) {
  const outfile = join(
    root,
    'node_modules',
    '.cache',
    'esign',
    `${entry.replace(/\W/g, '-')}-${process.pid}.mjs`,
  );
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    logLevel: 'warning',
    define: { __ESIGN_VERSION__: JSON.stringify(version) },
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
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
