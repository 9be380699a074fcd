// The main script of the single executable, which is Node with the program inside. Its first start unpacks the program into a
// folder of the user; every start runs it from there, so that child processes, threads and cached code are as in the package.
// Nothing is taken from a folder that other users could have written (decision 0036).
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { COMMAND_LINE, OWN_PROGRAM, UNPACKED_FOLDER } from '../../common/own-program.ts';
import { pathsOf } from '../../config/environment.ts';
import { currentUser, distrustOf, makeTrustedFolder } from '../../files/trust.ts';

/** Made by scripts/executables.js. */
type Contents = {
  version: string;
  /** Has the version and a hash of everything, so that two builds never share a folder. */
  name: string;
  /** The files of each folder with their sizes, in the order of their bytes in the asset `program`. */
  folders: readonly (readonly [path: string, files: readonly (readonly [name: string, size: number])[]])[];
};

/** What another process may start. A path would make every script of the machine a program of ours. */
const PROGRAMS: ReadonlyMap<string, string> = new Map([
  [COMMAND_LINE, `bin/${COMMAND_LINE}`],
  ['document-engine.js', 'dist/document-engine.js'],
  ['keyring.js', 'dist/keyring.js'],
]);

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A program that was not started for so long is removed when another version is unpacked. */
const UNUSED_MS = 30 * DAY_MS;
const PRIVATE_FILE = 0o600;

/** It is a part of this script, because the first asset that is read takes longer than everything else here. */
declare const __ESIGN_CONTENTS__: Contents;
const contents = __ESIGN_CONTENTS__;
const words = process.argv.slice(2);

function run(): void {
  const isOwn = words[0] === OWN_PROGRAM;
  const program = PROGRAMS.get(isOwn ? String(words[1]) : COMMAND_LINE);
  const folder = program && findFolder();
  if (!program || !folder) {
    process.exitCode = 1;
    return;
  }
  const script = join(folder, program);
  process.argv = [process.execPath, script, ...words.slice(isOwn ? 2 : 0)];
  markUsed(folder);
  const require = createRequire(script);
  if (basename(script) === COMMAND_LINE) require(script);
  // Only a script in a file can import files: this one finds the parts of Node alone.
  else require('../bin/import.cjs').importScript(pathToFileURL(script).href);
}

