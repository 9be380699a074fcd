// Reads the tags of files where --tags asks for it, and mentions them where it does not.
import { type RemarkFacts, remarkOf } from '../../api/contract/remarks.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { DocumentEngine, ListedBraced } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import { convertToPdf } from '../input/as-pdf.ts';
import { type LocalFile, named, type PageSize } from '../input/local-file.ts';
import type { Addressee } from '../input/person.ts';
import type { SearchedPdf } from './anchors.ts';
import type { FieldWarning } from './field-warnings.ts';
import type { TagFields } from './tags.ts';

export type TagSwitches = {
  tags?: boolean | undefined;
  /** Whether --tags comes from the file of the project, which is for documents with and without tags. */
  mayBeMissing: boolean;
};

/** `files`: a Word document with tags has its pages, because it is sent as PDF. */
export type TaggedFiles = Pick<TagFields, 'fields' | 'removed'> & {
  files: LocalFile[];
  /** Undefined for files that only the service can convert. */
  pdfs: (TaggedPdf | undefined)[];
};

export type TaggedPdf = SearchedPdf & { pages: PageSize[] };

/**
 * Reads the tags of files. Undefined without --tags.
 * @throws CliError exit 2 for a recipient with the role of tags, where no tags are read
 */
export async function readTags(
  { tags: isWanted, mayBeMissing }: TagSwitches,
  to: readonly Addressee[],
  files: readonly LocalFile[],
  documents: DocumentEngine,
): Promise<TaggedFiles | undefined> {
  if (!isWanted) {
    if (to.some(({ tag }) => tag !== undefined))
      throw cliError('options_conflict', { option: ',tag= in --to', needs: '--tags' });
    return undefined;
  }
  const { readTagFields } = await import('./tags.ts');
  const ready: (ReadyFile | undefined)[] = [];
  for (const file of files) ready.push(await readyFile(file, documents));
  const { fields, removed, pdfs } = await readTagFields(
    ready.map((one) => one?.pdf),
    { to, mayBeMissing },
    documents,
  );
  const isSentAsPdf = (index: number) =>
    files[index]?.type === 'pdf' || removed.some(({ document }) => document === index);
  return {
    fields,
    removed,
    pdfs: pdfs.map((pdf, index) =>
      pdf && isSentAsPdf(index) ? { ...pdf, pages: [...pdf.pages] } : undefined,
    ),
    files: files.map((file, index) =>
      file.type === 'docx' && isSentAsPdf(index)
        ? {
            ...file,
            pages: ready[index]?.pdf.pages,
            remarks: [...file.remarks, ...(ready[index]?.remarks ?? [])],
          }
        : file,
    ),
  };
}

type ReadyFile = { pdf: TaggedPdf; remarks: LocalFile['remarks'] };

/** An image has no text. */
async function readyFile(file: LocalFile, documents: DocumentEngine): Promise<ReadyFile | undefined> {
  if (file.type !== 'pdf' && file.type !== 'docx') return undefined;
  return readAsPdf(file, named(file.path), documents);
}

/** The PDF of a file with the remarks about its conversion. */
export async function readAsPdf(
  file: Pick<LocalFile, 'name' | 'type' | 'sha256' | 'bytes'>,
  subject: string,
  documents: DocumentEngine,
): Promise<ReadyFile> {
  const { name, type, sha256, bytes } = file;
  if (type !== 'docx')
    return { pdf: { name, ...(await convertToPdf(file, subject, documents)) }, remarks: [] };
  const answer = await documents.toPdf({ sha256, bytes: async () => bytes }, type, 'own');
  // The refusal is worded there.
  if (!answer.ok) return { pdf: { name, ...(await convertToPdf(file, subject, documents)) }, remarks: [] };
  const { pdf, pages, remarks } = answer;
  return {
    pdf: { name, pdf, pages, sha256: sha256Of(pdf) },
    remarks: remarks.map((remark: RemarkFacts) => remarkOf(remark)),
  };
}

/** Mentions documents with tags, which stay text without --tags. */
export async function warnOfTags(
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: Pick<DocumentEngine, 'listBraced'>,
): Promise<FieldWarning[]> {
  for (const pdf of pdfs) {
    if (!pdf) continue;
    const source = { sha256: pdf.sha256, bytes: async () => pdf.pdf };
    const answer = await documents.listBraced(source, { from: 0, to: pdf.pages.length }, 'own');
    if (!answer.ok || answer.texts.length === 0) continue;
    const { readTag } = await import('../../placement/tags/read-tag.ts');
    const first = answer.texts.find(({ text }) => readTag(text).kind !== 'other');
    if (first) return [tagsUnread(first, pdf.name)];
  }
  return [];
}

const tagsUnread = ({ text, page }: ListedBraced, document: string): FieldWarning => ({
  code: 'tags_unread',
  message: `Page ${page + 1} has the tag ${text.replace(/\s+/g, ' ')}, which stays text. To make fields of tags, use --tags.`,
  ...{ document, page, type: '', recipient: null, words: [] },
});
