// Orders the characters of a line as they are read, and tells which of them are on one line and in one column.

import { beginsAtRight, inReadingOrder, middleOf, runsFromRight, sortByMiddle } from '../fonts/runs.ts';
import type { Character, CharacterBox } from './characters.ts';

/** A wider gap, in heights of a line, is one between columns. */
export const COLUMN_GAP = 1.2;
/** Two characters on one line are beside each other by this much of their height. */
const BESIDE = 0.4;

/** A wider gap, in heights of a line, is one between words. PDFium puts spaces into Arabic words, so its space needs a gap as well. */
const WORD_GAP = { withoutSpace: 0.25, withSpace: 0.1 };

/** A line consists of these, as PDFium returns them; `end` is where PDFium begins a new piece of text. */
export type LineItem = Character | 'end';

/** Tells whether a line has letters that run from right to left. */
export const isMixedLine = (line: readonly LineItem[]): boolean =>
  line.some((item) => item !== 'end' && runsFromRight(item.text));

/** PDFium has put a space that the page does not have on the sides in `spaceAt`. A space with `isGap` stands for a gap. */
export type LineGlyph = CharacterBox & { text: string; spaceAt: Set<'left' | 'right'>; isGap?: boolean };

/**
 * Orders a line with letters that run from right to left: its columns, and the glyphs of each, in the order they are read in. PDFium
 * returns their pieces in another order. Returns undefined where glyphs are in one place, so that places do not tell the order.
 */
export function columnsInReadingOrder(line: readonly LineItem[]): LineGlyph[][] | undefined {
  const glyphs = glyphsOf(line);
  if (new Set(glyphs.map(({ from, to }) => `${from} ${to}`)).size < glyphs.length) return undefined;
  const isFromRight = beginsAtRight(glyphs);
  const columns = columnsOf(glyphs).filter((column) => column.some(({ text }) => text.trim() !== ''));
  if (isFromRight) columns.reverse();
  return columns.map((column) => inReadingOrder(column, isFromRight));
}

/** Letters in the same place, one after the other, are one glyph. Marks belong to the glyph they stand on. */
function glyphsOf(line: readonly LineItem[]): LineGlyph[] {
  const glyphs: LineGlyph[] = [];
  const marks: LineGlyph[] = [];
  const apart: [LineGlyph[], LineGlyph[]][] = [];
  let word: LineGlyph[] = [];
  const beginWord = (isApart: boolean): void => {
    // A word that has not begun is still apart from the one before it.
    if (word.length === 0) return;
    const before = word;
    word = [];
    if (isApart) apart.push([before, word]);
  };
  for (const item of line) {
    if (item === 'end') beginWord(false);
    else if (!item.place) {
      if (item.text === ' ') beginWord(true);
    } else if (item.text !== '') {
      const glyph: LineGlyph = { ...item.place, text: item.text, spaceAt: new Set() };
      const last = glyphs.at(-1);
      if (last && last.from === glyph.from && last.to === glyph.to) last.text += glyph.text;
      else if (MARK.test(glyph.text)) marks.push(glyph);
      else {
        if (glyph.text === ' ') beginWord(false);
        else word.push(glyph);
        glyphs.push(glyph);
      }
    }
  }
  for (const [word, other] of apart) addSpaceBetween(word, other);
  addMarks(glyphs, marks);
  return glyphs;
}

/** Records the space between two words at the sides that they turn to each other. */
function addSpaceBetween(first: readonly LineGlyph[], second: readonly LineGlyph[]): void {
  const [left, right] = [first, second]
    .map(sortByMiddle)
    .sort((a, b) => (a[0]?.from ?? 0) - (b[0]?.from ?? 0));
  left?.at(-1)?.spaceAt.add('right');
  right?.[0]?.spaceAt.add('left');
}

/** A mark has no width of its own, such as a vowel. */
const MARK = /^\p{Mn}/u;

/** Adds each mark to the glyph whose middle is nearest. */
function addMarks(glyphs: readonly LineGlyph[], marks: readonly LineGlyph[]): void {
  const [bases, sorted] = [sortByMiddle(glyphs), sortByMiddle(marks)];
  let at = 0;
  for (const mark of sorted) {
    const distance = (index: number) => Math.abs(middleOf(bases[index]!) - middleOf(mark));
    while (at + 1 < bases.length && distance(at + 1) <= distance(at)) at += 1;
    const base = bases[at];
    if (base) base.text += mark.text;
  }
}

/** Orders the glyphs from left to right, with spaces where words are apart, cut where columns are. */
function columnsOf(glyphs: readonly LineGlyph[]): LineGlyph[][] {
  const columns: LineGlyph[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const glyph of [...glyphs].sort((a, b) => a.from - b.from)) {
    const gap = glyph.from - end;
    const column = columns.at(-1);
    const before = column?.at(-1);
    if (!column || !before || gap > (glyph.bottom - glyph.top) * COLUMN_GAP) columns.push([glyph]);
    else {
      if (areApart(before, glyph, gap))
        column.push({ ...glyph, text: ' ', from: end, to: glyph.from, spaceAt: new Set(), isGap: true });
      column.push(glyph);
    }
    end = Math.max(end, glyph.to);
  }
  return columns;
}

/** Tells whether a space is missing between two neighbors. */
function areApart(left: LineGlyph, right: LineGlyph, gap: number): boolean {
  if (left.text === ' ' || right.text === ' ') return false;
  const hasSpace = left.spaceAt.has('right') || right.spaceAt.has('left');
  return gap > (right.bottom - right.top) * (hasSpace ? WORD_GAP.withSpace : WORD_GAP.withoutSpace);
}

export function isSameLine(a: CharacterBox, b: CharacterBox): boolean {
  const shared = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const smaller = Math.min(a.bottom - a.top, b.bottom - b.top);
  return a.angle === b.angle && shared >= smaller * BESIDE;
}

export function isSameRun(run: CharacterBox, next: CharacterBox): boolean {
  const gap = Math.max(run.from - next.to, next.from - run.to);
  return isSameLine(run, next) && gap <= (run.bottom - run.top) * COLUMN_GAP;
}

export const around = (a: CharacterBox, b: CharacterBox): CharacterBox => ({
  angle: a.angle,
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
  top: Math.min(a.top, b.top),
  bottom: Math.max(a.bottom, b.bottom),
});
