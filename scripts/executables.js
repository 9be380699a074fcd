// Makes the single executables of a release: Node with the program inside (src/cli/start/executable.ts), for every system from one
// machine. It runs no executable. Archives are a second step, because a macOS machine signs its executables in between.
//   npm run release -- --executables --nodes DIR --out DIR [--only linux-x64,…]
//   npm run release -- --archives --out DIR
// DIR of nodes has a folder for each target (linux-x64/node, windows-x64/node.exe), with the LICENSE of Node beside it, as
// scripts/fetch-nodes.js makes it, and `builder/node`, a newer Node of this machine's system, which puts the content into the others.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { tarOf, zipOf } from './archives.js';
import { withNode } from './bom.js';
import { formulasOf } from './formulas.js';
import { noticeOf, packagesOf } from './licenses.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The systems, with the package that has the keyring of each. */
export const TARGETS = {
  'linux-x64': { keyring: 'linux-x64-gnu' },
  'linux-arm64': { keyring: 'linux-arm64-gnu' },
  'darwin-x64': { keyring: 'darwin-x64' },
  'darwin-arm64': { keyring: 'darwin-arm64' },
  'windows-x64': { keyring: 'win32-x64-msvc' },
};

const isWindows = (target) => target.startsWith('windows-');
const programFile = (target) => (isWindows(target) ? 'esign.exe' : 'esign');
const nodeFile = (target) => (isWindows(target) ? 'node.exe' : 'node');
export const archiveOf = (target) => `esign-v${version}-${target}.${isWindows(target) ? 'zip' : 'tar.gz'}`;

/** The first version that has `--build-sea`. */
const OLDEST = [25, 5];

