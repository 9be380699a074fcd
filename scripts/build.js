// Bundles src/ into dist/. Safe to run again and at the same moment as a running `esign`: files get names that
// contain their hash, the entries that name them are replaced last by a rename, and old files stay for a day.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadSource } from './load-source.js';
import { loadTogether } from './load-together.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const ENTRIES = [
  'contents.json',
  'completion.json',
  'completion.cjs',
  'document-engine.js',
  'help.json',
  'keyring.js',
  'main.js',
  'service.js',
  'sign-page.js',
];
const KEEP_MS = 24 * 60 * 60 * 1000;

/** commander can start other programs as subcommands. None here is one, and node:child_process takes 3 ms to load. */
const withoutSubprocesses = {
  name: 'without-subprocesses',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      importer.includes('/commander/') ? { path, namespace: 'empty' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
  },
};

const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
await mkdir(dist, { recursive: true });
const scratch = await mkdtemp(join(dist, '.build-'));
try {
  const options = {
    absWorkingDir: root,
    outdir: scratch,
    chunkNames: 'chunk-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { __ESIGN_VERSION__: JSON.stringify(version) },
    // Native and wasm packages stay where npm put them.
    external: ['@photostructure/sqlite', '@embedpdf/pdfium', '@jsquash/webp', '@napi-rs/keyring'],
    // Bundled CommonJS packages ask for node's own modules by `require`.
    banner: { js: 'const require=(name)=>process.getBuiltinModule(name);' },
  };
  // Two builds: what the entries share would otherwise be cut into pieces that both can load.
  const together = await loadTogether(join(root, 'src'));
  const { metafile } = await build({
    ...options,
    entryPoints: { main: 'src/cli/main.ts' },
    plugins: [together, withoutSubprocesses],
    metafile: true,
  });
  await build({ ...options, entryPoints: { service: 'src/service/published.ts' } });
  await build({ ...options, entryPoints: { 'document-engine': 'src/pdf/engine/process.ts' } });
  await build({ ...options, entryPoints: { keyring: 'src/credentials/keyring-process.ts' } });
  // For browsers: one file without anything of Node.
  await build({
    ...browser(options),
    entryPoints: { 'sign-page': 'src/service/web/sign/browser/main.ts' },
  });
  // CommonJS in one file: it starts faster, and TAB is pressed more often than any command is given.
  const { splitting: _, banner: __, chunkNames: ___, ...plain } = options;
  const completion = await build({
    ...plain,
    format: 'cjs',
    metafile: true,
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
    entryPoints: { completion: 'src/cli/completion/main.ts' },
  });
  const { TREE: tree } = await loadSource('src/cli/tree.ts');
  const { preparedCompletion, preparedHelp } = await loadSource('src/cli/describe/prepared.ts');
  await writeFile(join(scratch, 'help.json'), JSON.stringify(await preparedHelp({ tree, version })));
  await writeFile(join(scratch, 'completion.json'), JSON.stringify(await preparedCompletion(tree)));
  await writeFile(
    join(scratch, 'contents.json'),
    JSON.stringify(contentsOf({ ...metafile.outputs, ...completion.metafile.outputs })),
  );
  const built = await readdir(scratch);
  const chunksFirst = [...built.filter((name) => !ENTRIES.includes(name)), ...ENTRIES];
  for (const name of chunksFirst) await rename(join(scratch, name), join(dist, name));
  await removeStale(new Set(built));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Browsers of the last three years. */
function browser({ splitting: _, banner: __, chunkNames: ___, external: ____, define: _____, ...options }) {
  return { ...options, format: 'iife', platform: 'browser', target: ['chrome110', 'firefox110', 'safari16'] };
}

/** Which packages each file holds code of: what a command may load is a test. */
function contentsOf(outputs) {
  const packageOf = (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
  return Object.fromEntries(
    Object.entries(outputs).map(([path, { inputs }]) => [
      basename(path),
      [...new Set(Object.keys(inputs).map(packageOf).filter(Boolean))].sort(),
    ]),
  );
}

/** Removes what earlier builds left, once no process that started from it can still be loading it. */
async function removeStale(current) {
  const now = new Date();
  for (const name of await readdir(dist)) {
    const path = join(dist, name);
    if (current.has(name)) {
      await utimes(path, now, now);
      continue;
    }
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > KEEP_MS) await rm(path, { recursive: true, force: true });
  }
}
