// Writes secrets to a file of variables (.env), a line `NAME=value` each. Programs of all kinds read such files, so everything else in
// them keeps its bytes, and a value that some reader would understand in another way is refused.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, lstat, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { LockTimeoutError, removeQuietly, runLocked } from '../database/file-locks.ts';
import { currentUser } from '../files/trust.ts';
import { syncFolder } from './private-file.ts';

/** Thrown for a file that cannot take the variables. @property isTaken a variable is in the file already */
export class EnvFileError extends Error {
  override name = 'EnvFileError';
  readonly hint: string;
  readonly isTaken: boolean;

  constructor(message: string, hint: string, isTaken = false) {
    super(message);
    this.hint = hint;
    this.isTaken = isTaken;
  }
}

/** @property shown the path as the user typed it, for errors. @property isReplaced a variable that the file has is replaced */
export type EnvFile = { path: string; shown: string; isReplaced: boolean };

/** Checks everything that writing needs, without changing anything. @throws EnvFileError */
export async function checkEnvFile(file: EnvFile, names: readonly string[]): Promise<void> {
  const stored = await readEnvFile(file);
  refuseTaken(file, stored?.text ?? '', names);
  const folder = dirname(file.path);
  await access(folder, constants.W_OK | constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new EnvFileError(`The directory of "${file.shown}" does not exist.`, 'Create it first.')
      : new EnvFileError(`The directory of "${file.shown}" cannot be written.`, 'Change its permissions.');
  });
}

/**
 * Writes the variables. The file is replaced as a whole, so that it has all of them or none.
 * @returns whether other users could read the file before; now they cannot
 * @throws EnvFileError, or the error of the system
 */
export const writeEnvFile = (
  file: EnvFile,
  variables: ReadonlyMap<string, string>,
): Promise<{ wasShared: boolean }> => locked(file, () => rewrite(file, variables));

async function rewrite(
  file: EnvFile,
  variables: ReadonlyMap<string, string>,
): Promise<{ wasShared: boolean }> {
  const stored = await readEnvFile(file);
  const before = stored?.text ?? '';
  refuseTaken(file, before, [...variables.keys()]);
  let text = before;
  for (const [name, value] of variables) text = withVariable(text, name, quoted(name, value));
  const { path } = file;
  const scratch = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(scratch, 'wx', OWNER_ONLY);
    try {
      await handle.writeFile(Buffer.from(text, 'latin1'));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(scratch, OWNER_ONLY);
    await rename(scratch, path);
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
  return { wasShared: stored?.isShared ?? false };
}

/**
 * Keeps two commands from each replacing the file by one without the variables of the other. The lock is a file beside it that is removed
 * afterwards, so that a process may get the lock of a file that is gone, or an error: it locks nothing, and tries again.
 */
async function locked<T>({ path, shown }: EnvFile, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(path), `.${basename(path)}.lock`);
  const results: Promise<T>[] = [];
  while (results.length === 0) {
    const before = await identityOf(lock);
    const isSame = async () => before !== undefined && before === (await identityOf(lock));
    try {
      await runLocked({ file: lock, withinMs: LOCKED_WITHIN_MS }, async () => {
        if (!(await isSame())) return;
        results.push(work());
        await results[0]?.catch(() => undefined);
        if (!IS_WINDOWS) removeQuietly(lock);
      });
    } catch (error) {
      if (error instanceof LockTimeoutError)
        throw new EnvFileError(`Another esign process is writing "${shown}".`, 'Try again.');
      // The disk has no locks: a secret that is written without one is better than none.
      if (results.length === 0 && before === (await identityOf(lock))) results.push(work());
    }
  }
  if (IS_WINDOWS) removeQuietly(lock);
  return results[0] as Promise<T>;
}

/** Windows removes no file that is open, and so none that another process has locked. */
const IS_WINDOWS = process.platform === 'win32';
const LOCKED_WITHIN_MS = 10_000;

/** Undefined where there is no file. */
const identityOf = (path: string): Promise<bigint | undefined> =>
  lstat(path, { bigint: true }).then(
    ({ ino }) => ino,
    () => undefined,
  );

const OWNER_ONLY = 0o600;
const FOR_OTHERS = 0o077;
const LONGEST_BYTES = 1024 * 1024;

