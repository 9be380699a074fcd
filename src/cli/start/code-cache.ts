// Caches compiled code between runs, in a folder that only the user can write. A file contains what V8 made of one bundle, the
// runs it learned from, and a checksum, because V8 checks only the length of the source: one wrong byte can crash or hang it.
// The cache must never be needed and never throw: a missing, damaged, foreign or forbidden file counts as absent.
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readTrustedFile } from '../../files/read-file.ts';
import { makeTrustedFolder } from '../../files/trust.ts';

export type KeptCode = { code: Buffer; learned: readonly string[] };

export type CodeCache = {
  /** @param hash of what the bundle holds */
  read(bundle: string, hash: string): KeptCode | undefined;
  write(bundle: string, hash: string, kept: KeptCode): void;
};

export type Runtime = {
  version: string;
  versions: { v8: string };
  platform: string;
  arch: string;
  execArgv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  pid: number;
};

/** After the code come the runs as JSON, their length, the checksum of everything before it, and the kind of the file. */
const MAGIC = 'esign-v1';
const TRAILER_BYTES = 8 + MAGIC.length;

const LARGEST_BYTES = 32 * 1024 * 1024;
const MOST_FILES = 40;
const OLDEST_MS = 30 * 24 * 60 * 60 * 1000;
const ABANDONED_MS = 60 * 60 * 1000;

export function openCodeCache(folder: string, runtime: Runtime): CodeCache {
  const fits = fittingOf(runtime);
  const fileOf = (bundle: string, hash: string) =>
    join(folder, `${bundle.replace(/\.cjs$/, '')}-${hash}-${fits}.bin`);
  return {
    read(bundle, hash) {
      try {
        const bytes = readTrustedFile(fileOf(bundle, hash), {
          mostBytes: LARGEST_BYTES,
          isLinkRefused: true,
        });
        return bytes && keptIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      } catch {
        return undefined;
      }
    },
    write(bundle, hash, kept) {
      const file = fileOf(bundle, hash);
      const unfinished = `${file}.${runtime.pid}.tmp`;
      try {
        makeTrustedFolder(folder);
        writeFileSync(unfinished, fileWith(kept), { flag: 'wx', mode: 0o600 });
        renameSync(unfinished, file);
        removeOld(folder, statSync(file).mtimeMs);
      } catch {
        discard(unfinished);
      }
    },
  };
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be removed, nothing was written either.
  }
}

/** Names the version and options of Node. Another version, or other options, have other files. */
function fittingOf({ version, versions, platform, arch, execArgv, env }: Runtime): string {
  const options = [...execArgv, ...(env.NODE_OPTIONS ? [env.NODE_OPTIONS] : [])].join(' ');
  const marked = options === '' ? '' : `-${crc32(options).toString(16)}`;
  return `${version}-${versions.v8}-${platform}-${arch}${marked}`;
}

function fileWith({ code, learned }: KeptCode): Buffer {
  const runs = Buffer.from(JSON.stringify(learned));
  const trailer = Buffer.alloc(TRAILER_BYTES, MAGIC, 'latin1');
  trailer.write(MAGIC, 8, 'latin1');
  trailer.writeUInt32LE(runs.length, 0);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, 4), crc32(runs, crc32(code))), 4);
  return Buffer.concat([code, runs, trailer]);
}

function keptIn(bytes: Buffer): KeptCode | undefined {
  const end = bytes.length - TRAILER_BYTES;
  if (end < 0 || bytes.toString('latin1', end + 8) !== MAGIC) return undefined;
  const codeEnd = end - bytes.readUInt32LE(end);
  if (codeEnd < 0 || crc32(bytes.subarray(0, end + 4)) !== bytes.readUInt32LE(end + 4)) return undefined;
  const learned = JSON.parse(bytes.toString('utf8', codeEnd, end)) as string[];
  return { code: bytes.subarray(0, codeEnd), learned };
}

/** Removes files of other versions, old files, and files that were not written completely. */
function removeOld(folder: string, nowMs: number): void {
  const files = readdirSync(folder)
    .filter((name) => /\.(bin|tmp)$/.test(name))
    .map((name) => ({ path: join(folder, name), ageMs: ageOf(join(folder, name), nowMs) }))
    .sort((a, b) => a.ageMs - b.ageMs);
  files.forEach(({ path, ageMs }, index) => {
    const limitMs = path.endsWith('.tmp') ? ABANDONED_MS : OLDEST_MS;
    if (ageMs > limitMs || index >= MOST_FILES) rmSync(path, { force: true });
  });
}

const ageOf = (path: string, nowMs: number): number =>
  nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);

/** The commands that people and scripts call often. */
const OFTEN = new Set([
  'tx create',
  'tx download',
  'tx list',
  'tx send',
  'tx show',
  'tx start',
  'tx wait',
  'verify',
]);

/** Commands that promise to change nothing. */
const NEVER = new Set(['doctor']);

const MOST = 16;

/**
 * Whether to cache the code after this run.
 * @param learned the runs that the cached code came from; none when nothing was cached
 * @param run the command and what it loaded beside the program
 */
export const isWorthKeeping = (learned: readonly string[], command: string, run: string): boolean =>
  !NEVER.has(command) &&
  (learned.length === 0 || (OFTEN.has(command) && learned.length < MOST && !learned.includes(run)));
