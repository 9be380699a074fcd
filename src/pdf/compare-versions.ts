// Compares the pages of a PDF as a reader shows them with those of an earlier version of the same file: an earlier version is the beginning
// of the file. It draws both with PDFium, for the screen and for paper, and reads their text. It knows nothing of signatures.

import { type FilledField, FLAT_NORMALDISPLAY, findOtherValues, type OtherValue } from './filled-values.ts';
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
import { shortWord, type Word, wordsOf } from './space/words-of-page.ts';
import type { TooComplex } from './too-complex.ts';

/**
 * A place of a page, from 0, that may show something else: in the page's own coordinates. `filled`: a text field that was filled in. `isSignature`:
 * what it shows beside a number counts as drawn over it.
 */
export type AllowedPlace = {
  page: number;
  rect: Rect;
  filled?: Pick<FilledField, 'name' | 'value'>;
  isSignature?: boolean;
};

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
/** Words of a page, from 0, over which the later version shows something in an allowed place. */
export type DrawnOver = { page: number; words: string[] };
type Comparison = {
  compared: number;
  pageCount: number;
  differences: VersionDifference[];
  drawnOver: DrawnOver[];
  /** Fields that show something other than their value. */
  otherValues: OtherValue[];
};
export type VersionsCompared = ({ ok: true } & Comparison) | { ok: false; reason: 'unreadable' } | TooComplex;

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
    // What is too much for PDFium ends the process that works on it: its limits hold here as well.
    { password, wasAccepted: true },
  );
  if (!opened.ok) {
    if (opened.reason === 'too_complex') return opened;
    if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
    return { ok: false, reason: 'unreadable' };
  }
  return opened.value ? { ok: true, ...opened.value } : { ok: false, reason: 'unreadable' };
}

type OpenVersion = { document: number; form: number };

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
): Comparison {
  const pageCount = pdfium.FPDF_GetPageCount(latest.document);
  if (pageCount !== pdfium.FPDF_GetPageCount(earlier.document))
    return { compared: 0, pageCount, differences: [{}], drawnOver: [], otherValues: [] };
  const isReadAsWritten = [earlier, latest].every(({ document }) =>
    pdfium.FPDF_DocumentHasValidCrossReferenceTable(document),
  );
  const wanted =
    isReadAsWritten && pageCount === counted ? pages : Array.from({ length: pageCount }, (_, page) => page);
  const differences: VersionDifference[] = [];
  const drawnOver: DrawnOver[] = [];
  const otherValues: OtherValue[] = [];
  for (const page of wanted) {
    const places = allowed.filter((one) => one.page === page);
    const rects = places.map(({ rect }) => rect);
    const isBesideSeen = places.some(({ isSignature }) => isSignature);
    const { medium, changed } = comparePage(pdfium, earlier, latest, page, rects);
    if (medium !== undefined) differences.push({ page, medium });
    const words = changed.length === 0 ? [] : wordsUnder(pdfium, earlier, page, { changed, isBesideSeen });
    if (words.length > 0) drawnOver.push({ page, words });
    const fields = places.flatMap(({ rect, filled }) => (filled ? [{ ...filled, rect }] : []));
    const documents = { earlier: earlier.document, latest: latest.document };
    otherValues.push(...findOtherValues(pdfium, documents, page, fields));
  }
  return { compared: wanted.length, pageCount, differences, drawnOver, otherValues };
}

/** @returns what differs first outside the places, if anything does, and the pictures that differ in them */
function comparePage(
  pdfium: Pdfium,
  earlier: OpenVersion,
  latest: OpenVersion,
  pageIndex: number,
  places: readonly Rect[],
): { medium?: Medium; changed: Pictures[] } {
  return withShownPage(pdfium, earlier, pageIndex, (one) =>
    withShownPage(pdfium, latest, pageIndex, (other) => {
      // PDFium has no letters for some fonts that are not in the file, and draws nothing for them.
      if (textOf(pdfium, one.page) !== textOf(pdfium, other.page)) return { medium: 'text', changed: [] };
      const changed: Pictures[] = [];
      for (const medium of ['screen', 'paper'] as const) {
        const [was, is] = [draw(pdfium, one, medium), draw(pdfium, other, medium)];
        if (was.head !== is.head) return { medium, changed: [] };
        if (was.pixels.equals(is.pixels)) continue;
        const outside = [was, is].map((picture) => withoutPlaces(picture, one.geometry, places));
        if (!outside[0]!.equals(outside[1]!)) return { medium, changed: [] };
        changed.push({ was, is });
      }
      return { changed };
    }),
  );
}

