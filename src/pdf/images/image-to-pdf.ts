// Converts a photograph or a scan to PDF, with a page for each picture in the file. It must never decode more pixels than
// the caller allows, and never lose quality that was there: JPEG data goes in as it is, PNG and faxes without loss.

import { createHash } from 'node:crypto';
import type { PageBox } from '../geometry.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { searchable } from '../read/characters.ts';
import {
  type NotRead,
  type PictureLimits,
  type PictureStream,
  type PicturesReading,
  pageBoxOf,
  placement,
} from './picture.ts';

export type ImageType = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'bmp';

export type ImagePdf = { ok: true; pdf: Uint8Array; pages: PageBox[] } | NotRead;

type Reader = (file: Buffer, limits: PictureLimits) => Promise<PicturesReading>;

/** Each is loaded when it is first needed, and its library with it. */
const READERS: Record<ImageType, () => Promise<Reader>> = {
  jpeg: async () => (await import('./read-jpeg.ts')).readJpeg,
  png: async () => (await import('./read-png.ts')).readPng,
  webp: async () => (await import('./read-webp.ts')).readWebp,
  gif: async () => (await import('./read-gif.ts')).readGif,
  tiff: async () => (await import('./read-tiff.ts')).readTiff,
  bmp: async () => (await import('./read-bmp.ts')).readBmp,
};

/** Converts each picture to a page of exactly its size, upright. The same input gives the same output, byte for byte. */
export async function imageToPdf(
  bytes: Uint8Array,
  type: ImageType,
  limits: PictureLimits = DOCUMENT_LIMITS,
): Promise<ImagePdf> {
  const read = await READERS[type]();
  const reading = await read(searchable(bytes), limits);
  if (!reading.ok) return reading;
  const pages = reading.pictures.map((picture) => {
    const page = pageBoxOf(picture);
    return { page, picture: picture.stream, matrix: placement(picture.orientation, page) };
  });
  return { ok: true, pages: pages.map(({ page }) => page), pdf: picturesPdf(pages) };
}

/** `matrix` says where the unit square of the picture goes (ISO 32000-1, 8.3.3). */
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
  const chunks: Uint8Array[] = text('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n');
  let sizeBytes = chunks[0]!.length;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(sizeBytes);
    for (const part of [...text(`${index + 1} 0 obj\n`), ...object, ...text('\nendobj\n')]) {
      sizeBytes += part.length;
      chunks.push(part);
    }
  }
  const hash = createHash('sha256');
  for (const part of chunks) hash.update(part);
  const id = hash.digest('hex').slice(0, 32);
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  chunks.push(
    ...text(`xref\n0 ${count}\n0000000000 65535 f \n${rows}`),
    ...text(`trailer\n<</Size ${count}/Root 1 0 R/ID[<${id}><${id}>]>>\nstartxref\n${sizeBytes}\n%%EOF\n`),
  );
  return Buffer.concat(chunks);
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
