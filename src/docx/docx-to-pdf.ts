// Converts a DOCX to PDF with our own layout, which approximates that of Word. It must not lose text: content that cannot be
// drawn leaves a placeholder, and a document whose content would silently be missing is refused.
import { replacedBy } from '../pdf/fonts/alternatives.ts';
import { type FontFamily, substituteOf } from '../pdf/fonts/faces.ts';
import { type PageBox, roundedPoints } from '../pdf/geometry.ts';
import { type ImageType, imageToPdf } from '../pdf/images/image-to-pdf.ts';
import type { PdfRemark } from '../pdf/remarks.ts';
import { drawPages, type PictureReader } from './draw.ts';
import { fieldRemarks } from './field-codes.ts';
import { answerNotUsable, type DocxRefusal, limitExceeded, unknownNumber } from './not-usable.ts';
import { openPackage, type Package, readParts } from './package.ts';
import { layoutPages } from './pages.ts';
import { changesRemarks, readWordDocument } from './read-document.ts';

export type DocxPdf = { ok: true; pdf: Uint8Array; pages: PageBox[]; remarks: PdfRemark[] } | DocxRefusal;

/** Converts a DOCX to PDF. The same input gives the same output, byte for byte. */
export async function docxToPdf(bytes: Uint8Array): Promise<DocxPdf> {
  return answerNotUsable(async () => {
    const pack = await openPackage(bytes);
    const document = readWordDocument(readParts(pack));
    const { unknown, computedField, field = computedField } = document.formulas;
    if (field) throw unknownNumber(field.limit, field.near);
    if (unknown !== undefined) throw unknownNumber('formula', unknown);
    const pages = layoutPages(document);
    const ofText = [...changesRemarks(document.changes), ...fieldRemarks(document.outdatedFields)];
    const { pdf, remarks } = await drawPages(pages, picturesOf(pack));
    const boxes = pages.map(
      ({ width, height }): PageBox => ({
        width: roundedPoints(width),
        height: roundedPoints(height),
        rotation: 0,
      }),
    );
    return {
      ok: true,
      pdf,
      pages: boxes,
      remarks: [
        { code: 'approximate_layout', what: replacedFonts(document.families) },
        ...ofText,
        ...remarks,
      ],
    };
  });
}

const OWN_FONTS: Record<FontFamily, string> = {
  sans: 'Noto Sans',
  serif: 'Noto Serif',
  mono: 'Noto Sans Mono',
  handwriting: 'Caveat',
  script: 'Great Vibes',
};

/** `Calibri by Noto Sans, Cambria by Noto Serif`; undefined where the document asks for nothing else. */
function replacedFonts(families: ReadonlySet<string>): string | undefined {
  const byOwn = new Map<string, string[]>();
  for (const family of families) {
    const substitute = OWN_FONTS[substituteOf(family).family];
    if (family !== substitute) byOwn.set(substitute, [...(byOwn.get(substitute) ?? []), family]);
  }
  return (
    Array.from(byOwn, ([substitute, replaced]) => replacedBy(replaced, [substitute])).join('; ') || undefined
  );
}

function picturesOf(pack: Package): PictureReader {
  return async (part) => {
    const bytes = pack.read(part);
    const type = bytes && typeOf(bytes);
    if (!type) return undefined;
    const result = await imageToPdf(bytes, type);
    if (!result.ok) {
      // A damaged picture leaves a frame with its name; a hostile one refuses the document, also for LibreOffice.
      if ('limit' in result) throw limitExceeded(result.limit);
      return undefined;
    }
    const [page] = result.pages;
    return page && { pdf: result.pdf, width: page.width, height: page.height };
  };
}

const MARKS: readonly [ImageType, RegExp][] = [
  ['png', /^\x89PNG\r\n\x1a\n/],
  ['jpeg', /^\xff\xd8\xff/],
  ['gif', /^GIF8[79]a/],
  ['bmp', /^BM/],
  ['tiff', /^(II\*\0|MM\0\*)/],
  ['webp', /^RIFF[\s\S]{4}WEBP/],
];
const MARK_BYTES = 12;

/** Tells the type by the bytes, because the name may be wrong. Undefined for vector drawings, which cannot be drawn here. */
function typeOf(bytes: Buffer): ImageType | undefined {
  const head = bytes.toString('latin1', 0, MARK_BYTES);
  return MARKS.find(([, mark]) => mark.test(head))?.[0];
}
