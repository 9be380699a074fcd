// Writes a PDF of pages that show one picture each, byte for byte the same each time: no dates, no names, no random
// identifier. It must never look into a picture.
import { createHash } from 'node:crypto';
import type { PageBox } from '../page-box.ts';

/** A stream and the entries of its dictionary, without /Length. */
export type PictureStream = { entries: string; data: Uint8Array };

/** A picture, and where its unit square goes (ISO 32000-1, 8.3.3). */
export type PicturePage = { page: PageBox; picture: PictureStream; matrix: readonly number[] };

// Catalog and page tree; each page has an object for itself, its content and its picture.
const OBJECTS_BEFORE = 2;
const OBJECTS_OF_PAGE = 3;

export function picturesPdf(pages: readonly PicturePage[]): Uint8Array {
  const first = (index: number) => OBJECTS_BEFORE + 1 + index * OBJECTS_OF_PAGE;
  const kids = pages.map((_, index) => `${first(index)} 0 R`).join(' ');
  return assemble([
    text('<</Type/Catalog/Pages 2 0 R>>'),
    text(`<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`),
    ...pages.flatMap((page, index) => objectsOf(page, first(index))),
  ]);
}

function objectsOf({ page, picture, matrix }: PicturePage, number: number): Uint8Array[][] {
  const content = Buffer.from(`q ${matrix.map(numeral).join(' ')} cm /Picture Do Q`, 'latin1');
  const box = `[0 0 ${numeral(page.width)} ${numeral(page.height)}]`;
  const resources = `<</XObject<</Picture ${number + 2} 0 R>>>>`;
  return [
    text(`<</Type/Page/Parent 2 0 R/MediaBox${box}/Contents ${number + 1} 0 R/Resources${resources}>>`),
    stream({ entries: '', data: content }),
    stream(picture),
  ];
}

/** An object is given in pieces, so that the bytes of a picture are copied once. */
function assemble(objects: Uint8Array[][]): Uint8Array {
  const parts: Uint8Array[] = text('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n');
  let sizeBytes = parts[0]!.length;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(sizeBytes);
    for (const part of [...text(`${index + 1} 0 obj\n`), ...object, ...text('\nendobj\n')]) {
      sizeBytes += part.length;
      parts.push(part);
    }
  }
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const id = hash.digest('hex').slice(0, 32);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    ...text(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`),
    ...text(`trailer\n<</Size ${count}/Root 1 0 R/ID[<${id}><${id}>]>>\nstartxref\n${sizeBytes}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

function stream({ entries, data }: PictureStream): Uint8Array[] {
  return [...text(`<<${entries}/Length ${data.length}>>\nstream\n`), data, ...text('\nendstream')];
}

function text(value: string): Uint8Array[] {
  return [Buffer.from(value, 'latin1')];
}

/** PDF numbers have no exponent. */
function numeral(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '');
}
