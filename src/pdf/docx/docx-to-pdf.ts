// Makes a PDF of a DOCX with a layout of our own: close to what Word shows, and never quite it. It must not lose text: what
// cannot be shown leaves a mark, and what would be missing without one is refused.
import { imageToPdf } from '../image-to-pdf.ts';
import type { PageBox } from '../page-box.ts';
import { roundedPoints } from '../page-box.ts';
import type { Remark } from '../remarks.ts';
import { drawPages, type PictureReader } from './draw.ts';
import { type DocxRefusal, orRefusal, passes } from './not-usable.ts';
import { openPackage, type Package } from './package.ts';
import { layoutPages } from './pages.ts';
import { readParts } from './parts.ts';
import { readDocument } from './read-document.ts';

export type DocxPdf = { ok: true; pdf: Uint8Array; pages: PageBox[]; remarks: Remark[] } | DocxRefusal;

/** The same bytes in give the same bytes out. */
export async function docxToPdf(bytes: Uint8Array): Promise<DocxPdf> {
  return orRefusal(async () => {
    const pack = await openPackage(bytes);
    const pages = layoutPages(readDocument(readParts(pack)));
    const { pdf, remarks } = await drawPages(pages, picturesOf(pack));
    const boxes = pages.map(
      ({ width, height }): PageBox => ({
        width: roundedPoints(width),
        height: roundedPoints(height),
        rotation: 0,
      }),
    );
    return { ok: true, pdf, pages: boxes, remarks: [{ code: 'approximate_layout' }, ...remarks] };
  });
}

function picturesOf(pack: Package): PictureReader {
  return async (part) => {
    const bytes = pack.read(part);
    const type = bytes && typeOf(bytes);
    if (!type) return undefined;
    const result = await imageToPdf(bytes, type);
    if (result.ok) return { pdf: result.pdf, width: result.page.width, height: result.page.height };
    // A damaged picture leaves a frame with its name; one that is built to hurt is not tried elsewhere.
    if (result.reason === 'unreadable') return undefined;
    throw passes(result.limit);
  };
}

function typeOf(bytes: Buffer): 'png' | 'jpeg' | undefined {
  if (bytes.subarray(0, 4).equals(Buffer.from('\x89PNG', 'latin1'))) return 'png';
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpeg' : undefined;
}
