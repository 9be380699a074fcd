// Reads and checks documents that are to be signed, and makes PDFs of them as the service of this program does. Each file is read once, so that
// the bytes which are checked are the bytes which are sent. All reasons why one cannot be sent are found before the first request.

import { basename } from 'node:path';
import {
  encrypted,
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
  if (bytes.length === 0) throw cliError('file_empty', { file: fileLabel(path), isInput: path === '-' });
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
  return cliError('file_type_not_accepted', { file: fileLabel(path), found: kind?.name, hint: kind?.hint });
}

async function checkName(name: string, path: string): Promise<void> {
  const named = line(1, LIMITS.fileNameLength).safeParse(name);
  if (!named.success)
    throw cliError('file_name_invalid', {
      path,
      problem: named.error.issues[0]?.message ?? 'is not accepted',
    });
}

/** Reads files one after another. @throws CliError about the first one that is wrong */
export async function readLocalFiles(paths: readonly string[], reader: FileReader): Promise<LocalFile[]> {
  const files: LocalFile[] = [];
  for (const path of paths) files.push(await readLocalFile(path, reader));
  return files;
}

type RefusedDocument = Extract<InspectAnswer, { ok: false }>;

type UnusableCode =
  | 'document_encrypted'
  | 'document_too_long'
  | 'document_too_complex'
  | 'document_unreadable';

/** The error for each reason, as the service has it. */
const UNUSABLE: {
  [R in Exclude<RefusedDocument['reason'], 'busy'>]: (
    refusal: RefusedDocument & { reason: R },
  ) => [code: UnusableCode, why: Unusable];
} = {
  password_required: () => ['document_encrypted', encrypted('password')],
  certificate_required: () => ['document_encrypted', encrypted('certificate')],
  too_many_pages: () => [
    'document_too_long',
    { what: `has more than ${LIMITS.pagesPerDocument} pages`, hint: 'Split it' },
  ],
  too_complex: (refusal) => ['document_too_complex', tooComplex(refusal)],
  unreadable: () => ['document_unreadable', unreadable('damaged')],
  incomplete: () => ['document_unreadable', unreadable('incomplete')],
  no_pages: () => ['document_unreadable', unreadable('no_pages')],
};

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

/** Makes the error for a document that cannot be used. @param subject the document, as a sentence begins */
function documentRefused(subject: string, inspection: RefusedDocument): CliError {
  // The engine of a command has nothing else to do, and closes when the command ends.
  if (inspection.reason === 'busy')
    return cliError('interrupted', { unfinished: `${subject} was not read to the end` });
  const [code, { what, hint }] = UNUSABLE[inspection.reason](inspection as never);
  return cliError(code, { document: subject, what, hint });
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
  const isWork = answer.reason === 'too_complex' || answer.reason === 'too_large';
  throw cliError(isWork ? 'document_too_complex' : 'document_unreadable', {
    document: subject,
    ...(isWork ? tooComplex({ ...answer, type }) : unreadable('damaged')),
  });
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
