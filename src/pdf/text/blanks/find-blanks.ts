// Finds the lines of pages that are there to be written on: rules, underscores and dots with nothing on them. The words of their
// pages come with them, because only these tell what is asked for.
import { type Box, displayedPage, isTouching, type Size } from '../../geometry.ts';
import { BLANK_LIMITS, type TooComplex } from '../../limits.ts';
import { type OpenPage, userUnitsOf, withPage } from '../../read/open-page.ts';
import { type Pdfium, withDocument } from '../../read/pdfium.ts';
import { boxAround, type CharacterBox } from '../characters.ts';
import type { PageRange } from '../find-words.ts';
import { around, isSameLine } from '../lines.ts';
import { type PageLetters, withLetters } from '../page-letters.ts';
import { type Across, type DrawnLines, readDrawnLines } from './drawn-lines.ts';

/** `rules` are lines that are filled in, and borders. `words` are in reading order, without the underscores and dots that are blanks. */
export type PageBlanks = { page: number; blanks: Blank[]; rules: Rule[]; words: PageWord[] };

/** The first pages are listed, and all others that have a blank. */
export type BlankSearch = { ok: true; pages: PageBlanks[] } | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findBlanks(bytes: Uint8Array, pages: PageRange): Promise<BlankSearch> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, bytes);
      const result: PageBlanks[] = [];
      for (let page = pages.from; page < pages.to; page += 1)
        withPage(pdfium, document, { pageIndex: page, unit: units(page) }, (open) => {
          const here = blanksOf(pdfium, open);
          if (here.blanks.length > 0 || page < BLANK_LIMITS.firstPages) result.push({ page, ...here });
        });
      return result;
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, pages: opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

function blanksOf(pdfium: Pdfium, open: OpenPage): Omit<PageBlanks, 'page'> {
  const drawn = readDrawnLines(pdfium, open);
  const { words, written } = withLetters(pdfium, open, splitLetters);
  const size: Size = displayedPage(open.geometry);
  const { blanks, rules } = emptyLines({ drawn, written, words, page: size });
  return {
    blanks: blanks.map((blank) => ({
      ...roundedRule(blank),
      room: hundredths(blank.room),
      isCell: blank.isCell,
    })),
    rules: rules.map(roundedRule),
    words: words.map((word) => ({ text: word.text, ...roundedBox(word) })),
  };
}

const hundredths = (points: number): number => Math.round(points * 100) / 100;

const roundedRule = ({ x, y, width }: Rule): Rule => ({
  x: hundredths(x),
  y: hundredths(y),
  width: hundredths(width),
});

const roundedBox = ({ x, y, width, height }: Box): Box => ({
  x: hundredths(x),
  y: hundredths(y),
  width: hundredths(width),
  height: hundredths(height),
});

/** A blank is a line, or the lower border of a cell, in displayed points. Above it the page is empty for `room` points. */
export type Blank = { x: number; y: number; width: number; room: number; isCell: boolean };

/** Nobody writes on a rule: it is filled in, or a border. */
type Rule = { x: number; y: number; width: number };

type Page = { drawn: DrawnLines; written: readonly Across[]; words: readonly PageWord[]; page: Size };

/** A day is written on less than so many points. */
const SHORTEST = 30;
/** Two pieces of a line may be so far apart. */
const GAP = 4;
/** A border of a table may be so far from the end of its line. */
const CORNER = 3;
/** Words within this height above a line are written on it. */
const ON_LINE = 9;
/** A higher cell is a frame around other things. */
const HIGHEST_CELL = 150;

/** Lines come from top to bottom, and from left to right. */
function emptyLines({ drawn, written, words, page }: Page): { blanks: Blank[]; rules: Rule[] } {
  const lines = joined([...drawn.across, ...written].filter((line) => isOnPage(line, page)))
    .filter((line) => line.to - line.from >= SHORTEST)
    .slice(0, BLANK_LIMITS.lines);
  const blanks: Blank[] = [];
  const rules: Rule[] = [];
  const borders: Across[] = [];
  for (const line of lines) {
    const place = { x: line.from, y: line.y, width: line.to - line.from };
    const isBorder = isAtUpright(line, drawn);
    const room = isBorder ? 0 : roomAbove(line, words, lines);
    if (isBorder) borders.push(line);
    if (room < ON_LINE) rules.push(place);
    else blanks.push({ ...place, room, isCell: false });
  }
  const cells = emptyCells(borders, drawn, words);
  return {
    blanks: [...blanks, ...cells].sort((a, b) => a.y - b.y || a.x - b.x).slice(0, BLANK_LIMITS.blanks),
    rules,
  };
}

const isOnPage = ({ y, from, to }: Across, page: Size): boolean =>
  isTouching({ x: from, y: y - 1, width: to - from, height: 1 }, page);

/** Joins the pieces of a line, which a program draws one by one. */
function joined(lines: readonly Across[]): Across[] {
  const rows = new Map<number, Across[]>();
  for (const line of lines) {
    const row = Math.round(line.y);
    const there = rows.get(row) ?? rows.get(row - 1) ?? rows.get(row + 1);
    if (there) there.push(line);
    else rows.set(row, [line]);
  }
  return [...rows.values()]
    .flatMap((row) => {
      const pieces: Across[] = [];
      for (const line of row.sort((a, b) => a.from - b.from)) {
        const last = pieces.at(-1);
        if (last && line.from - last.to <= GAP) last.to = Math.max(last.to, line.to);
        else pieces.push({ ...line });
      }
      return pieces;
    })
    .sort((a, b) => a.y - b.y || a.from - b.from);
}

const isAtUpright = ({ y, from, to }: Across, { upright }: DrawnLines): boolean =>
  upright.some(
    (line) =>
      line.x >= from - CORNER && line.x <= to + CORNER && y >= line.from - CORNER && y <= line.to + CORNER,
  );

