// Bundles src/ into dist/. It may run while an `esign` runs: files get names that contain their
// hash, the entries that name them are replaced last by a rename, and old files stay for a day.
//   node scripts/build.js               always
//   node scripts/build.js --if-changed  unless dist/ was built from these sources
//   node scripts/build.js --fresh       and removes files of earlier builds at once
import { createHash } from 'node:crypto';
import { promises } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { bomOf } from './bom.js';
import { hashInputs } from './build-inputs.js';
import { PUBLISHED_TYPES, writeDeclarations } from './declarations.js';
import { noticesOf, recordInputs } from './licenses.js';
import { loadSource } from './load-source.js';
import {
  bundleOf,
  kyselyAsOne,
  PACKAGES,
  packagesApart,
  packagesRequired,
  withoutSchemaValidator,
} from './packages-apart.js';
import { cutIntoBundles, fileOf, UNNAMED_BUILD } from './program-bundles.js';
import { withLinesOnly } from './source-maps.js';
import { TEXT_FILES } from './text-files.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const BUILT_FROM = 'built-from';
const ENTRIES = [
  'contents.json',
  'completion.json',
  'completion.cjs',
  'document-engine.js',
  'edit-page.js',
  'help.data',
  'help.cjs',
  'index.js',
  'keyring.js',
  'main.cjs',
  'service.js',
  'sign-page.js',
  'start.cjs',
  'testing.js',
  // Renamed last of all: a build that was interrupted is made again.
  BUILT_FROM,
];
const PROGRAM = 'src/cli/main.ts';
/** A placeholder of the same length as the hash of a bundle, which replaces it. */
const UNNAMED = '/*code ----------------*/';
const KEEP_MS = 24 * 60 * 60 * 1000;

/**
 * Parts of Node that a package loads and never uses here. They take milliseconds to load: commander can start other programs as
 * subcommands, and none here is one; undici can speak HTTP/2, and is not told to.
 */
const withoutUnusedParts = {
  name: 'without-unused-parts',
  setup({ onResolve, onLoad }) {
    const leaveOut = (filter, importing) =>
      onResolve({ filter }, ({ path, importer }) =>
        importer.includes(`/${importing}/`) ? { path, namespace: 'empty' } : undefined,
      );
    leaveOut(/^node:child_process$/, 'commander');
    leaveOut(/^node:http2$/, 'undici');
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'exports.constants = {};' }));
  },
};

/** node:fs/promises takes a millisecond to load, and not every command reads files through it. */
const filePromisesWhenCalled = {
  name: 'file-promises-when-called',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:fs\/promises$/ }, ({ path }) => ({
      path,
      namespace: 'when-called',
      sideEffects: false,
    }));
    onLoad({ filter: /.*/, namespace: 'when-called' }, () => ({
      contents: [
        `import * as fs from 'node:fs';`,
        ...Object.keys(promises).map((name) =>
          typeof promises[name] === 'function'
            ? `export const ${name} = (...given) => fs.promises.${name}(...given);`
            : `export { ${name} } from 'node:fs';`,
        ),
      ].join('\n'),
    }));
  },
};

/**
 * Escapes non-ASCII characters, because bundles are read as ASCII, which is faster. esbuild escapes strings, but not patterns and tagged
 * templates: those of our own sources are escaped before bundling, so that the source map stays correct.
 */
