// Writes PDFs whose content is given operator by operator, with a few fonts, and reads what is left of them.

import { withPage } from '../../../src/pdf/read/open-page.ts';
import { withDocument } from '../../../src/pdf/read/pdfium.ts';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { PdfStream, Ref } from '../../../src/pdf/read/values.ts';
import { listBraced } from '../../../src/pdf/text/braced-texts.ts';
import { pdfOf } from './pdf.ts';

export type TagPdf = {
  /** The content of each page. */
  pages: readonly string[];
  /** The first is `20 0 R`. */
  objects?: readonly string[];
  /** Further entries of the resources, of the first page and of the catalog. */
  resources?: string;
  page?: string;
  catalog?: string;
  trailer?: string;
};

export const FIRST_OBJECT = 20;

const MOST_PAGES = 6;
const WIDTHS = Array.from({ length: 95 }, (_, index) => 400 + (index % 7) * 50).join(' ');

export const streamOf = (content: string, entries = ''): string =>
  `<<${entries}/Length ${content.length}>>\nstream\n${content}\nendstream`;

/** A drawing of 400 by 300 points. */
export const drawingOf = (content: string, entries = ''): string =>
  streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 400 300]${entries}`);

/** The fonts, by name: F is Helvetica, C is Courier, W states its widths. */
export const FONTS = '/Font<</F 15 0 R/C 16 0 R/W 17 0 R>>';

/** Pages of 400 by 300 points. */
export function tagPdf({
  pages,
  objects = [],
  resources = '',
  page = '',
  catalog = '',
  trailer = '',
}: TagPdf): Buffer {
  const numbers = pages.map((_, index) => 3 + index);
  const contents = pages.map((_, index) => 3 + MOST_PAGES + index);
  const filler = Array.from({ length: MOST_PAGES - pages.length }, () => 'null');
  return pdfOf(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      `<</Type/Pages/Count ${pages.length}/Kids[${numbers.map((one) => `${one} 0 R`).join(' ')}]/MediaBox[0 0 400 300]/Resources<<${FONTS}${resources}>>>>`,
      ...pages.map(
        (_, index) => `<</Type/Page/Parent 2 0 R/Contents ${contents[index]} 0 R${index === 0 ? page : ''}>>`,
      ),
      ...filler,
      ...pages.map((content) => streamOf(content)),
      ...filler,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
      `<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/Widths[${WIDTHS}]>>`,
      'null',
      'null',
      ...objects,
    ],
    trailer,
  );
}

/** A line of text. */
export const line = (text: string, y = 200, font = '/F 12'): string =>
  `BT ${font} Tf 30 ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`;

/** All texts in double braces. */
export async function bracedIn(pdf: Uint8Array) {
  const listed = await listBraced(pdf, { from: 0, to: await pageCount(pdf) });
  if (!listed.ok) throw new Error(listed.limit);
  return listed.texts;
}

/** The text of each page without its spaces, as PDFium reads it. */
export async function textsOf(pdf: Uint8Array): Promise<string[]> {
  const opened = await withDocument(new Uint8Array(pdf), (pdfium, document) =>
    Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, pageIndex) =>
      withPage(pdfium, document, { pageIndex, unit: 1 }, ({ page }) => {
        const text = pdfium.FPDFText_LoadPage(page);
        const letters = Array.from({ length: pdfium.FPDFText_CountChars(text) }, (_, index) =>
          String.fromCodePoint(pdfium.FPDFText_GetUnicode(text, index)),
        );
        pdfium.FPDFText_ClosePage(text);
        return letters.join('').replace(/\s+/g, '');
      }),
    ),
  );
  if (!opened.ok) throw new Error(opened.reason);
  return opened.value;
}

async function pageCount(pdf: Uint8Array): Promise<number> {
  const opened = await withDocument(new Uint8Array(pdf), (pdfium, document) =>
    pdfium.FPDF_GetPageCount(document),
  );
  if (!opened.ok) throw new Error(opened.reason);
  return opened.value;
}

/** Everything that is in the file, unpacked: objects as they are written, and the data of streams. */
export function everythingIn(pdf: Uint8Array): string {
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  const streams: string[] = [];
  for (let number = 1; number <= file.highestNumber; number += 1) {
    const value = file.latest.object(number)?.value;
    if (value instanceof PdfStream)
      streams.push(file.latest.data(new Ref(number, 0))?.toString('latin1') ?? '');
  }
  return [Buffer.from(pdf).toString('latin1'), ...streams].join('\n');
}
