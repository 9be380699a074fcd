// Reads files that people name, whole and within a limit. It must never look at what is in them.
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LIMITS } from '../../api/contract/limits.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Uses } from '../command/context.ts';
import { CliError, cliError } from '../command/errors.ts';

export type FileReader = { read(path: string): Promise<Uint8Array<ArrayBuffer>>; documents: DocumentEngine };

/** `-` is standard input, once. */
export function createFileReader(
  { process, terminal }: Uses<'process' | 'terminal'>,
  mostBytes: number = LIMITS.fileBytes,
): FileReader {
  return {
    documents: process.documents,
    async read(path) {
      if (path === '-') return bounded(terminal.streams.input(), path, mostBytes);
      return readWhole(resolve(process.workingDir, path), path, mostBytes);
    },
  };
}

/** What Node puts in the place of bytes of an argument that are not UTF-8: the bytes themselves are lost. */
const NOT_UTF8 = '\ufffd';

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

async function readWhole(
  absolute: string,
  path: string,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const file = await open(absolute, 'r');
    try {
      const facts = await file.stat();
      if (facts.isDirectory()) throw Object.assign(new Error(path), { code: 'EISDIR' });
      if (facts.size > mostBytes) throw tooLarge(path, mostBytes, facts.size);
      // A device and a pipe say that they have no size, and may have no end.
      return facts.isFile() && facts.size > 0
        ? await inOnePiece(file, facts.size)
        : await bounded(file.createReadStream({ autoClose: false }), path, mostBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw notRead(path, (error as NodeJS.ErrnoException).code);
  }
}

function notRead(path: string, code: string | undefined): CliError {
  if (path.includes(NOT_UTF8)) return cliError('file_name_not_utf8', { path, mark: NOT_UTF8 });
  if (path.includes('\u0000')) return cliError('file_not_found', { path, isNul: true });
  if (code === 'EISDIR') return cliError('file_is_directory', { path });
  if (code !== undefined && MISSING.has(code)) return cliError('file_not_found', { path });
  return cliError('file_unreadable', { path, isForbidden: code === 'EACCES' || code === 'EPERM' });
}

/** Piece after piece takes several times as long. */
async function inOnePiece(file: FileHandle, sizeBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  while (at < sizeBytes) {
    const { bytesRead } = await file.read(bytes, at, sizeBytes - at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

/** A pipe and a device may have no end: what is longer than a file may be is not read on. */
async function bounded(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const read: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.length;
    if (sizeBytes > mostBytes) throw tooLarge(path, mostBytes);
    read.push(chunk);
  }
  return new Uint8Array(Buffer.concat(read));
}

/** As a sentence begins. */
export const named = (path: string): string => (path === '-' ? 'Standard input' : `"${path}"`);

export const tooLarge = (path: string, mostBytes: number, sizeBytes?: number) =>
  cliError('file_too_large', { file: named(path), bytes: sizeBytes, mostBytes });
