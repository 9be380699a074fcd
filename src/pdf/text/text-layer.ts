// Reads the text of a page with its positions, so that it can be selected and read aloud over a picture of the page. It must never
// return text that the page does not show, or more than the limits allow. The text is as hostile as the document.
import {
  type Box,
  boxOfRect,
  displayedPage,
  fromUserSpace,
  isTouching,
  type Point,
  transformed,
} from '../geometry.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { type OpenPage, withPage } from '../pdfium/open-page.ts';
import { type Pdfium, withDocument, withMemory } from '../pdfium/pdfium.ts';
import { userUnitsOf } from '../pdfium/user-unit.ts';
import type { TooComplex } from '../too-complex.ts';
import { beginsAtRight, inReadingOrder, middleOf, runsFromRight, sortByMiddle } from './text-direction.ts';

/**
 * A piece of a line. `x` and `y` are where its top left corner is for who reads it upright, in displayed points; `width`
 * goes along the text, `height` across it. `angle` is how far it is turned clockwise about that corner, in degrees; absent
 * for upright text. A run that ends with a space continues in the next.
 */
export type TextRun = Box & { text: string; angle?: number };

/** In reading order. `isCut`: the page has more text than this. */
export type PageText = { runs: TextRun[]; isCut: boolean };

/** `drawn` is the text in the order in which it is drawn, where text over other text stays in one piece. */
export type DrawnText = PageText & { drawn: string };

export type TextRead = ({ ok: true } & DrawnText) | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function readText(bytes: Uint8Array, pageIndex: number): Promise<TextRead> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withPage(pdfium, document, { pageIndex, unit }, (page) => textOf(pdfium, page));
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

