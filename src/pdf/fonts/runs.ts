// Cuts a line of text into pieces that can be drawn one after the other from left to right: each in one face and one
// direction (Unicode Standard Annex 9). It must never break lines: it is given one line, after the breaking.
//
// To draw a line: put the runs side by side from left to right. A run's text is in the order it is read in, and fontkit
// turns and joins the letters of a right-to-left run by itself when it is given the run alone:
//   for (const run of runsOf(line, { family: 'sans', isBold: true })) { font = embedded(run.face); draw(run.text, font); x += … }
// `face` is undefined where no font at hand has the characters: omit them, and report it.

import bidiFactory from 'bidi-js';
import { type Face, faceFor, facesFor, hasCharacter, type Typeface } from './faces.ts';

export type Direction = 'ltr' | 'rtl';
type FaceRun = { text: string; face: Face | undefined; direction: Direction };

/** These characters are drawn with the character before them, in its face: marks, joiners, variation selectors. */
const CLINGS = /^(\p{M}|\p{Cf})$/u;
const CONTROL = /[\p{Cc}\u2028\u2029]/gu;

/**
 * Lists the runs of a line from left to right. Line breaks and control characters count as spaces.
 * @param direction of the paragraph, by default that of its first letter. Lines after the first of a paragraph need it
 */
export function runsOf(line: string, typeface: Typeface, direction?: Direction): FaceRun[] {
  const text = line.replace(CONTROL, ' ');
  if (text === '') return [];
  const embedding = bidi.getEmbeddingLevels(text, direction);
  const logical = piecesOf(text, embedding.levels, typeface);
  return inVisualOrder(logical).map(({ text: piece, face, level }) => drawable(piece, face, level));
}

/** A paragraph has the direction of its first letter, left to right where it has none. */
export function directionOf(paragraph: string): Direction {
  if (paragraph === '') return 'ltr';
  return bidi.getEmbeddingLevels(paragraph).paragraphs[0]!.level % 2 === 1 ? 'rtl' : 'ltr';
}

/** Lists the characters that no font at hand has, each once. */
export function missingCharacters(text: string, typeface: Typeface): string[] {
  const runs = runsOf(text, typeface).filter(({ face }) => face === undefined);
  return [...new Set(runs.flatMap((run) => [...run.text]))];
}

type Piece = { text: string; face: Face | undefined; level: number };

/** The pieces are in the order they are read in: a new one begins where the face or the level changes. */
function piecesOf(text: string, levels: Uint8Array, typeface: Typeface): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const character of text) {
    const level = levels[at]!;
    const last = pieces.at(-1);
    const face = faceOf(character, last?.face, typeface);
    if (last && last.face === face && last.level === level) last.text += character;
    else pieces.push({ text: character, face, level });
    at += character.length;
  }
  return pieces;
}

/** Chooses the face of a character. Spaces and invisible characters keep the face before them, which avoids needless changes. */
function faceOf(character: string, before: Face | undefined, typeface: Typeface): Face | undefined {
  if (before && (CLINGS.test(character) || character === ' ')) {
    if (/\p{Cf}/u.test(character) || hasCharacter(before, character.codePointAt(0)!)) return before;
  }
  if (/\p{Cf}/u.test(character)) return before ?? facesFor(typeface)[0];
  return faceFor(typeface, character.codePointAt(0)!);
}

/**
 * Prepares a run for drawing. Brackets are mirrored in a right-to-left run (rule L4). The shaper infers the direction of a run from
 * its letters: a run without letters is reversed here, so that it can be drawn as it is.
 */
function drawable(text: string, face: Face | undefined, level: number): FaceRun {
  if (level % 2 === 0) return { text, face, direction: 'ltr' };
  const mirrored = [...text].map((character) => bidi.getMirroredCharacter(character) ?? character);
  if (runsFromRight(text)) return { text: mirrored.join(''), face, direction: 'rtl' };
  return { text: mirrored.reverse().join(''), face, direction: 'ltr' };
}

export const bidi = bidiFactory();

const RIGHT_TO_LEFT =
  /(?=\p{L}|\p{M})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;

/** Tells whether the text has letters that run from right to left. Digits of these scripts do not: ١٢ is twelve. */
export const runsFromRight = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Orders pieces from left to right (rule L2): from the highest level down to 1, reverses what is at that level or above. */
export function inVisualOrder<T extends { level: number }>(pieces: readonly T[]): T[] {
  const visual = [...pieces];
  const highest = pieces.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < visual.length; start += 1) {
      let end = start;
      while (end < visual.length && visual[end]!.level >= level) end += 1;
      for (let first = start, last = end - 1; first < last; first += 1, last -= 1)
        [visual[first], visual[last]] = [visual[last]!, visual[first]!];
      if (end > start) start = end;
    }
  }
  return visual;
}

/** A placed text is a letter with its marks, or several letters that one glyph shows. `from` and `to` are along the line. */
type PlacedText = { text: string; from: number; to: number };

/**
 * Orders the text of a line, given in any order, as it is read.
 * @param isFromRight whether the line itself begins at the right
 */
export function inReadingOrder<T extends PlacedText>(pieces: readonly T[], isFromRight: boolean): T[] {
  const line = sortByMiddle(pieces);
  if (isFromRight) line.reverse();
  // Rule L2 undoes itself: what is drawn has the levels of what is read, as long as it is given from the side where the line begins.
  const text = line.map((piece) => piece.text).join('');
  const { levels } = bidi.getEmbeddingLevels(text, isFromRight ? 'rtl' : 'ltr');
  let at = 0;
  const leveled = line.map((piece) => {
    const level = levels[at]!;
    at += piece.text.length;
    return { piece, level };
  });
  const ordered = inVisualOrder(leveled).map(({ piece }) => piece);
  return isFromRight ? ordered.reverse() : ordered;
}

/** Tells whether a line begins at the right: its first and its last letter run from there, or else most of its letters. */
export function beginsAtRight(pieces: readonly PlacedText[]): boolean {
  const letters = sortByMiddle(pieces).filter(({ text }) => LETTER.test(text));
  const isFromRight = letters.map(({ text }) => runsFromRight(text));
  if (isFromRight[0] === isFromRight.at(-1)) return isFromRight[0] === true;
  return isFromRight.filter(Boolean).length * 2 >= letters.length;
}

export const middleOf = ({ from, to }: PlacedText): number => (from + to) / 2;

export const sortByMiddle = <T extends PlacedText>(pieces: readonly T[]): T[] =>
  [...pieces].sort((a, b) => middleOf(a) - middleOf(b));