/** Measures how high the page is empty above a line, up to the next line or word. */
function roomAbove({ y, from, to }: Across, words: readonly PageWord[], lines: readonly Across[]): number {
  const isOver = (start: number, end: number): boolean => Math.min(end, to) - Math.max(start, from) > 2;
  let top = 0;
  for (const line of lines) if (line.y < y - 1 && line.y > top && isOver(line.from, line.to)) top = line.y;
  for (const word of words) {
    const middle = word.y + word.height / 2;
    if (middle < y && isOver(word.x, word.x + word.width)) top = Math.max(top, bottomOf(word));
  }
  return y - top;
}

/** The box of a word is as high as its font, and ends below what its letters draw. */
const bottomOf = ({ y, height }: Box): number => y + height * 0.85;

/** @param borders from top to bottom */
function emptyCells(
  borders: readonly Across[],
  { upright }: DrawnLines,
  words: readonly PageWord[],
): Blank[] {
  const cells: Blank[] = [];
  let count = 0;
  for (const [index, { y, from, to }] of borders.entries()) {
    const sides = upright
      .filter((line) => line.from < y - CORNER && line.to > y - CORNER)
      .map(({ x }) => x)
      .filter((x) => x >= from - CORNER && x <= to + CORNER)
      .sort((a, b) => a - b);
    for (const [at, right] of sides.entries()) {
      const leftSide = sides[at - 1];
      if (leftSide === undefined || right - leftSide < SHORTEST) continue;
      count += 1;
      if (count > BLANK_LIMITS.cells) return cells;
      const middle = (leftSide + right) / 2;
      const above = borders
        .slice(0, index)
        .findLast((line) => line.y < y - CORNER && line.from <= middle && line.to >= middle);
      const room = above ? y - above.y : 0;
      if (room < ON_LINE || room > HIGHEST_CELL) continue;
      const isFilled = words.some((word) => {
        const [across, down] = [word.x + word.width / 2, word.y + word.height / 2];
        return across > leftSide && across < right && down > y - room && down < y;
      });
      if (!isFilled) cells.push({ x: leftSide, y, width: right - leftSide, room, isCell: true });
    }
  }
  return cells;
}

// ── words, and lines that are written with underscores or dots ──────────────────────────────────────────────────

type PageWord = Box & { text: string };

type SplitLetters = { words: PageWord[]; written: Across[] };

/** An underscore and a dot are at this height between the top and the bottom of their box. */
const HEIGHTS: Record<string, number> = { _: 0.9, '\uff3f': 0.9, '.': 0.8, '\u2026': 0.8, '\u00b7': 0.6 };

/** Fewer are punctuation. */
const FEWEST: Record<string, number> = { _: 3, '\uff3f': 2, '.': 8, '\u2026': 4, '\u00b7': 8 };

/** Two letters are at most this far apart, in heights of a letter. */
const LETTER_GAP = 0.8;

type Run = { letter: string; count: number; place: CharacterBox; from: number; to: number };

function splitLetters({ letters, placeOf }: PageLetters): SplitLetters {
  const places = letters.map(({ kind }, index) =>
    kind === 'letter' || kind === 'hyphen' ? uprightAt(placeOf, index) : undefined,
  );
  const runs = runsOf(letters, places);
  const isInRun = new Uint8Array(letters.length);
  for (const { letter, from, to } of runs)
    for (let index = from; index <= to; index += 1) if (letters[index]?.text === letter) isInRun[index] = 1;
  return { words: wordsOf(letters, places, isInRun), written: runs.map(lineOf) };
}

/** A line that is turned is none to write on. */
function uprightAt(placeOf: PageLetters['placeOf'], index: number): CharacterBox | undefined {
  const place = placeOf(index);
  return place?.angle === 0 ? place : undefined;
}

type Places = readonly (CharacterBox | undefined)[];

function runsOf(letters: PageLetters['letters'], places: Places): Run[] {
  const runs: Run[] = [];
  let run: Run | undefined;
  for (const [index, { text, kind }] of letters.entries()) {
    if (kind === 'space' || kind === 'gap') continue;
    const place = places[index];
    const isPart = place && HEIGHTS[text] !== undefined;
    if (run && isPart && run.letter === text && continues(run.place, place)) {
      run = { ...run, count: run.count + 1, place: around(run.place, place), to: index };
      continue;
    }
    if (run && run.count >= (FEWEST[run.letter] ?? 0)) runs.push(run);
    run = isPart ? { letter: text, count: 1, place, from: index, to: index } : undefined;
  }
  if (run && run.count >= (FEWEST[run.letter] ?? 0)) runs.push(run);
  return runs;
}

const continues = (run: CharacterBox, next: CharacterBox): boolean =>
  isSameLine(run, next) && next.from - run.to < LETTER_GAP * (next.bottom - next.top);

function lineOf({ letter, place }: Run): Across {
  const { top, bottom, from, to } = place;
  return { y: top + (HEIGHTS[letter] ?? 1) * (bottom - top), from, to };
}

function wordsOf(letters: PageLetters['letters'], places: Places, isInRun: Uint8Array): PageWord[] {
  const words: PageWord[] = [];
  let text = '';
  let place: CharacterBox | undefined;
  const end = (): void => {
    if (place) words.push({ text, ...boxAround(place) });
    text = '';
    place = undefined;
  };
  for (const [index, letter] of letters.entries()) {
    const at = isInRun[index] ? undefined : places[index];
    if (!at || (place && !isSameLine(place, at))) end();
    if (!at) continue;
    text += letter.text;
    place = place ? around(place, at) : at;
  }
  end();
  return words;
}
