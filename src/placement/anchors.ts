// Places fields at words of a document: which of the places where the words were found, and where the field is beside them.

import type { QueryResult, WordQuery, WordsMatch } from '../pdf/engine/engine.ts';
import type { Box, Size } from '../pdf/geometry.ts';
import { inPoints, type Length, sizeOfType } from './sizes.ts';

export const ANCHOR_POSITIONS = ['over', 'above', 'below', 'left', 'right'] as const;
export type AnchorPosition = (typeof ANCHOR_POSITIONS)[number];

/** A field is placed at these words. */
export type Anchor = {
  text: string;
  /** The field covers the words from their top left corner on, or stands beside them. */
  at: AnchorPosition;
  /** Added to that place, to the right and down. */
  offset: { x: Length; y: Length };
  /** A field without one has the usual size for its type. */
  size?: { width: Length; height: Length } | undefined;
  /** It counts from 1; an anchor without one has to have a single place. */
  match?: number | 'last' | 'all' | undefined;
  /** It counts from 0; an anchor without one looks on all pages. */
  page?: number | 'last' | undefined;
  isRegex?: boolean | undefined;
  isCaseSensitive?: boolean | undefined;
  isWholeWord?: boolean | undefined;
  /** No field is made where the words are missing. */
  mayBeMissing?: boolean | undefined;
};

export const queryOf = (
  { text, isRegex, isCaseSensitive, isWholeWord, page }: Anchor,
  pages: number,
): WordQuery => ({
  text,
  isRegex,
  isCaseSensitive,
  isWholeWord,
  page: page === 'last' ? pages - 1 : page,
});

export type ChosenWords =
  | { ok: true; matches: WordsMatch[] }
  | { ok: false; reason: 'none' }
  | { ok: false; reason: 'many' | 'fewer'; matches: WordsMatch[] };

/** Chooses the matches that a field is placed at, of those that the query of the anchor found. */
export function chooseMatches({ match }: Anchor, { matches, isCut }: QueryResult): ChosenWords {
  if (matches.length === 0) return { ok: false, reason: 'none' };
  if (typeof match === 'number') {
    const chosen = matches[match - 1];
    return chosen ? { ok: true, matches: [chosen] } : { ok: false, reason: 'fewer', matches };
  }
  // Where there are more places than are found, neither all of them nor the last one is known.
  if (isCut || (match === undefined && matches.length > 1)) return { ok: false, reason: 'many', matches };
  return { ok: true, matches: match === 'last' ? matches.slice(-1) : matches };
}

/** A field without a given size becomes at most this much smaller at the edge of a page. */
const SMALLEST = 0.5;

/** Computes the box of a field in points of the displayed page; it may reach beyond the page. */
export function boxAtWords(anchor: Anchor, type: string, { boxes }: WordsMatch, page: Size): Box {
  const [first, last] = [boxes[0]!, boxes.at(-1)!];
  const usual = sizeOfType(type);
  const size = anchor.size
    ? { width: inPoints(anchor.size.width, page.width), height: inPoints(anchor.size.height, page.height) }
    : usual;
  const { x, y } = CORNERS[anchor.at](first, last, size);
  const box = {
    x: x + inPoints(anchor.offset.x, page.width),
    y: y + inPoints(anchor.offset.y, page.height),
    ...size,
  };
  return anchor.size ? box : withinPage(box, anchor.at, page);
}

type CornerOf = (first: Box, last: Box, size: Size) => { x: number; y: number };

/** Gives the top left corner of a field. Beside words, a field stands on their line. */
const CORNERS: Record<AnchorPosition, CornerOf> = {
  over: ({ x, y }) => ({ x, y }),
  above: ({ x, y }, _, { height }) => ({ x, y: y - height }),
  below: (_, { x, y, height }) => ({ x, y: y + height }),
  left: ({ x, y, height }, _, size) => ({ x: x - size.width, y: y + height - size.height }),
  right: (_, { x, y, width, height }, size) => ({ x: x + width, y: y + height - size.height }),
};

/** A field of the usual size that reaches beyond the page becomes smaller, and keeps the side at the words. */
function withinPage(box: Box, at: AnchorPosition, page: Size): Box {
  const right = Math.min(box.x + box.width, page.width);
  const left = at === 'left' ? Math.max(box.x, 0) : box.x;
  const width = right - left;
  return width < box.width && width >= box.width * SMALLEST ? { ...box, x: left, width } : box;
}
