// Finds the file with the evidence inside of a sealed document.
import { type PdfView, readPdf } from '../../read/read-pdf.ts';
import { textOf, type Value } from '../../read/values.ts';

export const EVIDENCE_FILE = 'esign-evidence.json';

/** Reads the evidence that a sealed document carries; undefined where there is none, or more than one. */
export function evidenceIn(pdf: Uint8Array): string | undefined {
  const file = readPdf(pdf);
  if (!file.ok) return undefined;
  const { latest } = file;
  const [attached, ...more] = associatedFiles(latest, EVIDENCE_FILE);
  return more.length === 0 ? latest.data(attached)?.toString('utf8') : undefined;
}

/** Lists the files of this name that belong to the whole document. A name for old readers counts as well. */
export function associatedFiles(view: PdfView, name: string): Value[] {
  return (view.array(view.dict(view.root)?.get('AF')) ?? []).flatMap((item) => {
    const specification = view.dict(item);
    const files = view.dict(specification?.get('EF'));
    const names = ['UF', 'F'].map((key) => textOf(view.resolve(specification?.get(key))));
    const file = files?.get('UF') ?? files?.get('F');
    return names.includes(name) && file !== undefined ? [file] : [];
  });
}
