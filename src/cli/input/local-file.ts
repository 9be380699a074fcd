// Files at hand: read once, so that the bytes which are checked are the bytes which are sent. Every reason why one
// cannot be sent is found here, before the first request.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { type FileType, fileTypeOf, refusedKindOf } from '../../api/contract/file-types.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { type RemarkFacts, remarkOf } from '../../api/contract/remarks.ts';
import { encrypted, tooComplex, type Unusable, unreadable } from '../../api/contract/unusable.ts';
import type { DocumentEngine, Inspected } from '../../pdf/engine/engine.ts';
import type { Uses } from '../command/context.ts';
import { CliError, usageError } from '../command/errors.ts';

export type FileReader = { read(path: string): Promise<Uint8Array<ArrayBuffer>>; documents: DocumentEngine };

export type PageSize = { width: number; height: number };

export type LocalFile = {
  /** As it was given. */
  path: string;
  /** Its base name: the name of the document. */
  name: string;
  type: FileType;
  sha256: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** In points, as a reader shows them; known for PDFs. */
  pages: PageSize[] | undefined;
  /** What can be told here of what a service will not keep or show of it. */
  remarks: ReturnType<typeof remarkOf>[];
};

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

const REASONS: Record<string, [code: string, what: string, hint: string]> = {
  ENOENT: ['file_not_found', 'There is no file', 'Check the path.'],
  ENOTDIR: ['file_not_found', 'There is no file', 'Check the path.'],
  EACCES: ['file_unreadable', 'You may not read', 'Check who may read it.'],
  EISDIR: ['file_is_directory', 'A directory was given, not a file:', 'Name the files in it.'],
  ENAMETOOLONG: ['file_not_found', 'There is no file', 'Check the path.'],
};

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
      return await bounded(file.createReadStream({ autoClose: false }), path, mostBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (path.includes(NOT_UTF8))
      throw usageError(
        'file_name_not_utf8',
        `The name "${path}" is not UTF-8 (its bytes are shown as ${NOT_UTF8}), so the file cannot be found by it.`,
        'Rename the file, or pass its content on standard input: esign tx send - --name NAME < FILE',
      );
    if (path.includes('\u0000'))
      throw usageError('file_not_found', `"${path}" is not a path: it holds NUL.`, 'Check the path.');
    const [code, what, hint] = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? [
      'file_unreadable',
      'This file cannot be read:',
      'Check the file.',
    ];
    throw usageError(code, `${what} "${path}".`, hint);
  }
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

const MIB = 1024 * 1024;

const tooLarge = (path: string, mostBytes: number, sizeBytes?: number) =>
  usageError(
    'file_too_large',
    `${named(path)} has ${sizeBytes ?? `more than ${mostBytes}`} bytes; a file may have ${mostBytes} (${mostBytes / MIB} MB).`,
    'Make it smaller, or split it.',
  );

/** Reads and checks what is to be signed. */
export async function readDocument(path: string, reader: FileReader): Promise<LocalFile> {
  const bytes = await reader.read(path);
  const name = path === '-' ? 'document' : basename(path);
  if (bytes.length === 0)
    throw usageError(
      'file_empty',
      `${named(path)} is empty.`,
      path === '-' ? 'Look at what writes into this command.' : 'Check the file.',
    );
  if (bytes.length > LIMITS.fileBytes) throw tooLarge(path, LIMITS.fileBytes, bytes.length);
  const type = fileTypeOf(bytes);
  if (!type) throw notAccepted(path, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // The PDF engine starts on its own threads: everything else is done meanwhile.
  const facts = type === 'pdf' ? factsOf({ path, sha256, bytes }, reader.documents) : undefined;
  facts?.catch(() => undefined);
  await checkName(name, path);
  const known = await facts;
  return { path, name, type, sha256, bytes, pages: known?.pages, remarks: known?.remarks ?? [] };
}

function notAccepted(path: string, bytes: Uint8Array): CliError {
  const kind = refusedKindOf(bytes);
  const hint = `${kind?.wayOut ?? 'Save it as PDF'} and try again.`;
  return usageError(
    'file_type_not_accepted',
    `${named(path)} is ${kind?.name ?? 'not a PDF, an image or a .docx document'} by its bytes.`,
    hint,
  );
}

async function checkName(name: string, path: string): Promise<void> {
  const { line } = await import('../../api/contract/values.ts');
  const named = line(1, LIMITS.fileNameLength).safeParse(name);
  if (!named.success)
    throw usageError(
      'file_name_invalid',
      `The name of "${path}" ${named.error.issues[0]?.message}.`,
      'Rename the file.',
    );
}

/** One after another: whichever is wrong first is named. */
export async function readDocuments(paths: readonly string[], reader: FileReader): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  for (const path of paths) files.push(await readDocument(path, reader));
  return files;
}

type NotUsable = Extract<Inspected, { ok: false }>;

/** As the service refuses them. */
const UNUSABLE: {
  [R in NotUsable['reason']]: (refusal: NotUsable & { reason: R }) => [code: string, why: Unusable];
} = {
  password_required: () => ['document_encrypted', encrypted('password')],
  certificate_required: () => ['document_encrypted', encrypted('certificate')],
  too_many_pages: () => [
    'document_too_long',
    { what: `has more than ${LIMITS.pagesPerDocument} pages`, wayOut: 'Split it' },
  ],
  too_complex: (refusal) => ['document_too_complex', tooComplex(refusal)],
  unreadable: () => ['document_unreadable', unreadable('damaged')],
  incomplete: () => ['document_unreadable', unreadable('incomplete')],
  no_pages: () => ['document_unreadable', unreadable('no_pages')],
  // The engine of a command has nothing else to do, and closes when the command ends.
  busy: () => ['interrupted', { what: 'was not read to the end', wayOut: 'Wait' }],
};

type Content = { path: string; sha256: string; bytes: Uint8Array };

async function factsOf(
  { path, sha256, bytes }: Content,
  documents: DocumentEngine,
): Promise<Pick<LocalFile, 'remarks'> & { pages: PageSize[] }> {
  const source = { sha256, bytes: async () => bytes };
  const facts = await documents.inspect(source, { maxPages: LIMITS.pagesPerDocument }, 'own');
  if (facts.ok)
    return {
      pages: facts.pages.map(({ width, height }) => ({ width, height })),
      remarks: facts.remarks.map((remark: RemarkFacts) => remarkOf(remark)),
    };
  throw notUsable(named(path), facts);
}

/** @param subject the document, as a sentence begins */
export function notUsable(subject: string, facts: NotUsable): CliError {
  const [code, { what, wayOut }] = UNUSABLE[facts.reason](facts as never);
  return usageError(code, `${subject} ${what}.`, `${wayOut} and try again.`);
}
