// Files that a PDF carries as associated files (ISO 32000-2, 14.13). What they hold is hostile until it has been checked.
import { EVIDENCE_FILE } from '../evidence.ts';
import { readPdf } from './read-pdf.ts';
import { textOf } from './values.ts';

/** The text of the evidence that a sealed document carries; undefined where there is none, or more than one. */
export function evidenceIn(pdf: Uint8Array): string | undefined {
  const file = readPdf(pdf);
  if (!file.ok) return undefined;
  const { latest } = file;
  const files = latest.array(latest.dict(latest.root)?.get('AF')) ?? [];
  const evidence = files.flatMap((one) => {
    const specification = latest.dict(one);
    if (textOf(latest.resolve(specification?.get('UF'))) !== EVIDENCE_FILE) return [];
    return latest.data(latest.dict(specification?.get('EF'))?.get('F')) ?? [];
  });
  return evidence.length === 1 ? evidence[0]?.toString('utf8') : undefined;
}
