// Reads files that people name, completely and within a limit. It must never interpret their content.
import { resolve } from 'node:path';
import { LIMITS } from '../../api/contract/limits.ts';
import { FileTooLargeError, NotAFileError, readNamedFile } from '../../files/read-file.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { CommandContext } from '../command/context.ts';
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
    ? cliError('file_is_directory', { path })
    : cliError('file_not_regular', { path, kind });

async function notRead(absolute: string, path: string, code: string | undefined): Promise<CliError> {
  if (path.includes(NOT_UTF8)) return cliError('file_name_not_utf8', { path, mark: NOT_UTF8 });
  if (path.includes('\u0000')) return cliError('file_not_found', { path, isNul: true });
  if (code !== undefined && MISSING.has(code)) {
    const { nearestFile } = await import('./nearest-file.ts');
    return cliError('file_not_found', { path, meant: await nearestFile(absolute, path) });
  }
  return cliError('file_unreadable', { path, isForbidden: code === 'EACCES' || code === 'EPERM' });
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

/** As a sentence begins. */
export const fileLabel = (path: string): string => (path === '-' ? 'Standard input' : `"${path}"`);

export const fileTooLarge = (path: string, mostBytes: number, sizeBytes?: number) =>
  cliError('file_too_large', { file: fileLabel(path), bytes: sizeBytes, mostBytes });
