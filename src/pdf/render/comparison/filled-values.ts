// Reads what a page shows at the places of form fields that were filled in, and compares it with their values: a field may have one value
// and show another.
import { type Box, boxOfRect, type Rect } from '../../geometry.ts';
import { COMPARE_LIMITS } from '../../limits.ts';
import { type OpenPage, withPage } from '../../read/open-page.ts';
import type { Pdfium } from '../../read/pdfium.ts';
import { type Letter, lettersOf } from '../../text/covered-text.ts';

/** `isDrawn` says that what it shows is made of lines, pictures or hidden letters as well, which may be read as another value. */
export type FilledField = { name: string; value: string; isDrawn?: boolean; rect: Rect };
/** `page` counts from 0. */
export type OtherValue = { page: number; field: string; value: string; shown: string; isDrawn?: boolean };

// fpdf_flatten.h: what the screen shows.
export const FLAT_NORMALDISPLAY = 0;

/**
 * Finds the fields that show something other than their value. It draws the appearances of all annotations into the page of `latest`, so it
 * is the last that is done with this page.
 * @param documents two versions of one file: letters that the earlier one shows belong to no field
 */
export function findOtherValues(
  pdfium: Pdfium,
  documents: { earlier: number; latest: number },
  pageIndex: number,
  fields: readonly FilledField[],
): OtherValue[] {
  if (fields.length === 0) return [];
  const at = { pageIndex, unit: 1 };
  const earlierKeys = new Set(
    withPage(pdfium, documents.earlier, at, (open) => lettersOf(pdfium, open).map(keyOf)),
  );
  withPage(pdfium, documents.latest, at, ({ page }) => pdfium.FPDFPage_Flatten(page, FLAT_NORMALDISPLAY));
  return withPage(pdfium, documents.latest, at, (open) => {
    const drawn = lettersOf(pdfium, open).filter((letter) => !earlierKeys.has(keyOf(letter)));
    return fields.flatMap(({ name, value, rect, isDrawn = false }) => {
      const shown = shownIn(open, drawn, rect);
      return isSameText(value, shown) && !isDrawn
        ? []
        : [
            {
              page: pageIndex,
              field: name,
              value,
              shown: shown.trim().slice(0, COMPARE_LIMITS.shownCharacters),
              ...(isDrawn && { isDrawn }),
            },
          ];
    });
  });
}

/** The same letter at the same place has the same key. */
const keyOf = ({ text, box }: Letter): string =>
  `${text} ${box ? `${Math.round(box.x)} ${Math.round(box.y)}` : ''}`;

function shownIn({ geometry }: OpenPage, letters: readonly Letter[], rect: Rect): string {
  const place = boxOfRect(geometry, rect);
  return letters
    .map(({ text, box }) => (box && isCentredIn(place, box) ? text : ' '))
    .join('')
    .replace(/ +/g, ' ');
}

function isCentredIn(place: Box, { x, y, width, height }: Box): boolean {
  const [across, down] = [x + width / 2 - place.x, y + height / 2 - place.y];
  return across >= 0 && across <= place.width && down >= 0 && down <= place.height;
}

/** These characters show nothing of their own. */
const UNSEEN = /[\s\p{Cf}\p{Cc}]/gu;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

function isSameText(value: string, shown: string): boolean {
  const [valueText, other] = [value, shown].map((text) => text.normalize('NFKC').replace(UNSEEN, ''));
  if (valueText === other) return true;
  // The order of right-to-left text in a file says nothing about how it is read.
  return RIGHT_TO_LEFT.test(value) && sorted(valueText) === sorted(other);
}

const sorted = (text = ''): string => [...text].sort().join('');
