// Writes a PDF of one page that shows one picture, byte for byte the same each time: no dates, no names, no random
// identifier. It must never look into the picture.
import { createHash } from 'node:crypto';
import type { PageBox } from './page-box.ts';

/** A stream and the entries of its dictionary, without /Length. */
export type PictureStream = { entries: string; data: Uint8Array };

/** The picture, its transparency as a gray picture, and where its unit square goes (ISO 32000-1, 8.3.3). */
export type PicturePage = {
  page: PageBox;
  picture: PictureStream;
  mask?: PictureStream;
  matrix: readonly number[];
};

export function onePagePdf({ page, picture, mask, matrix }: PicturePage): Uint8Array {
  const content = Buffer.from(`q ${matrix.map(numeral).join(' ')} cm /Picture Do Q`, 'latin1');
  const box = `[0 0 ${numeral(page.width)} ${numeral(page.height)}]`;
  const objects = [
    text('<</Type/Catalog/Pages 2 0 R>>'),
    text('<</Type/Pages/Count 1/Kids[3 0 R]>>'),
    text(`<</Type/Page/Parent 2 0 R/MediaBox${box}/Contents 4 0 R/Resources<</XObject<</Picture 5 0 R>>>>>>`),
    stream({ entries: '', data: content }),
    stream({ ...picture, entries: `${picture.entries}${mask ? '/SMask 6 0 R' : ''}` }),
    ...(mask ? [stream(mask)] : []),
  ];
  return assemble(objects);
}

function assemble(objects: Buffer[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let sizeBytes = parts[0]!.length;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([text(`${index + 1} 0 obj\n`), object, text('\nendobj\n')]);
    offsets.push(sizeBytes);
    sizeBytes += part.length;
    parts.push(part);
  }
  const id = createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 32);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  parts.push(
    text(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`),
    text(`trailer\n<</Size ${count}/Root 1 0 R/ID[<${id}><${id}>]>>\nstartxref\n${sizeBytes}\n%%EOF\n`),
  );
  return Buffer.concat(parts);
}

function stream({ entries, data }: PictureStream): Buffer {
  return Buffer.concat([text(`<<${entries}/Length ${data.length}>>\nstream\n`), data, text('\nendstream')]);
}

function text(value: string): Buffer {
  return Buffer.from(value, 'latin1');
}

/** PDF numbers have no exponent. */
function numeral(value: number): string {
  return value.toFixed(4).replace(/\.?0+$/, '');
}
