// Measures what a user downloads and installs: the packed package, and the packages that are installed beside it on this
// system, each large part with its purpose.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MB = 1_000_000;
const LARGE = 0.2 * MB;

/** The purpose of each large part; a part that is not named here needs an explanation. */
const WHAT_FOR = {
  dist: 'the program twice, for the command line and as modules for programs and for the process for documents; packages once',
  fonts:
    'Latin, Greek, Cyrillic, Arabic, Hebrew, Devanagari, signs and handwriting, for pages without their fonts and for values',
  man: 'a man page for every command and topic',
  docs: 'the API as OpenAPI, the rules of the service, the picture of the README',
  '@embedpdf/pdfium':
    'PDFium as WebAssembly: opens, counts, draws and reads pages; once, in three kinds of modules with maps',
  '@jsquash/webp': 'libwebp as WebAssembly, loaded with the first WebP picture',
  'jq-wasm': 'jq as WebAssembly, loaded with --jq; the programs as well as the module',
  '@photostructure/sqlite': 'optional: SQLite for Node below 22.13, for six systems, and its source',
  'node-addon-api': 'comes with @photostructure/sqlite',
  '@napi-rs/keyring': 'optional: the keyring of the desktop; one file for the system it is installed on',
};

export function tarball() {
  const { size, files } = packFresh();
  const parts = new Map();
  for (const file of files) {
    const part = file.path.includes('/') ? file.path.split('/')[0] : 'files beside them';
    parts.set(part, (parts.get(part) ?? 0) + file.size);
  }
  return `${mb(size)} MB packed, ${mb(total(parts))} MB unpacked${listFiles(parts)}`;
}

export function installed() {
  const weights = new Map();
  for (const [path, { dev }] of Object.entries(lockedPackages()))
    if (path !== '' && !dev && existsSync(join(root, path)))
      weights.set(path.replace(/^.*node_modules\//, ''), weightOf(join(root, path)));
  return `${weights.size} packages, ${mb(total(weights))} MB${listFiles(weights)}`;
}

/** Bundles a program that uses nothing of the package but `createClient`, for a browser. */
export async function clientBundle() {
  const { minified, gzip } = await bundleClient();
  return `${(gzip / 1000).toFixed(1)} kB gzip, ${(minified / 1000).toFixed(1)} kB minified`;
}

export async function bundleClient() {
  const { outputFiles } = await build({
    stdin: {
      contents: "import { createClient } from '@esign-cli/esign'; globalThis.make = createClient;",
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const [{ contents }] = outputFiles;
  return { minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}

/** Packs a fresh build, so that files of older builds are not packed. */
function packFresh() {
  spawnSync(process.execPath, [join(root, 'scripts/build.js'), '--fresh']);
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = spawnSync('npm', words, { cwd: root, encoding: 'utf8', maxBuffer: 64 * MB });
  return JSON.parse(stdout)[0];
}

const lockedPackages = () => JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;

function weightOf(folder) {
  let bytes = 0;
  for (const name of readdirSync(folder, { recursive: true })) {
    const { size, ...found } = statSync(join(folder, name));
    if (found.mode & 0o100000) bytes += size;
  }
  return bytes;
}

function listFiles(parts) {
  return [...parts]
    .filter(([, bytes]) => bytes > LARGE)
    .sort(([, one], [, other]) => other - one)
    .map(([name, bytes]) => {
      const owner = Object.keys(WHAT_FOR).find((known) => name === known || name.startsWith(`${known}-`));
      return `\n    ${mb(bytes).padStart(5)}  ${name}: ${WHAT_FOR[owner] ?? 'nobody has said what for'}`;
    })
    .join('');
}

const total = (parts) => [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
const mb = (bytes) => (bytes / MB).toFixed(1);