type Pictures = { was: Picture; is: Picture };

/** The pixels of a picture without those in the places. */
function withoutPlaces(picture: Picture, geometry: PageGeometry, places: readonly Rect[]): Buffer {
  const rest = { ...picture, pixels: Buffer.from(picture.pixels) };
  for (const rect of places) blank(rest, outwards(pixelsOfBox(boxOfRect(geometry, rect), rest.page, rest)));
  return rest.pixels;
}

/**
 * Finds the words of an earlier page that look different later, those of fields and notes among them. It draws their looks into the page, so it is the last
 * that is done with this page.
 */
function wordsUnder(
  pdfium: Pdfium,
  { document }: OpenVersion,
  pageIndex: number,
  { changed, isBesideSeen }: { changed: readonly Pictures[]; isBesideSeen: boolean },
): string[] {
  const at = { pageIndex, unit: 1 };
  withPage(pdfium, document, at, ({ page }) => pdfium.FPDFPage_Flatten(page, FLAT_NORMALDISPLAY));
  return withPage(pdfium, document, at, (open) =>
    wordsOf(pdfium, open)
      .map((word) => (isBesideSeen ? withBeside(word) : word))
      .filter((word) => changed.some(({ was, is }) => isChanged(was, is, word)))
      .slice(0, COMPARE_LIMITS.words)
      .map(shortWord),
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

/** Four bytes for each pixel, row by row. `head` says how the page lies: pages with another one are not the same. */
type Picture = Size & { page: Size; head: string; pixels: Buffer };

function draw(pdfium: Pdfium, open: ShownPage, medium: 'screen' | 'paper'): Picture {
  const page = displayedPage(open.geometry);
  const { width, height } = pictureSize(page, COMPARE_LIMITS);
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new RangeError('PDFium is out of memory.');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, open.page, 0, 0, width, height, 0, FLAGS[medium]);
    pdfium.FPDF_FFLDraw(open.form, bitmap, open.page, 0, 0, width, height, 0, FLAGS[medium]);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const pixels = Buffer.from(pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4).buffer);
    return { width, height, page, head: `${width} ${height} ${open.geometry.rotation}`, pixels };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/** A number is another one with a digit more: what is drawn within less than a digit of it belongs to it. */
function withBeside(word: Word): Word {
  const [first, last] = [word.boxes[0], word.boxes.at(-1)];
  if (!first || !last || !/\p{N}/u.test(word.text)) return word;
  const [across, down] = [last.x - first.x, last.y - first.y];
  const isUpright = Math.abs(down) > Math.abs(across);
  const besides = [first, last].flatMap((box) =>
    [-1, 1].map((side) => ({
      ...box,
      x: box.x + (isUpright ? 0 : side * box.height * BESIDE),
      y: box.y + (isUpright ? side * box.width * BESIDE : 0),
    })),
  );
  return { ...word, boxes: [...word.boxes, ...besides] };
}

/** Of the height of a letter: digits are about as wide. */
const BESIDE = 0.7;

function isChanged(was: Picture, is: Picture, { boxes }: Word): boolean {
  return boxes.some((box) => {
    const rows = rowsIn(was, inwards(pixelsOfBox(box, was.page, was)));
    return rows.some(([start, end]) => was.pixels.compare(is.pixels, start, end, start, end) !== 0);
  });
}

function blank(picture: Picture, box: Box): void {
  for (const [start, end] of rowsIn(picture, box)) picture.pixels.fill(0xff, start, end);
}

/** Where each row of the box begins and ends among the bytes of the picture; what lies outside is omitted. */
function rowsIn({ width, height }: Size, box: Box): [start: number, end: number][] {
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(height, box.y + box.height)];
  if (left >= right) return [];
  return Array.from({ length: Math.max(0, bottom - top) }, (_, row) => {
    const start = (top + row) * width;
    return [(start + left) * 4, (start + right) * 4];
  });
}

/** Whole pixels, with one more on each side: edges are smoothed. */
function outwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x) - 1, Math.floor(y) - 1];
  return { x: left, y: top, width: Math.ceil(x + width) + 1 - left, height: Math.ceil(y + height) + 1 - top };
}

/** The pixels that lie in it whole, and at least one: a border beside a letter does not cover it. */
function inwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.ceil(x), Math.ceil(y)];
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.floor(x + width) - left),
    height: Math.max(1, Math.floor(y + height) - top),
  };
}
