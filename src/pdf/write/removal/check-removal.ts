// Compares a document with the one from which texts were removed: every other letter is in its place, and nothing looks different
// outside of the boxes of these texts.

import { type Box, displayedPage, pixelsOfBox } from '../../geometry.ts';
import type { TooComplex } from '../../limits.ts';
import { withForm, withPage } from '../../read/open-page.ts';
import { type Pdfium, withDocument } from '../../read/pdfium.ts';
import {
  blank,
  drawPage,
  outwards,
  type Picture,
  type ShownPage,
} from '../../render/comparison/page-picture.ts';
import { withTextPage } from '../../text/braced-texts.ts';
import { createNearPoints, type PageCharacter, readCharacters } from './choose-glyphs.ts';
import { type NotRemovable, notRemovable } from './removal.ts';

/** Everything here has to stay. The `picture` is without the boxes of removed texts, and only pages that have such have one. */
export type RemainingPage = { letters: PageCharacter[]; picture: Picture | undefined; boxes: readonly Box[] };

/** Reads what remains of an open page when some of its characters are removed. */
export function readRemaining(
  pdfium: Pdfium,
  open: ShownPage,
  { boxes, isRemoved }: { boxes: readonly Box[]; isRemoved: (index: number) => boolean },
): RemainingPage {
  const letters = withTextPage(pdfium, open, (text) => readCharacters(pdfium, text)) ?? [];
  return {
    letters: letters.filter(({ index, text }) => text.trim() !== '' && !isRemoved(index)),
    picture: boxes.length === 0 ? undefined : pictureWithout(pdfium, open, boxes),
    boxes,
  };
}

function pictureWithout(pdfium: Pdfium, open: ShownPage, boxes: readonly Box[]): Picture {
  const picture = drawPage(pdfium, open, { medium: 'screen' });
  const page = displayedPage(open.geometry);
  for (const box of boxes) blank(picture, outwards(pixelsOfBox(withOverhang(box), page, picture)));
  return picture;
}

/** Letters reach beyond their boxes: accents, tails, and what leans over the end. */
const OVERHANG = 0.3;

function withOverhang({ x, y, width, height }: Box): Box {
  const by = OVERHANG * Math.min(width, height);
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** Compares the pages of the new document. Returns undefined where all is as it was. @param unit of a page */
export async function checkRemoval(
  pdf: Uint8Array,
  pages: readonly RemainingPage[],
  unit: (page: number) => number,
): Promise<NotRemovable | TooComplex | undefined> {
  const opened = await withDocument(
    pdf,
    (pdfium, document) => {
      if (pdfium.FPDF_GetPageCount(document) !== pages.length) return notRemovable('unreadable');
      return withForm(pdfium, document, (form) => {
        for (const [pageIndex, before] of pages.entries()) {
          const place = { pageIndex, unit: unit(pageIndex) };
          const difference = withPage(pdfium, document, place, (open) =>
            compare(
              before,
              readRemaining(pdfium, { ...open, form }, { ...before, isRemoved: () => false }),
              pageIndex,
            ),
          );
          if (difference) return difference;
        }
        return undefined;
      });
    },
    { wasAccepted: true },
  );
  if (opened.ok) return opened.value;
  if (opened.reason === 'too_complex') return opened;
  return opened.reason === 'broken'
    ? { ok: false, reason: 'too_complex', limit: 'crash' }
    : notRemovable('unreadable');
}

function compare(before: RemainingPage, after: RemainingPage, page: number): NotRemovable | undefined {
  const other = otherLetters(before.letters, after.letters);
  if (other !== '') return notRemovable('text', { page, what: other });
  const [earlier, two] = [before.picture, after.picture];
  if (earlier && two && (earlier.head !== two.head || !isAlike(earlier, two)))
    return notRemovable('picture', { page });
  return undefined;
}

/** Nothing that stays moves further in points: numbers are rounded. */
const SAME_PLACE = 0.5;
const SHOWN_LETTERS = 40;

/** Lists the first letters that only one of the two has. */
function otherLetters(before: readonly PageCharacter[], after: readonly PageCharacter[]): string {
  const places = createNearPoints(after);
  const met = new Set<PageCharacter>();
  const lost = before.filter((letter) => {
    const same = places
      .near(letter, SAME_PLACE)
      .find((candidate) => candidate.text === letter.text && !met.has(candidate));
    if (same) met.add(same);
    return !same;
  });
  const gained = after.filter((letter) => !met.has(letter));
  return textOf(lost.length > 0 ? lost : gained);
}

const textOf = (letters: readonly PageCharacter[]): string =>
  letters
    .slice(0, SHOWN_LETTERS)
    .map(({ text }) => text)
    .join('');

/** A value of a pixel may differ by so much. */
const SAME_COLOR = 24;
/** A value may differ by so much for a pixel beside it: edges that are smoothed elsewhere become a little lighter or darker. */
const NEAR_COLOR = 64;

/**
 * Returns true if every pixel of each picture is at its place in the other, or beside it. PDFium rounds the widths of glyphs, so that
 * letters behind a removed text move by a part of a pixel.
 */
function isAlike(first: Picture, other: Picture): boolean {
  if (first.pixels.equals(other.pixels)) return true;
  for (let at = 0; at < first.pixels.length; at += 1)
    if (
      Math.abs(first.pixels[at]! - other.pixels[at]!) > SAME_COLOR &&
      !(hasNear(first, at, other.pixels[at]!) && hasNear(other, at, first.pixels[at]!))
    )
      return false;
  return true;
}

/** Tells whether a value is between those around its place. */
function hasNear({ pixels, width }: Picture, at: number, value: number): boolean {
  let [least, most] = [255, 0];
  for (const row of [-width, 0, width])
    for (const column of [-1, 0, 1]) {
      const near = pixels[at + (row + column) * 4] ?? 255;
      least = Math.min(least, near);
      most = Math.max(most, near);
    }
  return value >= least - NEAR_COLOR && value <= most + NEAR_COLOR;
}
