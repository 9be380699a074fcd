// Writes files into a folder. Names come from documents, which other people may have named: a file must never leave the folder,
// and never replace an existing one unless the user asked for that.
import { randomBytes } from 'node:crypto';
import { access, constants, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { distinctNames } from '../../api/contract/files.ts';
import { readFileUpTo } from '../../files/read-file.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';

export type Folder = {
  /** Checks that the names are free. @throws CliError exit 2 with the first one that is taken */
  mustBeFree(names: readonly string[]): Promise<void>;
  /** Whether the folder has this file with exactly these bytes. */
  holds(name: string, bytes: Uint8Array): Promise<boolean>;
  /** As the folder was given. */
  pathOf(name: string): string;
  /**
   * @param mode the permissions; absent: the default of the system
   * @returns the path, as the folder was given
   */
  write(name: string, bytes: Uint8Array, mode?: number): Promise<string>;
};

/** `force` names the option that overwrites; `hint` replaces the sentence with it and --output. */
export type Overwriting = { isForced: boolean; force: string; hint?: string | undefined };

/**
 * Checks that files can be written into a folder later, and changes nothing.
 * @throws CliError exit 2 with the first name that is taken, or with why the folder cannot be used
 */
export async function checkFolder(
  { process }: Uses<'process'>,
  typedPath: string,
  names: readonly string[],
  overwriting: Overwriting,
): Promise<void> {
  const folder = resolve(process.workingDir, typedPath);
  const refuse = (error: NodeJS.ErrnoException) => {
    throw notWritable(typedPath, error, overwriting.hint);
  };
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? undefined : refuse(error),
  );
  if (stats && !stats.isDirectory()) refuse(Object.assign(new Error(), { code: 'ENOTDIR' }));
  await access(stats ? folder : dirname(folder), constants.W_OK).catch(refuse);
  if (stats && !overwriting.isForced) await refuseTaken(folder, typedPath, names, overwriting);
}

/** Opens a folder. It makes a missing one, but not the folders above it. */
export async function openFolder(
  { process }: Uses<'process'>,
  typedPath: string,
  overwriting: Overwriting,
): Promise<Folder> {
  const { isForced, hint } = overwriting;
  const folder = resolve(process.workingDir, typedPath);
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw notWritable(typedPath, error, hint);
  });
  return {
    async mustBeFree(names) {
      if (!isForced) await refuseTaken(folder, typedPath, names, overwriting);
    },
    pathOf: (name) => join(typedPath, name),
    holds: async (name, bytes) => holdsExactly(join(folder, name), bytes),
    async write(name, bytes, mode) {
      const path = join(folder, name);
      const shown = join(typedPath, name);
      try {
        if (isForced) await replace(path, bytes, mode);
        else await writeFile(path, bytes, { flag: 'wx', ...(mode !== undefined && { mode }) });
      } catch (error) {
        const failure = error as NodeJS.ErrnoException;
        throw failure.code === 'EEXIST' ? nameTaken(shown, overwriting) : notWritable(shown, failure, hint);
      }
      return shown;
    },
  };
}

/** Compares a file with bytes. It does not follow a link, because its target is not a file of this folder. */
function holdsExactly(path: string, bytes: Uint8Array): boolean {
  try {
    const present = readFileUpTo(path, { mostBytes: bytes.length, isLinkRefused: true });
    return Buffer.compare(present, bytes) === 0;
  } catch {
    return false;
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Writes a file completely or not at all. It replaces a link, and leaves its target as it is. */
async function replace(path: string, bytes: Uint8Array, mode: number | undefined): Promise<void> {
  const scratch = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(scratch, bytes, { flag: 'wx', ...(mode !== undefined && { mode }) });
    await rename(scratch, path);
  } catch (error) {
    await rm(scratch, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function refuseTaken(
  folder: string,
  typedPath: string,
  names: readonly string[],
  overwriting: Overwriting,
): Promise<void> {
  for (const name of names)
    if (await isThere(join(folder, name))) throw nameTaken(join(typedPath, name), overwriting);
}

const nameTaken = (path: string, { force, hint }: Overwriting) =>
  cliError('file_exists', {
    sentence: `"${path}" already exists.`,
    hint: hint ?? `Specify another directory with --output, or overwrite the file with ${force}.`,
  });

const REASONS: Record<string, string> = {
  ENOENT: 'the directory above it does not exist',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  EISDIR: 'it is a directory',
};

const notWritable = (path: string, { code = 'unknown' }: NodeJS.ErrnoException, hint?: string) =>
  cliError('file_not_writable', {
    sentence: `"${path}" cannot be written: ${REASONS[code] ?? `the system reports ${code}`}.`,
    hint: hint ?? 'Specify another directory with --output.',
  });

// ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Characters that file systems refuse, that shells and terminals interpret, or that are invisible. */
const NOT_IN_NAMES = /[/\\:*?"<>|]|[\p{C}\p{Zl}\p{Zp}]/gu;
/** Devices of Windows, whatever their ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
/** The limit for the stem. A name may have 255 bytes, and a number and the ending follow. */
const LONGEST_BYTES = 200;

/** Makes unique names of files without their endings. */
export const fileStems = (names: readonly string[]): string[] =>
  // As the service numbers sealed documents: `contract-2.sealed`.
  distinctNames(names.map(stemOf), (stem, number) => stem.replace(/(\.sealed)?$/, `-${number}$1`));

/** `contract.final.pdf` → `contract.final` */
function stemOf(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(/(?<=.)\.[^.]*$/, '')
    .replace(NOT_IN_NAMES, '_')
    .replace(/^[\s.-]+|[\s.]+$/g, '');
  const stem = shortened(plain) || 'document';
  return DEVICE.test(stem) ? `_${stem}` : stem;
}

function shortened(text: string): string {
  let stem = '';
  for (const character of text) {
    if (Buffer.byteLength(stem + character) > LONGEST_BYTES) break;
    stem += character;
  }
  return stem;
}
