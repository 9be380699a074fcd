// Reads files that people name, completely and within a limit: as bytes, as JSON, as a password. Their content is not interpreted.
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { LIMITS } from '../../api/contract/limits.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { FileTooLargeError, NotAFileError, readNamedFile } from '../../files/read-file.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { CommandContext, Uses } from '../command/context.ts';
import { type CliError, cliError } from '../command/errors.ts';

export type FileReader = { read(path: string): Promise<Uint8Array<ArrayBuffer>>; documents: DocumentEngine };

type ReaderParts = {
  process: Pick<CommandContext['process'], 'abort' | 'documents' | 'workingDir'>;
  terminal: { streams: Pick<CommandContext['terminal']['streams'], 'input'> };
};

/** Makes a reader. `-` is standard input, which can be read once. */
export function createFileReader(
  { process, terminal }: ReaderParts,
  mostBytes: number = LIMITS.fileBytes,
): FileReader {
  return {
    documents: process.documents,
    async read(path) {
      const { abort: signal } = process;
      if (path === '-') return readInput(terminal.streams.input(), { mostBytes, signal });
      return readNamed(resolve(process.workingDir, path), path, { mostBytes, signal });
    },
  };
}

/** What Node puts in the place of bytes of an argument that are not UTF-8: the bytes themselves are lost. */
const NOT_UTF8 = '\ufffd';

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

async function readNamed(
  absolute: string,
  path: string,
  limits: { mostBytes: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readNamedFile(absolute, limits);
  } catch (error) {
    limits.signal.throwIfAborted();
    if (error instanceof FileTooLargeError) throw fileTooLarge(path, limits.mostBytes, error.sizeBytes);
    throw error instanceof NotAFileError
      ? notAFile(path, error)
      : await notRead(absolute, path, (error as NodeJS.ErrnoException).code);
  }
}

const notAFile = (path: string, { kind }: NotAFileError): CliError =>
  kind === 'directory'
    ? cliError('file_is_directory', {
        sentence: `"${path}" is a directory, not a file.`,
        hint: 'Specify the files in it.',
      })
    : cliError('file_not_regular', {
        sentence: `"${path}" is a ${kind}, not a file.`,
        hint: 'Specify a file, or pass the content on standard input with "-" as the file name.',
      });

const CHECK_PATH = 'Check the path; it is relative to the current directory.';

export const pathWithNul = (path: string): CliError =>
  cliError('file_not_found', {
    sentence: `The path "${path}" contains a NUL character.`,
    hint: CHECK_PATH,
  });

/** @param meant a file beside it with nearly the same name */
export const fileNotFound = (path: string, meant?: string): CliError =>
  cliError('file_not_found', {
    sentence: `File not found: "${path}".`,
    hint: didYouMean(meant) || CHECK_PATH,
  });

async function notRead(absolute: string, path: string, code: string | undefined): Promise<CliError> {
  if (path.includes(NOT_UTF8))
    return cliError('file_name_not_utf8', {
      sentence: `The file name "${path}" is not UTF-8 (${NOT_UTF8} stands for the unreadable bytes), so the file cannot be opened.`,
      hint: 'Rename the file, or pass its content on standard input: `esign tx send - --name NAME < FILE`.',
    });
  if (path.includes('\u0000')) return pathWithNul(path);
  if (code !== undefined && MISSING.has(code)) {
    return fileNotFound(path, await nearestFile(absolute, path));
  }
  const isForbidden = code === 'EACCES' || code === 'EPERM';
  return cliError('file_unreadable', {
    sentence: `The file "${path}" cannot be read${isForbidden ? ': permission denied' : ''}.`,
    hint: isForbidden ? 'Change its permissions.' : 'Check that the file can be opened.',
  });
}

/** Reads standard input. It may have no end, so reading stops after the longest allowed file. */
async function readInput(
  input: AsyncIterable<Uint8Array>,
  { mostBytes, signal }: { mostBytes: number; signal: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  const chunks = input[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([chunks.next(), aborted]);
    if (done) return new Uint8Array(Buffer.concat(read));
    sizeBytes += value.length;
    if (sizeBytes > mostBytes) throw fileTooLarge('-', mostBytes);
    read.push(value);
  }
}

/** Refuses a second `-`: standard input can be read only once. */
export function refuseStdinTwice(paths: readonly (string | undefined)[]): void {
  if (paths.filter((path) => path === '-').length > 1)
    throw cliError('stdin_twice', {
      sentence: 'Standard input can be read only once.',
      hint: 'Use - for one file only.',
    });
}

/** As a sentence begins. */
export const fileLabel = (path: string): string => (path === '-' ? 'Standard input' : `"${path}"`);

export const fileTooLarge = (path: string, mostBytes: number, sizeBytes?: number) =>
  cliError('file_too_large', {
    sentence: `${fileLabel(path)} is too large${sizeBytes === undefined ? '' : ` (${sizeBytes} bytes)`}. At most ${mostBytes} bytes (${mostBytes / (1024 * 1024)} MiB) are accepted.`,
    hint: 'Make the file smaller, or split it.',
  });

/** Finds a file beside the path with nearly the same name. The suggestion is written as the path was typed. */
async function nearestFile(absolute: string, path: string): Promise<string | undefined> {
  const names = await readdir(dirname(absolute)).catch(() => []);
  const meant = nearest(basename(absolute), names);
  return meant === undefined ? undefined : join(dirname(path), meant);
}

export async function readJson(path: string, reader: FileReader): Promise<unknown> {
  const text = new TextDecoder().decode(await reader.read(path));
  const name = path === '-' ? 'Standard input' : path;
  try {
    return JSON.parse(text);
  } catch {
    throw text.trim() === ''
      ? cliError('malformed_json', { sentence: `${name} is empty.`, hint: 'Add a JSON value.' })
      : cliError('malformed_json', {
          sentence: `${name} is not valid JSON.`,
          hint: 'Correct the JSON and try again.',
        });
  }
}

/** Reads a password. @returns the content without the line end */
export async function readPassword(path: string, context: Uses<'process' | 'terminal'>): Promise<string> {
  const bytes = await createFileReader(context).read(path);
  const name = path === '-' ? 'Standard input' : `"${path}"`;
  const refused = (problem: string) =>
    cliError('password_unreadable', {
      sentence: `${name} ${problem}.`,
      hint: 'Use a file that contains the password as its only line.',
    });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('is not text');
  }
  const password = text.replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw refused('has more than one line');
  return password;
}

const SIGNABLE = /^[^.].*\.(pdf|docx|png|jpe?g|webp|gif|tiff?|bmp)$/i;

/** Lists them in the order of their names; none when the folder cannot be read. */
export async function signableFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && SIGNABLE.test(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** Refuses to write a file that exists, unless it may be replaced. @throws CliError `file_exists` */
export async function refuseExistingFile(
  { process, settings }: Uses<'process' | 'settings'>,
  file: string,
): Promise<void> {
  const existing = await lstat(resolve(process.workingDir, file)).catch(() => undefined);
  if (existing && !(settings.yes && existing.isFile()))
    throw cliError('file_exists', {
      sentence: `"${file}" already exists.`,
      hint: 'Choose another name, or replace the file with --yes.',
    });
}
