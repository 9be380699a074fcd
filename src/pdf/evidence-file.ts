// The file with the evidence inside of a sealed document.
import { associatedFiles } from './syntax/embedded.ts';
import { readPdf } from './syntax/read-pdf.ts';

export const EVIDENCE_FILE = 'esign-evidence.json';

/** The text of the evidence that a sealed document carries; undefined where there is none, or more than one. */
export function evidenceIn(pdf: Uint8Array): string | undefined {
  const file = readPdf(pdf);
  if (!file.ok) return undefined;
  const { latest } = file;
  const [attached, ...more] = associatedFiles(latest, EVIDENCE_FILE);
  return more.length === 0 ? latest.data(attached)?.toString('utf8') : undefined;
}