function textOf(pdfium: Pdfium, open: OpenPage): DrawnText {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return { runs: [], isCut: false, drawn: '' };
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const most = Math.min(count, DOCUMENT_LIMITS.textCharacters);
    const runs = createRuns();
    let drawn = '';
    withMemory(pdfium, MEMORY_BYTES, (pointer) => {
      const read = characterReader(pdfium, text, open, pointer);
      for (let index = 0; index < most && !runs.isFull(); index += 1) {
        const character = read(index);
        runs.add(character);
        if (character !== 'hidden') drawn += character.text;
      }
    });
    return { runs: runs.all(), isCut: count > most || runs.isFull(), drawn };
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

// ── one character ───────────────────────────────────────────────────────────────────────────────────────────────

/** Where a character is, seen along its line: `from` to `to` along it, `top` to `bottom` across it. */
type CharacterBox = { angle: number; from: number; to: number; top: number; bottom: number };

/** `place` is absent for what PDFium put in between, such as the space between two words that are far apart. */
type Character = { text: string; place?: CharacterBox };

const MEMORY_BYTES = 32;
const FULL_TURN = 360;

function characterReader(pdfium: Pdfium, text: number, { geometry }: OpenPage, pointer: number) {
  const matrix = fromUserSpace(geometry);
  const page = displayedPage(geometry);
  const number = (position: number, type: 'float' | 'double') =>
    pdfium.pdfium.getValue(pointer + position, type);
  return (index: number): Character | 'hidden' => {
    const letter = letterOf(pdfium, text, index);
    if (letter === '\n' || pdfium.FPDFText_IsGenerated(text, index) === 1) return { text: letter };
    if (!pdfium.FPDFText_GetLooseCharBox(text, index, pointer)) return { text: letter };
    // FS_RECTF: left, top, right, bottom.
    const rect = {
      left: number(0, 'float'),
      top: number(4, 'float'),
      right: number(8, 'float'),
      bottom: number(12, 'float'),
    };
    const box = boxOfRect(geometry, rect);
    if (!isTouching(box, page)) return 'hidden';
    pdfium.FPDFText_GetCharOrigin(text, index, pointer, pointer + 8);
    const origin = transformed(matrix, { x: number(0, 'double'), y: number(8, 'double') });
    const turned = (pdfium.FPDFText_GetCharAngle(text, index) * 180) / Math.PI + page.rotation;
    const place = placeOf(box, origin, (Math.round(turned * 10) / 10) % FULL_TURN);
    return place ? { text: letter, place } : { text: letter };
  };
}

const UNSPEAKABLE = /[\p{Cc}\p{Cs}\p{Co}\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;

/** What a character is read as: nothing for one that cannot be shown, or would reorder what is read. */
export function letterOf(pdfium: Pdfium, text: number, index: number): string {
  if (pdfium.FPDFText_IsHyphen(text, index) === 1) return '-';
  const code = pdfium.FPDFText_GetUnicode(text, index);
  if (code === 0x0a) return '\n';
  if (code === 0x09 || code === 0xa0) return ' ';
  if (code > 0x10ffff) return '';
  const letter = isHighHalf(code)
    ? String.fromCharCode(code, pdfium.FPDFText_GetUnicode(text, index + 1))
    : String.fromCodePoint(code);
  return UNSPEAKABLE.test(letter) ? '' : letter;
}

/** Emoji and rare scripts come as two characters; what the first does not take along of the second is dropped. */
const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * A character that is turned is known by the upright box around it: its width is twice the way from its origin to the
 * middle, and its height follows from the side of the box that tells more of it.
 */
function placeOf(box: Box, origin: Point, angle: number): CharacterBox | undefined {
  const { cos, sin } = turn(angle);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const from = along(origin, angle);
  const to = 2 * along(middle, angle) - from;
  const width = Math.abs(to - from);
  const height =
    Math.abs(cos) >= Math.abs(sin)
      ? (box.height - width * Math.abs(sin)) / Math.abs(cos)
      : (box.width - width * Math.abs(cos)) / Math.abs(sin);
  if (!(height > 0 && Number.isFinite(height) && Number.isFinite(width))) return undefined;
  const centre = across(middle, angle);
  return {
    angle,
    from: Math.min(from, to),
    to: Math.max(from, to),
    top: centre - height / 2,
    bottom: centre + height / 2,
  };
}

const turn = (angle: number) => {
  const radians = (angle * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
};

/** How far along, and how far across, a line through the corner of the page that is turned by `angle`. */
const along = ({ x, y }: Point, angle: number): number => x * turn(angle).cos + y * turn(angle).sin;
const across = ({ x, y }: Point, angle: number): number => y * turn(angle).cos - x * turn(angle).sin;

// ── characters to runs ──────────────────────────────────────────────────────────────────────────────────────────

/** Times the height of a line: a wider gap is one between columns. */
const GAP = 1.2;
/** How much of two characters on one line is beside each other. */
const BESIDE = 0.4;

/** Times the height of a line: a wider gap is one between words. PDFium puts spaces into Arabic words, so its space needs a gap as well. */
const WORD_GAP = { withoutSpace: 0.25, withSpace: 0.1 };

/** What a line consists of, as PDFium returns it; `end` where PDFium begins a new piece of text. */
type LineItem = Character | 'end';

function createRuns() {
  const runs: TextRun[] = [];
  let line: LineItem[] = [];
  let run: CharacterBox | undefined;

  function endLine(): void {
    const isMixed = line.some((item) => item !== 'end' && runsFromRight(item.text));
    runs.push(...((isMixed && runsOfMixedLine(line)) || runsAsReturned(line)));
    line = [];
  }

  return {
    add(character: Character | 'hidden'): void {
      if (character === 'hidden' || character.text === '\n') {
        line.push('end');
        return;
      }
      const { place } = character;
      if (place && run && !isSameLine(run, place)) endLine();
      if (place) run = run && isSameRun(run, place) ? around(run, place) : place;
      line.push(character);
    },
    isFull: () => runs.length >= DOCUMENT_LIMITS.textRuns,
    all(): TextRun[] {
      endLine();
      return runs.slice(0, DOCUMENT_LIMITS.textRuns);
    },
  };
}

/** Makes the runs of a line in the order in which PDFium returns it: that of reading, where all of it runs from left to right. */
function runsAsReturned(line: readonly LineItem[]): TextRun[] {
  const runs: TextRun[] = [];
  let text = '';
  let place: CharacterBox | undefined;

  function end(continues: boolean): void {
    if (place && text.trim() !== '') runs.push(runOf(`${text.trimEnd()}${continues ? ' ' : ''}`, place));
    text = '';
    place = undefined;
  }

  for (const item of line) {
    if (item === 'end') end(false);
    else if (!item.place) text += place ? item.text : '';
    else {
      if (place && !isSameRun(place, item.place)) end(isSameLine(place, item.place));
      place = place ? around(place, item.place) : item.place;
      text += item.text;
    }
  }
  end(false);
  return runs;
}

/** `spaceAt`: on which sides PDFium has put a space that the page does not have. */
type PlacedGlyph = CharacterBox & { text: string; spaceAt: Set<'left' | 'right'> };

/**
 * Makes the runs of a line with letters that run from right to left: one for each column, in the order they are read in. PDFium returns their
 * pieces in another order. Undefined where glyphs are in one place, so that places do not tell the order.
 */
function runsOfMixedLine(line: readonly LineItem[]): TextRun[] | undefined {
  const glyphs = glyphsOf(line);
  if (new Set(glyphs.map(({ from, to }) => `${from} ${to}`)).size < glyphs.length) return undefined;
  const isFromRight = beginsAtRight(glyphs);
  const columns = columnsOf(glyphs).filter((column) => column.some(({ text }) => text.trim() !== ''));
  if (isFromRight) columns.reverse();
  return columns.map((column, index) => {
    const text = inReadingOrder(column, isFromRight)
      .map((glyph) => glyph.text)
      .join('')
      .trim();
    return runOf(
      `${text}${index < columns.length - 1 ? ' ' : ''}`,
      column.reduce<CharacterBox>(around, column[0]!),
    );
  });
}

/** Letters in the same place, one after the other, are one glyph. Marks belong to the glyph they stand on. */
function glyphsOf(line: readonly LineItem[]): PlacedGlyph[] {
  const glyphs: PlacedGlyph[] = [];
  const marks: PlacedGlyph[] = [];
  const apart: [PlacedGlyph[], PlacedGlyph[]][] = [];
  let word: PlacedGlyph[] = [];
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
      const glyph: PlacedGlyph = { ...item.place, text: item.text, spaceAt: new Set() };
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
  for (const [one, other] of apart) addSpaceBetween(one, other);
  addMarks(glyphs, marks);
  return glyphs;
}

/** Records the space between two words at the sides that they turn to each other. */
function addSpaceBetween(one: readonly PlacedGlyph[], other: readonly PlacedGlyph[]): void {
  const [left, right] = [one, other].map(sortByMiddle).sort((a, b) => (a[0]?.from ?? 0) - (b[0]?.from ?? 0));
  left?.at(-1)?.spaceAt.add('right');
  right?.[0]?.spaceAt.add('left');
}

/** A mark without a width of its own, such as a vowel. */
const MARK = /^\p{Mn}/u;

/** Adds each mark to the glyph whose middle is nearest. */
function addMarks(glyphs: readonly PlacedGlyph[], marks: readonly PlacedGlyph[]): void {
  const [bases, sorted] = [sortByMiddle(glyphs), sortByMiddle(marks)];
  let at = 0;
  for (const mark of sorted) {
    const distance = (index: number) => Math.abs(middleOf(bases[index]!) - middleOf(mark));
    while (at + 1 < bases.length && distance(at + 1) <= distance(at)) at += 1;
    const base = bases[at];
    if (base) base.text += mark.text;
  }
}

/** The glyphs from left to right, with spaces where words are apart, cut where columns are. */
function columnsOf(glyphs: readonly PlacedGlyph[]): PlacedGlyph[][] {
  const columns: PlacedGlyph[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const glyph of [...glyphs].sort((one, other) => one.from - other.from)) {
    const gap = glyph.from - end;
    const column = columns.at(-1);
    const before = column?.at(-1);
    if (!column || !before || gap > (glyph.bottom - glyph.top) * GAP) columns.push([glyph]);
    else {
      if (areApart(before, glyph, gap))
        column.push({ ...glyph, text: ' ', from: end, to: glyph.from, spaceAt: new Set() });
      column.push(glyph);
    }
    end = Math.max(end, glyph.to);
  }
  return columns;
}

/** Whether a space is missing between two neighbors. */
function areApart(left: PlacedGlyph, right: PlacedGlyph, gap: number): boolean {
  if (left.text === ' ' || right.text === ' ') return false;
  const hasSpace = left.spaceAt.has('right') || right.spaceAt.has('left');
  return gap > (right.bottom - right.top) * (hasSpace ? WORD_GAP.withSpace : WORD_GAP.withoutSpace);
}

function isSameLine(one: CharacterBox, other: CharacterBox): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  const smaller = Math.min(one.bottom - one.top, other.bottom - other.top);
  return one.angle === other.angle && shared >= smaller * BESIDE;
}

function isSameRun(run: CharacterBox, next: CharacterBox): boolean {
  const gap = Math.max(run.from - next.to, next.from - run.to);
  return isSameLine(run, next) && gap <= (run.bottom - run.top) * GAP;
}

const around = (one: CharacterBox, other: CharacterBox): CharacterBox => ({
  angle: one.angle,
  from: Math.min(one.from, other.from),
  to: Math.max(one.to, other.to),
  top: Math.min(one.top, other.top),
  bottom: Math.max(one.bottom, other.bottom),
});

function runOf(text: string, { angle, from, to, top, bottom }: CharacterBox): TextRun {
  const { cos, sin } = turn(angle);
  return {
    text,
    x: hundredths(from * cos - top * sin),
    y: hundredths(from * sin + top * cos),
    width: hundredths(to - from),
    height: hundredths(bottom - top),
    ...(angle !== 0 && { angle }),
  };
}

const hundredths = (points: number): number => Math.round(points * 100) / 100;
