// Files that a PDF carries as associated files (ISO 32000-2, 14.13). What they hold is hostile until it has been checked.
import { EVIDENCE_FILE } from '../certificate/evidence.ts';
import { type PdfView, readPdf } from './read-pdf.ts';
import { textOf, type Value } from './values.ts';

/** The first file of this name that belongs to the whole document. */
export function associatedFile(view: PdfView, name: string): Value | undefined {
  for (const item of view.array(view.dict(view.root)?.get('AF')) ?? []) {
    const specification = view.dict(item);
    const files = view.dict(specification?.get('EF'));
    const given = textOf(view.resolve(specification?.get('UF') ?? specification?.get('F')));
    if (given === name && files) return files.get('UF') ?? files.get('F');
  }
  return undefined;
}

/** The text of the evidence that a sealed document carries; undefined where there is none. */
export function evidenceIn(pdf: Uint8Array): string | undefined {
  const file = readPdf(pdf);
  if (!file.ok) return undefined;
  const { latest } = file;
  return latest.data(associatedFile(latest, EVIDENCE_FILE))?.toString('utf8');
}
