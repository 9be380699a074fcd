// Fits a value into its box: on one line or on several, at the size that was asked for or the largest below it that has
// room. It must never leave out a character.

import type { Typeface } from '../fonts/faces.ts';
import { directionOf } from '../fonts/runs.ts';
import type { Measured, Typesetting } from '../fonts/typesetting.ts';
import type { Size } from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';

export type Fitted = {
  size: number;
  lines: readonly Measured[];
  /** Smaller than can be read. */
  isSmall: boolean;
};

type Style = { typeface: Typeface; size: number };

export function fitText(
  value: string,
  room: Size,
  { typeface, size }: Style,
  { measure }: Typesetting,
): Fitted {
  const paragraphs = value.split(/\r\n|[\r\n\u2028\u2029]/).map((text) => {
    const direction = directionOf(text);
    const lengthOf = (part: string) => measure(part, typeface, direction).width;
    return {
      text,
      lengthOf,
      set: (part: string) => measure(part, typeface, direction),
      words: wordsOf(text, lengthOf),
    };
  });
  const at = (tried: number): Fitted | undefined => {
    const most = room.width / tried;
    const lines = paragraphs.flatMap(({ words, lengthOf, set }) => broken(words, most, lengthOf).map(set));
    const height = lines.length === 1 ? tried : lines.length * tried * STAMP_LIMITS.lineHeight;
    const isWide = lines.some(({ width }) => width * tried > room.width + 0.01);
    if (height > room.height || isWide) return undefined;
    return { size: tried, lines, isSmall: tried < Math.min(size, STAMP_LIMITS.sizeFloor) };
  };
  for (let tried = size; tried >= STAMP_LIMITS.sizeLeast; tried = smaller(tried)) {
    const fitted = at(tried);
    if (fitted) return fitted;
  }
  return onOneLineEach(
    paragraphs.map(({ text, set }) => set(text)),
    room,
  );
}

const smaller = (size: number): number =>
  size > STAMP_LIMITS.sizeFloor
    ? Math.max(STAMP_LIMITS.sizeFloor, size - STAMP_LIMITS.sizeStep)
    : size * 0.95;

/** In a box that has no room for anything: as small as it takes. */
function onOneLineEach(lines: readonly Measured[], room: Size): Fitted {
  const widest = Math.max(...lines.map(({ width }) => width), 0.01);
  const size = Math.min(room.width / widest, room.height / (lines.length * STAMP_LIMITS.lineHeight));
  return { size: Math.max(size, 0.01), lines, isSmall: true };
}

type Word = { text: string; width: number };

// Scripts without spaces break between letters; what closes stays with what it follows.
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\p{Pe}\p{Pf}\p{Po}\p{M}]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

const wordsOf = (text: string, lengthOf: (part: string) => number): Word[] =>
  (text.match(PIECES) ?? []).map((word) => ({ text: word, width: lengthOf(word) }));

/** The lines of a paragraph. A word that is longer than a line is broken between letters as people see them. */
function broken(words: readonly Word[], most: number, lengthOf: (part: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
    width = 0;
  };
  for (const word of words.flatMap((one) => (one.width > most ? lettersOf(one, most, lengthOf) : [one]))) {
    const isSpace = word.text.trim() === '';
    if (width + word.width > most && line !== '' && !isSpace) end();
    if (isSpace && line === '' && lines.length > 0) continue;
    line += word.text;
    width += word.width;
  }
  end();
  return lines;
}

function lettersOf({ text }: Word, most: number, lengthOf: (part: string) => number): Word[] {
  if (text.trim() === '') return [{ text: ' ', width: lengthOf(' ') }];
  const pieces: Word[] = [];
  let piece: Word = { text: '', width: 0 };
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    const width = lengthOf(segment);
    if (piece.text !== '' && piece.width + width > most) {
      pieces.push(piece);
      piece = { text: '', width: 0 };
    }
    piece = { text: piece.text + segment, width: piece.width + width };
  }
  return [...pieces, piece];
}
