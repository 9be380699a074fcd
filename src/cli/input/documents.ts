// Reads and checks documents that are to be signed, and makes PDFs of them as the service of this program does. Each file is read once, so that
// the bytes which are checked are the bytes which are sent. All reasons why one cannot be sent are found before the first request.

import { basename } from 'node:path';
import {
  encrypted,
  type Passed,
  type RemarkFacts,
  remarkOf,
  tooComplex,
  type Unusable,
  unreadable,
} from '../../api/contract/documents.ts';
import {
  documentTypeOf,
  type FileType,
  isArchive,
  type RefusedKind,
  TELLING_ENTRIES,
} from '../../api/contract/file-types.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { line } from '../../api/contract/values.ts';
import { sha256Of } from '../../common/sha256.ts';
import { readArchive } from '../../files/archive.ts';
import type { ConvertedType, DocumentEngine, InspectAnswer } from '../../pdf/engine/engine.ts';
import type { ErrorCode } from '../command/error-codes.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { type FileReader, fileLabel, fileTooLarge } from './files.ts';

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
  /** Remarks about content that a service will not keep or show, as far as they can be made here. */
  remarks: ReturnType<typeof remarkOf>[];
};

/** Reads and checks what is to be signed. */
export async function readLocalFile(path: string, reader: FileReader): Promise<LocalFile> {
  const bytes = await reader.read(path);
  const name = path === '-' ? 'document' : basename(path);
  if (bytes.length === 0)
    throw cliError('file_empty', {
      sentence: `${fileLabel(path)} is empty.`,
      hint: path === '-' ? 'Check the command that writes to standard input.' : 'Check the file.',
    });
  if (bytes.length > LIMITS.fileBytes) throw fileTooLarge(path, LIMITS.fileBytes, bytes.length);
  const archive = isArchive(bytes) ? await readArchive({ bytes }, TELLING_ENTRIES) : undefined;
  const detected = documentTypeOf(bytes, archive);
  if (detected.type === undefined) throw notAccepted(path, detected.refused);
  const { type } = detected;
  const sha256 = sha256Of(bytes);
  // The PDF engine starts on its own threads: everything else is done meanwhile.
  const inspecting = type === 'pdf' ? factsOf({ path, sha256, bytes }, reader.documents) : undefined;
  inspecting?.catch(() => undefined);
  await checkName(name, path);
  const inspected = await inspecting;
  return { path, name, type, sha256, bytes, pages: inspected?.pages, remarks: inspected?.remarks ?? [] };
}

function notAccepted(path: string, kind: RefusedKind | undefined): CliError {
  return cliError('file_type_not_accepted', {
    sentence: `${fileLabel(path)} cannot be sent: its content is ${kind?.name ?? 'not a PDF, an image or a .docx document'}.`,
    hint: `${kind?.hint ?? 'Save it as PDF'} and try again.`,
  });
}

async function checkName(name: string, path: string): Promise<void> {
  const named = line(1, LIMITS.fileNameLength).safeParse(name);
  if (!named.success)
    throw cliError('file_name_invalid', {
      sentence: `The file name of "${path}" ${named.error.issues[0]?.message ?? 'is not accepted'}.`,
      hint: 'Rename the file.',
    });
}

/** Reads files one after another. @throws CliError about the first one that is wrong */
export async function readLocalFiles(paths: readonly string[], reader: FileReader): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  for (const path of paths) files.push(await readLocalFile(path, reader));
  return files;
}

type RefusedDocument = Extract<InspectAnswer, { ok: false }>;

/** Makes the error for a document that cannot be used. @param subject the document, as a sentence begins */
function documentRefused(subject: string, inspection: RefusedDocument): CliError {
  switch (inspection.reason) {
    // The engine of a command has nothing else to do, and closes when the command ends.
    case 'busy':
      return cliError('interrupted', { sentence: `Interrupted: ${subject} was not read to the end.` });
    case 'password_required':
      return unusable('document_encrypted', subject, encrypted('password'));
    case 'certificate_required':
      return unusable('document_encrypted', subject, encrypted('certificate'));
    case 'too_many_pages':
      return unusable('document_too_long', subject, {
        what: `has more than ${LIMITS.pagesPerDocument} pages`,
        hint: 'Split it',
      });
    case 'too_complex':
      return documentTooComplex(subject, inspection);
    case 'unreadable':
      return unusable('document_unreadable', subject, unreadable('damaged'));
    default:
      return unusable('document_unreadable', subject, unreadable(inspection.reason));
  }
}

const unusable = (code: ErrorCode, subject: string, { what, hint }: Unusable): CliError =>
  cliError(code, { sentence: `${subject} ${what}.`, hint: `${hint} and try again.` });

export const documentTooComplex = (subject: string, passed: Passed): CliError =>
  unusable('document_too_complex', subject, tooComplex(passed));

type Content = { path: string; sha256: string; bytes: Uint8Array };

async function factsOf(
  { path, sha256, bytes }: Content,
  documents: DocumentEngine,
): Promise<Pick<LocalFile, 'remarks'> & { pages: PageSize[] }> {
  const source = { sha256, bytes: async () => bytes };
  const inspection = await documents.inspect(source, { maxPages: LIMITS.pagesPerDocument }, 'own');
  if (inspection.ok)
    return {
      pages: inspection.pages.map(({ width, height }) => ({ width, height })),
      remarks: inspection.remarks.map((remark: RemarkFacts) => remarkOf(remark)),
    };
  throw documentRefused(fileLabel(path), inspection);
}

export type PdfContent = { pdf: Uint8Array; sha256: string; pages: PageSize[] };

type Given = { type: FileType; sha256: string; bytes: Uint8Array };

/** Makes the PDF. @param subject the document, as a sentence begins */
export async function convertToPdf(
  file: Given,
  subject: string,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const { type } = file;
  return type === 'pdf'
    ? inspectPdf(file, subject, documents)
    : convertFile({ ...file, type }, subject, documents);
}

async function inspectPdf(
  { sha256, bytes }: Given,
  subject: string,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const source = { sha256, bytes: async () => bytes };
  const inspection = await documents.inspect(source, { maxPages: LIMITS.pagesPerDocument }, 'own');
  if (!inspection.ok) throw documentRefused(subject, inspection);
  return inspection.repaired
    ? of(inspection.repaired, inspection.pages)
    : { pdf: bytes, sha256, pages: inspection.pages };
}

async function convertFile(
  { type, sha256, bytes }: Given & { type: ConvertedType },
  subject: string,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const answer = await documents.toPdf({ sha256, bytes: async () => bytes }, type, 'own');
  if (answer.ok) return of(answer.pdf, answer.pages);
  if (answer.reason === 'busy') throw documentRefused(subject, answer);
  if (answer.reason === 'password_required' || answer.reason === 'too_many_pages')
    throw documentRefused(subject, answer);
  throw answer.reason === 'too_complex' || answer.reason === 'too_large'
    ? documentTooComplex(subject, { ...answer, type })
    : unusable('document_unreadable', subject, unreadable('damaged'));
}

const of = (pdf: Uint8Array, pages: PageSize[]): PdfContent => ({
  pdf,
  sha256: sha256Of(pdf),
  pages,
});

/** A document whose pages are known. */
export type SearchedPdf = ReadyPdf & { pages: readonly PageSize[] };

/** A document as PDF, which the engine has inspected. */
export type ReadyPdf = { name: string; sha256: string; pdf: Uint8Array };