const asciiSources = {
  name: 'ascii-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => ({
      contents: escaped(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** Node prints the line of the source that threw an uncaught error: in the files that programs import, no line is much longer. */
const SHOWN_LINE = 160;

const { build, inputs } = recordInputs(esbuild.build);
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const builtFrom = await hashInputs(root);
if (process.argv.includes('--if-changed') && builtFrom === (await readBuiltFrom())) process.exit(0);
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
    loader: TEXT_FILES,
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      __ESIGN_VERSION__: JSON.stringify(version),
      __ESIGN_BUILD__: JSON.stringify(builtFrom.slice(0, 16)),
    },
    // Native and wasm packages are loaded from node_modules.
    external: ['@photostructure/sqlite', '@embedpdf/pdfium', '@jsquash/webp', '@napi-rs/keyring'],
    // Bundled CommonJS packages ask for node's own modules by `require`.
    banner: { js: 'const require=(name)=>process.getBuiltinModule(name);' },
  };
  const { splitting: _, banner: __, chunkNames: ___, ...plain } = options;
  const commonJs = {
    ...plain,
    format: 'cjs',
    metafile: true,
    outExtension: { '.js': '.cjs' },
    supported: { 'dynamic-import': false },
  };
  const bundling = {
    ...asBundle(commonJs),
    plugins: [asciiSources, kyselyAsOne(build), packagesApart, withoutUnusedParts, filePromisesWhenCalled],
    // Function names are kept for stacks.
    minify: false,
    minifySyntax: true,
    minifyWhitespace: true,
  };
  const { metafile } = await build({ ...bundling, entryPoints: [PROGRAM], write: false });
  const program = [];
  for (const { name, askedFor, leavingOutOthers } of cutIntoBundles(metafile.inputs, root, PROGRAM))
    program.push(
      await build({
        ...bundling,
        outdir: undefined,
        outfile: join(scratch, fileOf(name)),
        outExtension: undefined,
        stdin: { contents: bundleEntry(name, askedFor), resolveDir: root },
        plugins: [leavingOutOthers, ...bundling.plugins],
        sourcemap: 'external',
        sourcesContent: false,
      }),
    );
  const buildName = await nameBuild();
  const packages = [];
  for (const [specifier, text] of Object.entries(PACKAGES))
    packages.push(
      await build({
        ...asPackage(asBundle(commonJs)),
        outdir: undefined,
        outfile: join(scratch, bundleOf(specifier)),
        outExtension: undefined,
        external: [],
        plugins: [withoutUnusedParts, withoutSchemaValidator],
        stdin: { contents: text, resolveDir: root },
      }),
    );
  await build({ ...commonJs, plugins: [asciiSources], entryPoints: { start: 'src/cli/start/start.ts' } });
  await build({
    ...options,
    lineLimit: SHOWN_LINE,
    entryPoints: {
      service: 'src/service/published.ts',
      testing: 'src/testing/published.ts',
      'document-engine': 'src/pdf/engine/process.ts',
      keyring: 'src/credentials/keyring-process.ts',
    },
    plugins: [packagesRequired(scratch)],
  });
  await build({ ...clientBundle(options), entryPoints: { index: 'src/client/published.ts' } });
  // Each script for browsers is one file without Node's modules.
  const scripts = { 'sign-page': 'sign', 'edit-page': 'edit' };
  for (const [name, page] of Object.entries(scripts))
    await build({ ...browser(options), entryPoints: { [name]: `src/service/web/${page}/browser/main.ts` } });
  // CommonJS in one file starts faster, and TAB is pressed more often than any command is run.
  const completion = await build({
    ...commonJs,
    plugins: [asciiSources],
    entryPoints: { completion: 'src/cli/shell-completion/main.ts', help: 'src/cli/describe/answer-help.ts' },
  });
  await writeFile(join(scratch, 'THIRD-PARTY-NOTICES.txt'), await noticesOf(inputs, root));
  await writeFile(join(scratch, 'bom.json'), await bomOf(inputs, root));
  for (const [name, sources] of Object.entries(PUBLISHED_TYPES))
    await writeDeclarations(
      sources.map((path) => join(root, path)),
      join(scratch, `${name}.d.ts`),
      dist,
    );
  const { TREE: tree } = await loadSource('src/cli/tree.ts');
  const { helpFile, preparedCompletion, prepareHelp } = await loadSource('src/cli/describe/prepared.ts');
  await writeFile(join(scratch, 'help.data'), helpFile(await prepareHelp(tree)));
  await writeFile(join(scratch, 'completion.json'), JSON.stringify(await preparedCompletion(tree)));
  await writeFile(
    join(scratch, 'contents.json'),
    JSON.stringify(await contentsOf([...program, completion, ...packages], buildName)),
  );
  await writeFile(join(scratch, BUILT_FROM), builtFrom);
  for (const name of await readdir(scratch)) {
    const path = join(scratch, name);
    if (name.endsWith('.cjs')) await nameContent(path);
    if (name.endsWith('.map'))
      await writeFile(path, JSON.stringify(withLinesOnly(JSON.parse(await readFile(path, 'utf8')))));
  }
  const built = await readdir(scratch);
  const entriesLast = [...built.filter((name) => !ENTRIES.includes(name)), ...ENTRIES];
  await rm(join(dist, BUILT_FROM), { force: true });
  for (const name of entriesLast) await rename(join(scratch, name), join(dist, name));
  await removeStale(new Set(built));
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** @returns undefined before the first build */
function readBuiltFrom() {
  return readFile(join(dist, BUILT_FROM), 'utf8').catch(() => undefined);
}

/** Bundles a script for browsers of the last three years. */
function browser({ splitting: _, banner: __, chunkNames: ___, external: ____, define: _____, ...options }) {
  return { ...options, format: 'iife', platform: 'browser', target: ['chrome110', 'firefox110', 'safari16'] };
}