/** The command line of both steps. */
export async function runOptions(args) {
  const options = { executables: BOOLEAN, archives: BOOLEAN, nodes: STRING, out: STRING, only: STRING };
  try {
    const { values } = parseArgs({ args, options });
    if (!values.out) throw new Error('--out DIR is missing: the folder of the files of the release.');
    if (values.executables && !values.nodes)
      throw new Error('--nodes DIR is missing: the folder with the Node of each target.');
    const made = values.executables
      ? await makeExecutables({ ...values, only: values.only?.split(',') })
      : makeArchives(values.out);
    for (const path of made) process.stdout.write(`${path} ${(statSync(path).size / 1e6).toFixed(1)} MB\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

const BOOLEAN = { type: 'boolean' };
const STRING = { type: 'string' };

/** @returns the paths of the executables */
export async function makeExecutables({ nodes, out, only = Object.keys(TARGETS) }) {
  const unknown = only.filter((target) => !Object.hasOwn(TARGETS, target));
  if (unknown.length > 0)
    throw new Error(
      `There is no target ${unknown.join(', ')}: the targets are ${Object.keys(TARGETS).join(', ')}.`,
    );
  const [host, builder] = [hostNode(nodes), builderIn(nodes)];
  const binaries = only.map((target) => [target, nodeIn(nodes, target)]);
  const scratch = mkdtempSync(join(tmpdir(), 'esign-executables-'));
  const made = [];
  try {
    const shared = sharedFiles();
    for (const [target, node] of binaries) {
      const folder = join(out, target);
      mkdirSync(folder, { recursive: true });
      const keyring = packageFolder(keyringOf(target), scratch);
      const files = new Map([...shared, ...keyringFiles(target, keyring)]);
      const output = join(folder, programFile(target));
      await buildExecutable({ target, host, builder, node, files, scratch, output });
      made.push(output);
      writeFileSync(join(folder, 'LICENSE'), readFileSync(join(root, 'LICENSE')));
      writeFileSync(
        join(folder, 'THIRD-PARTY-NOTICES.txt'),
        await noticesOf(shared, keyring, join(nodes, target)),
      );
    }
    const natives = only.map((target) => `node_modules/${keyringOf(target)}`);
    const bom = readFileSync(join(root, 'dist/bom.json'), 'utf8');
    writeFileSync(join(out, 'bom.json'), await withNode(bom, versionOf(host), natives, root));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return made;
}

function nodeIn(nodes, target) {
  const path = resolve(nodes, target, nodeFile(target));
  if (!existsSync(path))
    throw new Error(
      `${path} is missing: that is the Node of ${target}. scripts/fetch-nodes.js fetches all of them.`,
    );
  return path;
}

/** The Node of this system: it makes the content of every executable, in the form that its version reads. */
function hostNode(nodes) {
  const system = { win32: 'windows' }[process.platform] ?? process.platform;
  return nodeIn(nodes, `${system}-${process.arch}`);
}

/** A newer Node of this system, which can put the content into the Node of any system. */
function builderIn(nodes) {
  const builder = resolve(nodes, 'builder', process.platform === 'win32' ? 'node.exe' : 'node');
  const version = versionOf(builder);
  const [major, minor] = version.split('.').map(Number);
  if (!(major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])))
    throw new Error(
      `${builder} must be Node ${OLDEST.join('.')} or newer of this system; ${version ? `it is ${version}` : 'it does not run'}.`,
    );
  return builder;
}

/** @returns an empty text for a file that does not run here */
const versionOf = (node) =>
  (spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '').trim().slice(1);

async function buildExecutable({ target, host, builder, node, files, scratch, output }) {
  const folders = groupByFolder(files);
  const program = Buffer.concat([...folders.values()].flat().map((path) => files.get(path)));
  const listed = [...folders].map(([folder, paths]) => [
    folder,
    paths.map((path) => [basename(path), files.get(path).length]),
  ]);
  const hash = createHash('sha256').update(JSON.stringify(listed)).update(program).digest('hex');
  const contents = { version, name: `${version}-${hash.slice(0, 16)}`, folders: listed };
  const [main, packed] = ['main.cjs', 'program'].map((name) => join(scratch, name));
  await esbuild.build({
    entryPoints: [join(root, 'src/cli/start/executable.ts')],
    outfile: main,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    define: { __ESIGN_CONTENTS__: JSON.stringify(contents) },
    logLevel: 'warning',
  });
  writeFileSync(packed, gzipSync(program, { level: 9 }));
  const config = {
    main,
    executable: node,
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // NODE_OPTIONS, and a file of `--env-file` that sets it, are for other programs, and whoever may pass arguments may pass no options of Node.
    execArgvExtension: 'none',
    // The code of another system cannot be made here; the program has its own cache of code (decision 0027).
    useCodeCache: false,
    assets: { program: packed },
  };
  const make = (maker, option, path) => {
    const settings = join(scratch, 'sea.json');
    writeFileSync(settings, JSON.stringify({ ...config, output: path }));
    rmSync(path, { force: true });
    const { status, stdout, stderr } = spawnSync(maker, [option, settings], { encoding: 'utf8' });
    if (status !== 0 || !existsSync(path))
      throw new Error(`${maker} did not make ${path}:\n${stdout}${stderr}`);
    return readFileSync(path);
  };
  const [written, wanted] = [builder, host].map((maker) =>
    make(maker, '--experimental-sea-config', join(scratch, 'content')),
  );
  const executable = make(builder, '--build-sea', output);
  replaceContent(executable, written, wanted);
  checkFormat(executable, target);
  writeFileSync(output, executable, { mode: 0o755 });
  chmodSync(output, 0o755);
}

/** @returns the paths in each folder, always in the same order */
function groupByFolder(files) {
  const folders = new Map();
  for (const path of [...files.keys()].sort())
    folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return folders;
}

/** The builder writes the content in the form of its own version, which is longer by what newer versions added. */
function replaceContent(executable, written, wanted) {
  const at = executable.indexOf(written);
  if (at < 0 || executable.indexOf(written, at + 1) >= 0 || wanted.length > written.length)
    throw new Error('The content is not in the executable as the builder makes it: this builder is too new.');
  executable.fill(0, at, at + written.length);
  wanted.copy(executable, at);
}

/** Refuses the Node of another system or processor in the folder of a target. */
function checkFormat(executable, target) {
  const start = executable.readUInt32LE(target.startsWith('windows-') ? executable.readUInt32LE(0x3c) : 0);
  const [magic, place, machine] = FORMATS[target];
  const at = isWindows(target) ? executable.readUInt32LE(0x3c) + place : place;
  if (start !== magic || executable.readUInt16LE(at) !== machine)
    throw new Error(`The Node of ${target} is made for another system or processor.`);
}

/** The first bytes of each format, the place of its processor, and the number of the processor. */
const FORMATS = {
  'linux-x64': [0x464c457f, 18, 0x3e],
  'linux-arm64': [0x464c457f, 18, 0xb7],
  'darwin-x64': [0xfeedfacf, 4, 7],
  'darwin-arm64': [0xfeedfacf, 4, 12],
  'windows-x64': [0x00004550, 4, 0x8664],
};

/** What the command line needs of the package: no declarations, no entries for programs, no pages of documentation. */
function sharedFiles() {
  const files = new Map();
  const add = (path, bytes = readFileSync(join(root, path))) => files.set(path, Buffer.from(bytes));
  add('package.json', JSON.stringify({ name: 'esign', version, type: 'module' }));
  add('bin/import.cjs', 'exports.importScript = (address) => import(address);\n');
  for (const path of ['bin/esign.js', 'bin/package.json']) add(path);
  for (const name of readdirSync(join(root, 'fonts'))) add(`fonts/${name}`);
  const dist = readdirSync(join(root, 'dist')).filter(
    (name) =>
      /\.cjs(\.map)?$/.test(name) ||
      ['completion.json', 'edit-page.js', 'help.data', 'sign-page.js'].includes(name),
  );
  for (const name of [...dist, ...withChunks(['document-engine.js', 'keyring.js'])]) add(`dist/${name}`);
  for (const [name, paths] of Object.entries(PACKAGES))
    for (const path of ['package.json', ...paths]) add(`node_modules/${name}/${path}`);
  return files;
}

/** The files of packages that are not bundled. This Node has SQLite. */
const PACKAGES = {
  '@embedpdf/pdfium': ['dist/pdfium.wasm'],
  '@jsquash/webp': ['codec/dec/webp_dec.wasm'],
  '@napi-rs/keyring': ['index.js'],
  'jq-wasm': ['dist/index.cjs', 'dist/build/jq.wasm'],
};

function withChunks(names) {
  const found = new Set(names);
  for (const name of found)
    for (const [, chunk] of readFileSync(join(root, 'dist', name), 'utf8').matchAll(/"\.\/(chunk-\w+\.js)"/g))
      found.add(chunk);
  return found;
}

const keyringOf = (target) => `@napi-rs/keyring-${TARGETS[target].keyring}`;

const keyringFiles = (target, folder) =>
  ['package.json', ...readdirSync(folder).filter((file) => file.endsWith('.node'))].map((file) => [
    `node_modules/${keyringOf(target)}/${file}`,
    readFileSync(join(folder, file)),
  ]);

/** The package of this system is installed. Those of the others come from the registry, and have to be what package-lock.json says. */
function packageFolder(name, scratch) {
  const installed = join(root, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${name}`
  ];
  const packing = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    scratch,
    `${name}@${locked.version}`,
  ];
  const { status, stdout, stderr } = spawnSync('npm', packing, {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm did not fetch ${name}@${locked.version}:\n${stderr}`);
  const tarball = join(scratch, JSON.parse(stdout)[0].filename);
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (integrity !== locked.integrity)
    throw new Error(
      `${name}@${locked.version} is ${integrity}, and package-lock.json says ${locked.integrity}.`,
    );
  const folder = join(scratch, basename(tarball, '.tgz'));
  mkdirSync(folder, { recursive: true });
  const unpacking = spawnSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], {
    encoding: 'utf8',
  });
  if (unpacking.status !== 0) throw new Error(`tar did not unpack ${tarball}:\n${unpacking.stderr}`);
  return folder;
}

/** Everything that the executable has of others: what is bundled, packages beside it, Node itself. */
async function noticesOf(files, keyring, nodeFolder) {
  const parts = [readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')];
  const folders = packagesOf(files.keys()).map((path) => join(root, path));
  for (const folder of [...folders, keyring]) parts.push(await noticeOf(folder));
  const license = join(nodeFolder, 'LICENSE');
  if (!existsSync(license))
    throw new Error(`${license} is missing: executables contain Node, with its license.`);
  parts.push(`Node.js\n\n${readFileSync(license, 'utf8')}`);
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Packs what `makeExecutables` made, with the installers beside it, and formulas where there are executables of all systems. The same files give the same bytes. @returns the paths of archives and of checksums.txt */
export function makeArchives(out) {
  const targets = Object.keys(TARGETS).filter((target) => existsSync(join(out, target, programFile(target))));
  if (targets.length === 0)
    throw new Error(`There is no executable in ${out}: make them with --executables.`);
  const archives = targets.map((target) => {
    const folder = join(out, target);
    const files = readdirSync(folder)
      .sort()
      .map((name) => ({
        name,
        bytes: readFileSync(join(folder, name)),
        isProgram: name === programFile(target),
      }));
    const path = join(out, archiveOf(target));
    writeFileSync(path, isWindows(target) ? zipOf(files) : gzipSync(tarOf(files)));
    return path;
  });
  const installers = ['install.sh', 'install.ps1'].map((name) => {
    copyFileSync(join(root, 'scripts', name), join(out, name));
    return join(out, name);
  });
  const checksums = writeChecksums(out);
  return [
    ...archives,
    ...installers,
    checksums,
    ...(targets.length === Object.keys(TARGETS).length ? writeFormulas(out) : []),
  ];
}

/** `sha256sum --check` reads this form: the hash, two blanks, the name. */
function writeChecksums(out) {
  const archives = Object.keys(TARGETS).map(archiveOf);
  const names = [...archives, 'bom.json', 'install.ps1', 'install.sh'].filter((name) =>
    existsSync(join(out, name)),
  );
  const hashOf = (name) =>
    createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex');
  const path = join(out, CHECKSUMS);
  writeFileSync(
    path,
    names
      .sort()
      .map((name) => `${hashOf(name)}  ${name}\n`)
      .join(''),
  );
  return path;
}

function writeFormulas(out) {
  const formulas = formulasOf(version, readFileSync(join(out, CHECKSUMS), 'utf8'));
  return Object.entries(formulas).map(([name, text]) => {
    writeFileSync(join(out, name), text);
    return join(out, name);
  });
}

export const CHECKSUMS = 'checksums.txt';
