// Makes PDFs of the files that are PDFs already: the pages that fields are placed on before anything is sent.
import { once } from '../../common/once.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { convertToPdf } from '../input/as-pdf.ts';
import { type LocalFile, named } from '../input/local-file.ts';
import type { SearchedPdf } from './anchors.ts';

/** The files in their order, undefined for those that only the service can convert. */
export type ReadyPdfs = readonly (SearchedPdf | undefined)[];

/**
 * Makes a function that reads the files once, when they are needed first.
 * @param known the PDFs where they were read before
 */
export const readyPdfsOf = (
  files: readonly LocalFile[],
  documents: DocumentEngine,
  known?: ReadyPdfs,
): (() => Promise<ReadyPdfs>) =>
  once(async () => {
    if (known) return known;
    const pdfs: (SearchedPdf | undefined)[] = [];
    for (const file of files) {
      if (file.type !== 'pdf') pdfs.push(undefined);
      else pdfs.push({ name: file.name, ...(await convertToPdf(file, named(file.path), documents)) });
    }
    return pdfs;
  });