/** Bundles the client, which runs wherever `fetch` runs: esbuild refuses a module of Node. */
function clientBundle(options) {
  return { ...browser(options), format: 'esm', platform: 'neutral', lineLimit: SHOWN_LINE };
}

/**
 * Wraps the text in one function, which src/cli/start/bundles.ts calls as Node calls a CommonJS module: so V8 compiles
 * the text itself, and nothing has to be put around it at each start.
 */
function asBundle(options) {
  const head = `(function(exports,require,module,__filename,__dirname){"use strict";${UNNAMED}const __url=require("node:url").pathToFileURL(__filename).href;`;
  return {
    ...options,
    banner: { js: head },
    footer: { js: '})' },
    define: { ...options.define, 'import.meta.url': '__url' },
  };
}

/** Makes a file that calls its function itself where Node loads it as a CommonJS module. */
function asPackage({ banner, ...options }) {
  const call = '(run=>typeof module=="object"?run(exports,require,module,__filename,__dirname):run)';
  return { ...options, banner: { js: call + banner.js } };
}

function escaped(text) {
  return text.replace(
    /[^\u0000-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the exports of a bundle: the modules that other bundles require from it, each run when it is first required. */
function bundleEntry(name, askedFor) {
  const modules = askedFor.map(
    (path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(`./${path}`)})`,
  );
  const program = name === 'main' ? `export { program } from './${PROGRAM}';` : '';
  return `${program} export const modules = { ${modules.join(', ')} };`;
}

/**
 * Names the bundles of the program by the hash of their content together. A module required from another bundle is returned
 * itself, and not as a copy, which esbuild makes for modules that it does not know; no text moves, so that source maps stay correct.
 */
async function nameBuild() {
  const names = (await readdir(scratch)).filter(
    (file) => file === 'main.cjs' || file.includes(UNNAMED_BUILD),
  );
  const texts = new Map();
  for (const file of names.filter((file) => file.endsWith('.cjs')))
    texts.set(
      file,
      (await readFile(join(scratch, file), 'utf8'))
        .replace(/__toESM(\(require\("\.\/[\w-]+\.cjs#[^"]+"\))(,1)?\)/g, (text, asked) =>
          `${asked})`.padEnd(text.length),
        )
        .replace(/__toCommonJS(?=\(\w+_exports\d*\))/g, ' '.repeat('__toCommonJS'.length)),
    );
  const name = createHash('sha256')
    .update([...texts.values()].join('\n'))
    .digest('hex')
    .slice(0, 16);
  for (const file of names) {
    const path = join(scratch, file);
    const text = texts.get(file);
    if (text !== undefined) await writeFile(path, text.replaceAll(UNNAMED_BUILD, name));
    await rename(path, path.replace(UNNAMED_BUILD, name));
  }
  return name;
}

/** Writes the hash of a bundle over the placeholder in its header, which has the same length: the source map stays correct. */
async function nameContent(path) {
  const read = await readFile(path, 'utf8');
  const text = basename(path).startsWith('package-') ? escaped(read) : read;
  if (escaped(text) !== text)
    throw new Error(`${basename(path)} is not ASCII, and would be read as something else.`);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  await writeFile(path, text.replace(UNNAMED, `/*code ${hash}*/`));
}

/**
 * Lists the packages that run as soon as a file is loaded, for the test of what a command may load. Modules that are imported later
 * are functions with the name of the module in the program's bundle; V8's coverage shows which of them a process called.
 */
async function contentsOf(builds, buildName) {
  const packageOf = (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
  const files = {};
  for (const [path, { inputs }] of builds.flatMap(({ metafile }) => Object.entries(metafile.outputs))) {
    if (!path.endsWith('.cjs')) continue;
    const name = basename(path).replace(UNNAMED_BUILD, buildName);
    const text = path.endsWith('.cjs') ? await readFile(join(scratch, name), 'utf8') : '';
    const atOnce = Object.keys(inputs).filter((input) => !text.includes(`${JSON.stringify(input)}(`));
    files[name] = [...new Set(atOnce.map(packageOf).filter(Boolean))].sort();
  }
  return files;
}

/** Removes files of earlier builds, once no process that started from them can still be loading them. */
async function removeStale(current) {
  // The package contains this build alone.
  const keepMs = process.argv.includes('--fresh') ? -1 : KEEP_MS;
  const now = new Date();
  for (const name of await readdir(dist)) {
    const path = join(dist, name);
    if (current.has(name)) {
      await utimes(path, now, now);
      continue;
    }
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now.getTime() }));
    if (now.getTime() - mtimeMs > keepMs) await rm(path, { recursive: true, force: true });
  }
}
