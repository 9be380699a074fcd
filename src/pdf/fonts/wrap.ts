// Breaks a paragraph into lines: between words, between the letters of scripts that have no spaces, and within a word that is
// longer than a line. It must never omit a character.
import { segmentsOf } from '../../common/text.ts';
import type { Typeface } from './faces.ts';
import { directionOf } from './runs.ts';
import type { Measured, Typesetting } from './typesetting.ts';

/** A paragraph that was measured once, and can be broken to any width. */
export type MeasuredParagraph = {
  whole(): Measured;
  /** The width of the words without the spaces between them, in sizes of the text. */
  inkWidth: number;
  /** @param most width of a line, in sizes of the text */
  lines(most: number): Measured[];
};

export function paragraphOf(text: string, typeface: Typeface, { measure }: Typesetting): MeasuredParagraph {
  const direction = directionOf(text);
  const set = (part: string) => measure(part, typeface, direction);
  const lengthOf = (part: string) => set(part).width;
  const words = wordsOf(text, lengthOf);
  const inkWidth = words.reduce((sum, word) => (word.text.trim() === '' ? sum : sum + word.width), 0);
  return { whole: () => set(text), inkWidth, lines: (most) => breakWords(words, most, lengthOf).map(set) };
}

type Word = { text: string; width: number };

// Scripts without spaces break between letters; what closes stays with what it follows.
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][\p{Pe}\p{Pf}\p{Po}\p{M}]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

const wordsOf = (text: string, lengthOf: (part: string) => number): Word[] =>
  (text.match(PIECES) ?? []).map((word) => ({ text: word, width: lengthOf(word) }));

/** The lines of a paragraph. A word that is longer than a line is broken between letters as people see them. */
function breakWords(words: readonly Word[], most: number, lengthOf: (part: string) => number): string[] {
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
  for (const segment of segmentsOf(text, 'grapheme')) {
    const width = lengthOf(segment);
    if (piece.text !== '' && piece.width + width > most) {
      pieces.push(piece);
      piece = { text: '', width: 0 };
    }
    piece = { text: piece.text + segment, width: piece.width + width };
  }
  return [...pieces, piece];
}
