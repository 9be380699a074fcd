// Keeps the PDF/A (ISO 19005) claim of a file true: with another file inside it becomes part 3, and because the drawn values have no
// tags it claims no tagged level. It must never claim what the file did not claim before.
import { inflateSync } from 'node:zlib';
import { type PDFDict, PDFName, PDFStream } from '@cantoo/pdf-lib';

const PART = /(pdfaid:part(?:>|\s*=\s*["']))([12])(?=[<"'])/g;
const LEVEL = /(pdfaid:conformance(?:>|\s*=\s*["']))A(?=[<"'])/g;

/** Adapts the claim. Colors that are drawn into an archive need a definition of their own. */
export function keepArchive(catalog: PDFDict): { isArchive: boolean } {
  const metadata = catalog.lookup(PDFName.of('Metadata'));
  if (!(metadata instanceof PDFStream)) return { isArchive: false };
  const text = textOf(metadata);
  if (!text?.includes('pdfaid:part')) return { isArchive: false };
  const changed = text.replace(PART, '$13').replace(LEVEL, '$1U');
  if (changed === text) return { isArchive: true };
  const { context } = catalog;
  const bytes = Buffer.from(changed, 'latin1');
  const stream = context.stream(bytes, { Type: 'Metadata', Subtype: 'XML' });
  catalog.set(PDFName.of('Metadata'), context.register(stream));
  return { isArchive: true };
}

/** Byte for byte. Metadata of an archive are not packed, but may be. */
function textOf(metadata: PDFStream): string | undefined {
  const bytes = Buffer.from(metadata.getContents());
  const filter = metadata.dict.get(PDFName.of('Filter'));
  if (filter === undefined) return bytes.toString('latin1');
  try {
    return filter === PDFName.of('FlateDecode')
      ? inflateSync(bytes, { maxOutputLength: MOST_BYTES }).toString('latin1')
      : undefined;
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 4 * 1024 * 1024;
