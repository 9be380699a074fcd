// Finds the pages whose unit is not 1/72 inch (/UserUnit, ISO 32000-1 table 30), which PDFium does not apply and has
// no function for. It must never cost the usual file, which has none, more than a search through its bytes.

import { DOCUMENT_LIMITS } from '../limits.ts';
import { searchable } from '../syntax/bytes.ts';
import { firstLook } from '../syntax/first-look.ts';
import { type Pdfium, savedCopy } from './pdfium.ts';

/** Tells the unit of a page of an open document as a factor: 2 means 2/72 inch. `bytes` are those of the document. */
export function userUnitsOf(
  pdfium: Pdfium,
  document: number,
  bytes: Uint8Array,
): (pageIndex: number) => number {
  // False only when no page can have a unit of its own; true means that it is worth opening the file a second time.
  if (!firstLook(bytes).mayStateUserUnit) return () => 1;
  // PDFium writes every object of a copy in the open: neither encrypted nor inside an object stream.
  const copy = searchable(savedCopy(pdfium, document));
  const offsets = objectOffsets(copy);
  return (pageIndex) => {
    const page = objectText(copy, offsets, pdfium.EPDFDoc_GetPageObjectNumberByIndex(document, pageIndex));
    const [, value, isReference] = /\/UserUnit\s*([\d.+-]+)( 0 R)?/.exec(page) ?? [];
    const unit = Number(
      isReference ? objectText(copy, offsets, Number(value), DOCUMENT_LIMITS.unitBytes) : value,
    );
    return unit > 0 && Number.isFinite(unit) ? unit : 1;
  };
}

/** Where each object of a file with a plain cross-reference table begins. */
function objectOffsets(file: Buffer): Map<number, number> {
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 100))?.[1]);
  const offsets = new Map<number, number>();
  let number = 0;
  for (const row of file.toString('latin1', start).split(/\r?\n/)) {
    if (row === 'trailer') break;
    const [, offset, mark] = /^(\d{10}) \d{5} ([nf])/.exec(row) ?? [];
    if (offset === undefined) {
      number = Number(/^(\d+) \d+\s*$/.exec(row)?.[1] ?? number);
      continue;
    }
    if (mark === 'n') offsets.set(number, Number(offset));
    number += 1;
  }
  return offsets;
}

/** What stands between `obj` and `endobj`, or the first `most` bytes of it; nothing for an object that is not there. */
function objectText(file: Buffer, offsets: Map<number, number>, number: number, most = file.length): string {
  const start = offsets.get(number);
  if (start === undefined) return '';
  const found = file.subarray(start, start + most).indexOf('endobj');
  const text = file.toString('latin1', start, found === -1 ? start + most : start + found);
  return text.slice(text.indexOf('obj') + 3);
}