/** @returns undefined, after saying why, where the program can be unpacked nowhere */
function findFolder(): string | undefined {
  const { [UNPACKED_FOLDER]: ofParent } = process.env;
  delete process.env[UNPACKED_FOLDER];
  if (ofParent && basename(ofParent) === contents.name && isUsable(ofParent)) return ofParent;
  const places = placesToUnpack();
  for (const place of places) if (isUsable(join(place, contents.name))) return join(place, contents.name);
  const reasons: string[] = [];
  for (const place of places) {
    try {
      return unpack(place);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  const variable = process.env.ESIGN_HOME ? 'ESIGN_HOME' : 'XDG_CACHE_HOME';
  process.stderr.write(
    [
      'esign could not unpack its program, which it does at its first start.',
      ...reasons.map((reason) => `  ${reason}`),
      `Set ${variable} to a directory with 50 MB of free space that only you can change.\n`,
    ].join('\n'),
  );
  return undefined;
}

/** The cache of the user, and a folder of the user's own beside the temporary files where there is no home, or one that cannot be used. */
function placesToUnpack(): string[] {
  const places = [join(tmpdir(), `esign-${currentUser()?.id ?? 'program'}`)];
  try {
    const environment = { variables: process.env, homeDir: homedir(), workingDir: process.cwd() };
    places.unshift(pathsOf(environment).programDir);
  } catch {
    // There is no home, or no working directory any more.
  }
  return places;
}

/** Checks owners, and that every file is there and whole: a system removes files of temporary folders one by one, and an emptied script would do nothing and succeed. */
function isUsable(folder: string): boolean {
  try {
    if (!lstatSync(folder).isDirectory() || distrustOf(folder)) return false;
    return contents.folders.every(([path, files]) =>
      files.every(([name, size]) => {
        const stats = lstatSync(join(folder, path, name));
        return stats.isFile() && stats.size === size;
      }),
    );
  } catch {
    return false;
  }
}

function unpack(place: string): string {
  makeTrustedFolder(place);
  const folder = join(place, contents.name);
  const unfinished = mkdtempSync(join(place, `${UNFINISHED}${process.pid}-`));
  try {
    writeFiles(unfinished);
    if (!putInPlace(unfinished, folder)) throw new Error(`${folder} cannot be replaced.`);
  } finally {
    remove(unfinished);
  }
  removeUnused(place, folder);
  return folder;
}

const UNFINISHED = '.unpacking-';
const REPLACED = '.replaced-';

/** Files reach the disk before the folder gets its name: a machine that loses power has all of them, or none. */
function writeFiles(folder: string): void {
  const { gunzipSync } = process.getBuiltinModule('node:zlib');
  const bytes = gunzipSync(getRawAsset('program'));
  const written: string[] = [];
  let at = 0;
  for (const [path, files] of contents.folders) {
    mkdirSync(join(folder, path), { recursive: true, mode: 0o700 });
    for (const [name, size] of files) {
      const file = join(folder, path, name);
      writeFileSync(file, bytes.subarray(at, at + size), { flag: 'wx', mode: PRIVATE_FILE });
      written.push(file);
      at += size;
    }
  }
  for (const file of written) {
    // Windows flushes only what is open for writing.
    const descriptor = openSync(file, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Another process may do the same at the same time: whichever is first stays. @returns whether the program is there */
function putInPlace(unfinished: string, folder: string): boolean {
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      renameSync(unfinished, folder);
      return isUsable(folder);
    } catch {
      if (isUsable(folder)) return true;
      // On Windows, a scanner of viruses may have a new file open for a moment.
      if (tries > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      // Something is missing in it: running programs find what they need in its successor.
      const replaced = mkdtempSync(join(dirname(folder), `${REPLACED}${process.pid}-`));
      attempt(() => renameSync(folder, join(replaced, 'program')));
      remove(replaced);
    }
  }
  return false;
}

function removeUnused(place: string, current: string): void {
  const now = Date.now();
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const isOld = (ageMs: number) => now - statSync(path).mtimeMs > ageMs;
    const [, pid] = /^\.(?:unpacking|replaced)-(\d+)-/.exec(name) ?? [];
    attempt(() => {
      if (pid ? !isRunning(Number(pid)) || isOld(DAY_MS) : path !== current && isOld(UNUSED_MS))
        if (!hasRunning(path, now)) rmSync(path, { recursive: true, force: true });
    });
  }
}

const RUNNING = /^running-(\d+)$/;

/** Processes of another container do not count as running here, so the time of their mark counts as well. */
const hasRunning = (folder: string, now: number): boolean =>
  readdirSync(folder).some((name) => {
    const [, pid] = RUNNING.exec(name) ?? [];
    if (!pid) return false;
    return isRunning(Number(pid)) || now - statSync(join(folder, name)).mtimeMs < UNUSED_MS;
  });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Records that the folder is in use: at the first start of a day, and each hour while a process runs that may still load from it. */
function markUsed(folder: string): void {
  attempt(() => {
    if (Date.now() - statSync(folder).mtimeMs > DAY_MS) utimesSync(folder, new Date(), new Date());
  });
  const mark = join(folder, `running-${process.pid}`);
  let isMarked = false;
  setInterval(() => {
    attempt(() => writeFileSync(mark, '', { mode: PRIVATE_FILE }));
    if (!isMarked) process.once('exit', () => remove(mark));
    isMarked = true;
  }, HOUR_MS).unref();
}

const remove = (path: string): void => attempt(() => rmSync(path, { recursive: true, force: true }));

/** Does what helps the next start, and what this one can do without. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // The folder is read-only, or another process was faster.
  }
}

if (words[0] === '--version' || words[0] === '-V') process.stdout.write(`${contents.version}\n`);
else run();