/** Reads the file as Latin-1, in which every byte is one character. Undefined when there is none. */
async function readEnvFile({
  path,
  shown,
}: EnvFile): Promise<{ text: string; isShared: boolean } | undefined> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new EnvFileError(`The file "${shown}" cannot be read.`, 'Check the path and its permissions.');
  });
  if (!stats) return undefined;
  if (stats.isSymbolicLink())
    throw new EnvFileError(`"${shown}" is a symbolic link, not a file.`, 'Specify the file it leads to.');
  if (!stats.isFile())
    throw new EnvFileError(
      `"${shown}" is ${stats.isDirectory() ? 'a directory' : 'a device or a pipe'}, not a file.`,
      'Specify a file, such as .env.',
    );
  const user = currentUser();
  if (user && stats.uid !== user.id)
    throw new EnvFileError(
      `The file "${shown}" belongs to another user (uid ${stats.uid}).`,
      'Specify a file of your own.',
    );
  if (stats.size > LONGEST_BYTES)
    throw new EnvFileError(`The file "${shown}" is larger than 1 MiB.`, 'Specify a file with variables.');
  await access(path, constants.R_OK | constants.W_OK).catch(() => {
    throw new EnvFileError(`The file "${shown}" cannot be changed.`, 'Change its permissions.');
  });
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const text = (await handle.readFile()).toString('latin1');
    if (text.includes('\0'))
      throw new EnvFileError(`The file "${shown}" is not a text file.`, 'Specify a file with variables.');
    return { text, isShared: user !== undefined && (stats.mode & FOR_OTHERS) !== 0 };
  } finally {
    await handle.close();
  }
}

function refuseTaken({ shown, isReplaced }: EnvFile, text: string, names: readonly string[]): void {
  if (isReplaced) return;
  const taken = names.find((name) => assignmentsIn(text).some((assignment) => assignment.name === name));
  if (taken !== undefined)
    throw new EnvFileError(
      `The file "${shown}" has a variable ${taken} already.`,
      'Add --replace to replace its value, or choose another name with --env-name.',
      true,
    );
}

/** What the readers of such files take unquoted, and read the same. */
const PLAIN = /^[\w.+/=:@-]+$/;
const PRINTABLE = /^[\x20-\x7e]*$/;

/** Quotes a value so that shells, dotenv, Node.js and Docker Compose read the same. A value may come from a service, and must stay one variable. */
function quoted(name: string, value: string): string {
  if (PLAIN.test(value)) return value;
  if (PRINTABLE.test(value) && !/['\\]/.test(value)) return `'${value}'`;
  if (PRINTABLE.test(value) && !/["\\$`]/.test(value)) return `"${value}"`;
  throw new EnvFileError(
    `The value of ${name} has characters that a file of variables cannot contain.`,
    'Print it with --reveal instead of --env-path.',
  );
}

type Assignment = { name: string; start: number; end: number; before: string };

/** The mark at the beginning of a UTF-8 file, read as Latin-1, may stand before the first line. */
const ASSIGNMENT = /^((?:\u00ef\u00bb\u00bf)?[ \t]*(?:export[ \t]+)?)([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/;

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** Finds the variables. A quoted value may have several lines, which may look like variables. */
function assignmentsIn(text: string): Assignment[] {
  const assignments: Assignment[] = [];
  for (let start = 0; start < text.length; ) {
    const firstEnd = lineEnd(text, start);
    const [all = '', before = '', name] = ASSIGNMENT.exec(text.slice(start, firstEnd)) ?? [];
    const end = name === undefined ? firstEnd : lineEnd(text, closingQuote(text, start + all.length));
    if (name !== undefined) assignments.push({ name, start, end, before });
    start = end + 1;
  }
  return assignments;
}

/** The position of the quote that ends a value; that of the value where none begins or ends it. */
function closingQuote(text: string, at: number): number {
  const quote = text[at] ?? '';
  if (quote === '' || !'\'"`'.includes(quote)) return at;
  // Between single quotes, a backslash is a character like others: 'C:\' is a whole value.
  const backslash = quote === "'" ? undefined : '\\';
  for (let index = at + 1; index < text.length; index += 1) {
    if (text[index] === backslash) index += 1;
    else if (text[index] === quote) return index;
  }
  return at;
}

/**
 * Replaces the assignment of this variable, with what stands behind its value, or adds one at the end. Readers take the last of several
 * assignments: the others are removed, because they have a secret that is no longer true.
 */
function withVariable(text: string, name: string, value: string): string {
  const stored = assignmentsIn(text).filter((assignment) => assignment.name === name);
  const last = stored.pop();
  if (last) {
    const end = text[last.end - 1] === '\r' ? last.end - 1 : last.end;
    const changed = `${text.slice(0, last.start)}${last.before}${name}=${value}${text.slice(end)}`;
    return stored.reduceRight((left, { start, end }) => left.slice(0, start) + left.slice(end + 1), changed);
  }
  const newLine = /\r?\n/.exec(text)?.[0] ?? '\n';
  const gap = text === '' || text.endsWith('\n') ? '' : newLine;
  return `${text}${gap}${name}=${value}${newLine}`;
}
