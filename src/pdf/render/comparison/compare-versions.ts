// Compares the pages of a PDF as a reader shows them with those of an earlier version of the same file: an earlier version is the beginning
// of the file. It draws both with PDFium, for the screen and for paper, and reads their text. It knows nothing of signatures.

import { type Box, boxOfRect, type PageGeometry, pixelsOfBox, type Rect } from '../../geometry.ts';
import { COMPARE_LIMITS, type TooComplex } from '../../limits.ts';
import { withForm, withPage } from '../../read/open-page.ts';
import { type Pdfium, withDocument, withMemory } from '../../read/pdfium.ts';
import { shortWord, type Word, wordsOfPage } from '../../text/covered-text.ts';
import { type FilledField, FLAT_NORMALDISPLAY, findOtherValues, type OtherValue } from './filled-values.ts';
import {
  blank,
  coversInk,
  drawPage,
  inwards,
  isShownEmpty,
  outwards,
  type Picture,
  pixelRowsIn,
  type ShownPage,
} from './page-picture.ts';

/**
 * It is a place of a page, from 0, that may show something else, in the page's own coordinates. A `filled` text field was filled in. What a
 * place with `isSignature` shows beside a number counts as drawn over it. `mustBeEmpty` says that a field was there, and may have shown no
 * more than a border and a background; `mustBeBlank`, that the earlier page shows nothing there at all.
 */
export type AllowedPlace = {
  page: number;
  rect: Rect;
  filled?: Pick<FilledField, 'name' | 'value' | 'isDrawn'>;
  isSignature?: boolean;
  mustBeEmpty?: boolean;
  mustBeBlank?: boolean;
};

export type VersionToCompare = {
  /** The earlier version ends at this byte. */
  end: number;
  /** They are compared from 0, in rising order. All are, where PDFium had to repair the file to read it, or counts other pages. */
  pages: readonly number[];
  /** The file was read to have so many pages. */
  pageCount: number;
  allowed: readonly AllowedPlace[];
  /** An encrypted file needs it. */
  password?: string | undefined;
};

export type Medium = 'screen' | 'paper' | 'text';
/** `page` counts from 0; it is undefined where the number of pages differs. */
export type VersionDifference = { page?: number; medium?: Medium };
/**
 * The later version shows something in an allowed place over these words of a page, from 0; there are none where it covers a scan or a
 * drawing.
 */
export type DrawnOver = { page: number; words: string[] };
type Comparison = {
  compared: number;
  pageCount: number;
  differences: VersionDifference[];
  drawnOver: DrawnOver[];
  otherValues: OtherValue[];
};
export type VersionsCompared = ({ ok: true } & Comparison) | { ok: false; reason: 'unreadable' } | TooComplex;

/** @returns the first difference of each page */
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
    const places = allowed.filter((item) => item.page === page);
    const isBesideSeen = places.some(({ isSignature }) => isSignature);
    const { medium, changed, isInkCovered, unseen } = comparePage(pdfium, earlier, latest, page, places);
    if (medium !== undefined) differences.push({ page, medium });
    const words = changed.length === 0 ? [] : wordsUnder(pdfium, earlier, page, { changed, isBesideSeen });
    if (words.length > 0 || isInkCovered) drawnOver.push({ page, words });
    const fields = places.flatMap(({ rect, filled }) => (filled ? [{ ...filled, rect }] : []));
    const documents = { earlier: earlier.document, latest: latest.document };
    const others = findOtherValues(pdfium, documents, page, fields);
    const hidden = unseen.filter(({ name }) => !others.some(({ field }) => field === name));
    otherValues.push(
      ...others,
      ...hidden.map(({ name, value }) => ({ page, field: name, value, shown: '' })),
    );
  }
  return { compared: wanted.length, pageCount, differences, drawnOver, otherValues };
}

/**
 * @returns what differs first outside the places, or shows that a field was not empty, if anything does; the pictures that differ in the
 * places, whether a signature covers what is no text, and the fields with a value that show nothing
 */
