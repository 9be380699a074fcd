// Converts a photograph or a scan to PDF, with a page for each picture in the file. It must never decode more pixels than
// the caller allows, and never lose quality that was there: JPEG data goes in as it is, PNG and faxes without loss.

import { DOCUMENT_LIMITS } from '../limits.ts';
import type { PageBox } from '../page-box.ts';
import { searchable } from '../syntax/bytes.ts';
import { pageBoxOf, placement } from './page-of-picture.ts';
import type { NotRead, PictureLimits, PicturesReading } from './picture.ts';
import { picturesPdf } from './pictures-pdf.ts';

export type ImageType = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'bmp';

/** What a picture became. */
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
