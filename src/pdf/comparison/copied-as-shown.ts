// Tells of a usual document, without PDFium, that a copy of it shows what it shows: it has no form, layers or notes, and nothing of it has to be guessed.
import { DOCUMENT_LIMITS } from '../limits.ts';
import { type PdfView, readPdf } from '../syntax/read-pdf.ts';
import type { Value } from '../syntax/values.ts';

/** What may be drawn otherwise in a copy. */
const OF_CATALOG = ['AcroForm', 'OCProperties'];

export function isCopiedAsShown(bytes: Uint8Array): boolean {
  const file = readPdf(bytes);
  if (!file.ok || file.isEncrypted) return false;
  const { latest } = file;
  const catalog = latest.dict(latest.root);
  if (!catalog || OF_CATALOG.some((key) => catalog.has(key))) return false;
  const waiting: (Value | undefined)[] = [catalog.get('Pages')];
  for (let nodes = 0; waiting.length > 0; nodes += 1) {
    const node = latest.dict(waiting.pop());
    if (!node || nodes > DOCUMENT_LIMITS.pageTreeNodes) return false;
    const kids = latest.array(node.get('Kids'));
    if (kids) for (const kid of kids) waiting.push(kid);
    else if (!hasOnlyLinks(latest, node.get('Annots'))) return false;
  }
  return !file.isExhausted();
}

function hasOnlyLinks(view: PdfView, annotations: Value | undefined): boolean {
  if (annotations === undefined) return true;
  const list = view.array(annotations);
  return list?.every((one) => `${view.resolve(view.dict(one)?.get('Subtype'))}` === 'Link') ?? false;
}
