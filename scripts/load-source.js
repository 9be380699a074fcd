// Runs a module of src/ while the program is built or its documents are written. Packages are loaded from node_modules.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { TEXT_FILES } from './text-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param entry path of the module, from the root of the project
 * @param contents the text of a module that no file has
 */
export async function loadSource(entry, contents) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const outfile = join(
    root,
    'node_modules',
    '.cache',
    'esign',
    `${entry.replace(/\W/g, '-')}-${process.pid}.mjs`,
  );
  await build({
    absWorkingDir: root,
    ...(contents === undefined
      ? { entryPoints: [entry] }
      : { stdin: { contents, resolveDir: root, sourcefile: entry, loader: 'ts' } }),
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    loader: TEXT_FILES,
    packages: 'external',
    logLevel: 'warning',
    define: { __ESIGN_VERSION__: JSON.stringify(version), __ESIGN_BUILD__: '""' },
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}
