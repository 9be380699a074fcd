// Compares the pages of a PDF as a reader shows them with those of an earlier version of the same file: an earlier version is the beginning
// of the file. It draws both with PDFium, for the screen and for paper, and reads their text. It knows nothing of signatures.
import {
  type Box,
  boxOfRect,
  displayedPage,
  type PageGeometry,
  pictureSize,
  pixelsOfBox,
  type Rect,
  type Size,
} from './geometry.ts';
import { COMPARE_LIMITS } from './limits.ts';
import { type OpenPage, withForm, withPage } from './open-page.ts';
import { type Pdfium, withDocument, withMemory } from './pdfium.ts';
import type { TooComplex } from './too-complex.ts';

/** A place of a page, from 0, that may show something else: in the page's own coordinates. */
export type AllowedPlace = { page: number; rect: Rect };

export type VersionToCompare = {
  /** Where the earlier version ends, in bytes. */
  end: number;
  /** The pages to compare, from 0, in rising order. All are, where PDFium had to repair the file to read it, or counts other pages. */
  pages: readonly number[];
  /** How many pages the file was read to have. */
  pageCount: number;
  allowed: readonly AllowedPlace[];
  /** Of an encrypted file. */
  password?: string | undefined;
};

export type Medium = 'screen' | 'paper' | 'text';
/** `page` from 0; undefined where the number of pages differs. */
export type VersionDifference = { page?: number; medium?: Medium };
export type VersionsCompared =
  | { ok: true; compared: number; pageCount: number; differences: VersionDifference[] }
  | { ok: false; reason: 'unreadable' }
  | TooComplex;

/** @returns of each page the first difference */
export async function compareVersions(
  bytes: Uint8Array,
  version: VersionToCompare,
): Promise<VersionsCompared> {
  const { end, password = '' } = version;
  const opened = await withDocument(
    bytes,
    (pdfium, latest) =>
      withEarlier(pdfium, bytes.subarray(0, end), password, (earlier) =>
        withForm(pdfium, earlier, (earlierForm) =>
          withForm(pdfium, latest, (latestForm) =>
            comparePages(
              pdfium,
              { document: earlier, form: earlierForm },
              { document: latest, form: latestForm },
              version,
            ),
          ),
        ),
      ),
    { password },
  );
  if (!opened.ok) {
    if (opened.reason === 'too_complex') return opened;
    if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
    return { ok: false, reason: 'unreadable' };
  }
  return opened.value ? { ok: true, ...opened.value } : { ok: false, reason: 'unreadable' };
}

type OpenVersion = { document: number; form: number };
type Compared = { compared: number; pageCount: number; differences: VersionDifference[] };

/** Opens the earlier version beside the later one. */
function withEarlier<T>(
  pdfium: Pdfium,
  bytes: Uint8Array,
  password: string,
  job: (document: number) => T,
): T | undefined {
  return withMemory(pdfium, bytes.length, (pointer) => {
    pdfium.pdfium.HEAPU8.set(bytes, pointer);
    const document = pdfium.FPDF_LoadMemDocument(pointer, bytes.length, password);
    if (document === 0) return undefined;
    try {
      return job(document);
    } finally {
      pdfium.FPDF_CloseDocument(document);
    }
  });
}

function comparePages(
  pdfium: Pdfium,
  earlier: OpenVersion,
  latest: OpenVersion,
  { pages, pageCount: counted, allowed }: VersionToCompare,
): Compared {
  const pageCount = pdfium.FPDF_GetPageCount(latest.document);
  if (pageCount !== pdfium.FPDF_GetPageCount(earlier.document))
    return { compared: 0, pageCount, differences: [{}] };
  const isReadAsWritten = [earlier, latest].every(({ document }) =>
    pdfium.FPDF_DocumentHasValidCrossReferenceTable(document),
  );
  const wanted =
    isReadAsWritten && pageCount === counted ? pages : Array.from({ length: pageCount }, (_, page) => page);
  const differences = wanted.flatMap((page) => {
    const places = allowed.filter((one) => one.page === page).map(({ rect }) => rect);
    const medium = differenceOf(pdfium, earlier, latest, page, places);
    return medium === undefined ? [] : [{ page, medium }];
  });
  return { compared: wanted.length, pageCount, differences };
}

function differenceOf(
  pdfium: Pdfium,
  earlier: OpenVersion,
  latest: OpenVersion,
  pageIndex: number,
  places: readonly Rect[],
): Medium | undefined {
  return withShownPage(pdfium, earlier, pageIndex, (one) =>
    withShownPage(pdfium, latest, pageIndex, (other) => {
      // PDFium has no letters for some fonts that are not in the file, and draws nothing for them.
      if (textOf(pdfium, one.page) !== textOf(pdfium, other.page)) return 'text';
      const media = ['screen', 'paper'] as const;
      return media.find((medium) => {
        const [was, is] = [one, other].map((open) => draw(pdfium, open, medium, places));
        return was === undefined || is === undefined || !was.equals(is);
      });
    }),
  );
}

type ShownPage = OpenPage & { form: number };

function withShownPage<T>(
  pdfium: Pdfium,
  { document, form }: OpenVersion,
  pageIndex: number,
  job: (open: ShownPage) => T,
): T {
  return withPage(pdfium, document, { pageIndex, unit: 1 }, (open) => {
    pdfium.FORM_OnAfterLoadPage(open.page, form);
    try {
      return job({ ...open, form });
    } finally {
      pdfium.FORM_OnBeforeClosePage(open.page, form);
    }
  });
}

/** All characters of the page, as numbers. */
function textOf(pdfium: Pdfium, page: number): string {
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return '';
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), COMPARE_LIMITS.characters);
    return Array.from({ length: count }, (_, index) => pdfium.FPDFText_GetUnicode(text, index)).join(' ');
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

// fpdfview.h: FPDF_ANNOT draws annotations, FPDF_PRINTING draws what is printed.
const FLAGS = { screen: 0x01, paper: 0x01 | 0x800 };
const WHITE = 0xffffffff;

/** The picture of a page, with its size, where the allowed places are white. */
function draw(pdfium: Pdfium, open: ShownPage, medium: 'screen' | 'paper', places: readonly Rect[]): Buffer {
  const page = displayedPage(open.geometry);
  const { width, height } = pictureSize(page, COMPARE_LIMITS);
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new RangeError('PDFium is out of memory.');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, open.page, 0, 0, width, height, 0, FLAGS[medium]);
    pdfium.FPDF_FFLDraw(open.form, bitmap, open.page, 0, 0, width, height, 0, FLAGS[medium]);
    for (const rect of places) {
      const {
        x,
        y,
        width: across,
        height: down,
      } = outwards(boxIn(open.geometry, rect, page, { width, height }));
      pdfium.FPDFBitmap_FillRect(bitmap, x, y, across, down, WHITE);
    }
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const pixels = Buffer.from(pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4).buffer);
    return Buffer.concat([Buffer.from(`${width} ${height} ${open.geometry.rotation} `), pixels]);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

const boxIn = (geometry: PageGeometry, rect: Rect, page: Size, picture: Size): Box =>
  pixelsOfBox(boxOfRect(geometry, rect), page, picture);

/** Whole pixels, with one more on each side: edges are smoothed. */
function outwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x) - 1, Math.floor(y) - 1];
  return { x: left, y: top, width: Math.ceil(x + width) + 1 - left, height: Math.ceil(y + height) + 1 - top };
}