function comparePage(
  pdfium: Pdfium,
  earlier: OpenVersion,
  latest: OpenVersion,
  pageIndex: number,
  places: readonly AllowedPlace[],
): PageDifferences {
  return withShownPage(pdfium, earlier, pageIndex, (shownEarlier) =>
    withShownPage(pdfium, latest, pageIndex, (other) => {
      // PDFium has no letters for some fonts that are not in the file, and draws nothing for them.
      if (textOf(pdfium, shownEarlier.page) !== textOf(pdfium, other.page))
        return { ...SAME, medium: 'text' };
      const changed: Pictures[] = [];
      for (const medium of ['screen', 'paper'] as const) {
        const [was, is] = [shownEarlier, other].map((open) => drawPage(pdfium, open, { medium })) as [
          Picture,
          Picture,
        ];
        if (was.head !== is.head) return { ...SAME, medium };
        const blanks = places.filter(({ mustBeBlank }) => mustBeBlank);
        if (!blanks.every(({ rect }) => isBlankIn(was, boxOfRect(shownEarlier.geometry, rect))))
          return { ...SAME, medium };
        if (was.pixels.equals(is.pixels)) continue;
        const outside = [was, is].map((picture) => withoutPlaces(picture, shownEarlier.geometry, places));
        if (!outside[0]!.equals(outside[1]!)) return { ...SAME, medium };
        const filled = places.filter(({ mustBeEmpty }) => mustBeEmpty);
        const bare = filled.length > 0 && drawPage(pdfium, shownEarlier, { medium, isBare: true });
        if (
          bare &&
          !filled.every(({ rect }) => isShownEmpty({ was, bare }, boxOfRect(shownEarlier.geometry, rect)))
        )
          return { ...SAME, medium };
        changed.push({ was, is });
      }
      const boxOf = (rect: Rect, picture: Picture) =>
        pixelsOfBox(boxOfRect(shownEarlier.geometry, rect), picture.page, picture);
      const isInkCovered = places
        .filter(({ isSignature, mustBeEmpty }) => isSignature && !mustBeEmpty)
        .some(({ rect }) => changed.some(({ was, is }) => coversInk(was, is, boxOf(rect, was))));
      return { changed, isInkCovered, unseen: unseenIn(pdfium, other, places) };
    }),
  );
}

type PageDifferences = {
  medium?: Medium;
  changed: Pictures[];
  isInkCovered: boolean;
  unseen: Pick<FilledField, 'name' | 'value'>[];
};

const SAME: PageDifferences = { changed: [], isInkCovered: false, unseen: [] };

/** Finds fields with letters in their value of which the screen shows nothing: they are drawn in the colour of the paper. */
function unseenIn(pdfium: Pdfium, open: ShownPage, places: readonly AllowedPlace[]) {
  const filled = places.filter(({ filled: field }) => /[\p{L}\p{N}]/u.test(field?.value ?? ''));
  if (filled.length === 0) return [];
  const was = drawPage(pdfium, open, { medium: 'screen' });
  const bare = drawPage(pdfium, open, { medium: 'screen', isBare: true });
  return filled.flatMap(({ rect, filled: field }) => {
    const { width, height } = pixelsOfBox(boxOfRect(open.geometry, rect), was.page, was);
    const isLargeEnough = Math.min(width, height) >= LEAST_SIDE;
    return field && isLargeEnough && isShownEmpty({ was, bare }, boxOfRect(open.geometry, rect))
      ? [field]
      : [];
  });
}

/** Nothing is left inside of the border of a smaller field, in pixels. */
const LEAST_SIDE = 12;

/** Tells whether a picture has one colour in a box. */
function isBlankIn(picture: Picture, box: Box): boolean {
  const rows = pixelRowsIn(picture, outwards(pixelsOfBox(box, picture.page, picture)));
  const [first] = rows[0] ?? [0];
  const color = picture.pixels.subarray(first, first + 4);
  return rows.every(([start, end]) => {
    for (let at = start; at < end; at += 4)
      if (picture.pixels.compare(color, 0, 4, at, at + 4) !== 0) return false;
    return true;
  });
}

type Pictures = { was: Picture; is: Picture };

function withoutPlaces(picture: Picture, geometry: PageGeometry, places: readonly AllowedPlace[]): Buffer {
  const rest = { ...picture, pixels: Buffer.from(picture.pixels) };
  for (const { rect } of places)
    blank(rest, outwards(pixelsOfBox(boxOfRect(geometry, rect), rest.page, rest)));
  return rest.pixels;
}

/**
 * Finds the words of an earlier page that look different later, those of fields and notes among them. It draws their appearances into the
 * page, so it is the last that is done with this page.
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
    wordsOfPage(pdfium, open)
      .map((word) => (isBesideSeen ? withBeside(word) : word))
      .filter((word) => changed.some(({ was, is }) => isChanged(was, is, word)))
      .slice(0, COMPARE_LIMITS.words)
      .map(shortWord),
  );
}

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

/** Returns all characters of the page, as numbers. */
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

/** Digits are about as wide, in heights of a letter. */
const BESIDE = 0.7;

function isChanged(was: Picture, is: Picture, { boxes }: Word): boolean {
  return boxes.some((box) => {
    const rows = pixelRowsIn(was, inwards(pixelsOfBox(box, was.page, was)));
    return rows.some(([start, end]) => was.pixels.compare(is.pixels, start, end, start, end) !== 0);
  });
}
