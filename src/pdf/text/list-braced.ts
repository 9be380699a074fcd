// Lists the texts in double braces of pages, in which tags are written.
import type { Box } from '../geometry.ts';
import { REMOVAL_LIMITS } from '../limits.ts';
import { type OpenPage, withPage } from '../render/open-page.ts';
import { type Pdfium, withDocument } from '../render/pdfium.ts';
import { userUnitsOf } from '../render/user-unit.ts';
import type { TooComplex } from '../too-complex.ts';
import { type BracedText, findBracedTexts } from './braced-texts.ts';
import type { PageRange } from './find-words.ts';

/** `index`: which text in double braces of its page it is, from 0. */
export type ListedBraced = { page: number; index: number; text: string; boxes: Box[] };

/** A text whose end is not on its page. */
export type UnfinishedBraced = { page: number; text: string };

export type BracedListed =
  | { ok: true; texts: ListedBraced[]; unfinished: UnfinishedBraced[]; isCut: boolean }
  | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function listBraced(bytes: Uint8Array, pages: PageRange): Promise<BracedListed> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, bytes);
      const texts: ListedBraced[] = [];
      const unfinished: UnfinishedBraced[] = [];
      for (let page = pages.from; page < pages.to && texts.length <= REMOVAL_LIMITS.tags; page += 1)
        withPage(pdfium, document, { pageIndex: page, unit: units(page) }, (open) => {
          const found = withTextPage(pdfium, open, (text) => findBracedTexts(pdfium, text, open));
          for (const [index, { text, boxes }] of found?.texts.entries() ?? [])
            texts.push({ page, index, text, boxes });
          for (const text of found?.unfinished ?? []) unfinished.push({ page, text });
        });
      return {
        texts: texts.slice(0, REMOVAL_LIMITS.tags),
        unfinished: unfinished.slice(0, REMOVAL_LIMITS.tags),
        isCut: texts.length > REMOVAL_LIMITS.tags,
      };
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

/** Opens the text of a page around `use`. Undefined where PDFium cannot. */
export function withTextPage<T>(pdfium: Pdfium, open: OpenPage, use: (text: number) => T): T | undefined {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return undefined;
  try {
    return use(text);
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

export type { BracedText };
