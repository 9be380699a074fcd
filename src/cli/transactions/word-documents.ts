// Converts Word documents that a service will convert, to read what is in them before they are sent.
import { readArchive } from '../../files/archive.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { CliError } from '../command/errors.ts';
import { convertToPdf } from '../input/as-pdf.ts';
import { type LocalFile, named } from '../input/local-file.ts';
import type { ReadyPdfs } from './ready-pdfs.ts';

/**
 * Adds the Word documents to the files that are PDFs. One that cannot be converted here stays undefined: the service may be able to.
 * @param isOfAll false: only of those that may have tags, because a conversion takes seconds
 */
export async function withWordDocuments(
  pdfs: ReadyPdfs,
  files: readonly LocalFile[],
  documents: DocumentEngine,
  isOfAll: boolean,
): Promise<ReadyPdfs> {
  const all = [...pdfs];
  for (const [index, file] of files.entries()) {
    if (file.type !== 'docx' || all[index]) continue;
    if (!isOfAll && !(await mayHaveTags(file))) continue;
    const pdf = await convertToPdf(file, named(file.path), documents).catch((error: unknown) => {
      if (error instanceof CliError) return undefined;
      throw error;
    });
    all[index] = pdf && { name: file.name, ...pdf };
  }
  return all;
}

const MAIN_PART = 'word/document.xml';

/** A tag can be split into runs of text, so the markup between its letters is left out. A main part that is too large to be looked at may have tags. */
async function mayHaveTags({ bytes }: LocalFile): Promise<boolean> {
  const archive = await readArchive({ bytes }, [MAIN_PART]);
  if (!archive) return false;
  if (archive.text === '') return archive.names.includes(MAIN_PART);
  // A sign that opens no markup ends the search at the next one, so that the time is proportional to the length.
  return archive.text.replace(/<[^<>]*>/g, '').includes('{{');
}
