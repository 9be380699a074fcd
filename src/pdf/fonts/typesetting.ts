// Measures text and chooses the faces that draw it. It caches its results, because the words of a text occur again.
import { create, type Font } from 'fontkit';
import { segmentsOf } from '../../common/text.ts';
import { FONT_LIMITS } from '../limits.ts';
import { type Face, facesFor, fontBytesOf, type Typeface } from './faces.ts';
import { type Direction, directionOf, runsFromRight, runsOf } from './runs.ts';

/** `width` is in sizes of the text. `face` is undefined for characters that no font at hand has. */
export type MeasuredRun = { text: string; face: Face | undefined; width: number };
export type Measured = { width: number; runs: readonly MeasuredRun[] };

/** A box of this width is drawn for a character that cannot be shown. */
export const MISSING_WIDTH = 0.6;

const fonts = new Map<Face, Font>();

/** Returns the same object each time: reading a font takes longer than drawing a page with it. */
export function fontOf(face: Face): Font {
  const cached = fonts.get(face);
  if (cached) return cached;
  const bytes = fontBytesOf(face);
  const font = create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) as Buffer) as Font;
  layOutSimply(font);
  fonts.set(face, font);
  return font;
}

type Glyph = ReturnType<Font['glyphForCodePoint']>;
type Features = Parameters<Font['layout']>[1];
type LaidOut = Pick<ReturnType<Font['layout']>, 'glyphs' | 'positions'>;

const laidOutTexts = createTextCache<Font, LaidOut>({
  texts: FONT_LIMITS.laidOutTexts,
  characters: FONT_LIMITS.laidOutCharacters,
});
/** The rules of a font take a time that grows with the square of the text: a long one is cut at spaces, or where it has none. */
const LAID_OUT_AT_ONCE = /[\s\S]{1,200}$|[\s\S]{1,200}(?<=\s)|[\s\S]{1,200}/gu;

/**
 * Text whose glyphs follow each other needs none of the font's rules, which take a hundred times as long as the text. What the rules make of
 * other text is kept, because a word is laid out to be measured, to be placed and to be written, each time it comes.
 * The library takes Arabic digits for letters and would turn 1234 into 4321, so the direction is said to it.
 */
function layOutSimply(font: Font): void {
  nameGlyphs(font);
  const byRules = font.layout.bind(font);
  const glyphOf = (character: string): Glyph => font.glyphForCodePoint(character.codePointAt(0)!);
  const laidOutByRules = (text: string, direction: 'ltr' | 'rtl'): LaidOut => {
    try {
      return byRules(text, undefined, undefined, undefined, direction);
    } catch (error) {
      // Some fonts have a mark without a place for it, on which the library fails: it then stands where its font draws it.
      if (!(error instanceof TypeError)) throw error;
      return byRules(text, { mark: false, mkmk: false }, undefined, undefined, direction);
    }
  };
  const laidOut = (text: string): LaidOut => {
    const direction = runsFromRight(text) ? 'rtl' : 'ltr';
    const pieces = (text.match(LAID_OUT_AT_ONCE) ?? []).map((piece) => laidOutByRules(piece, direction));
    // Glyphs stand from left to right.
    if (direction === 'rtl') pieces.reverse();
    const whole = {
      glyphs: pieces.flatMap(({ glyphs }) => glyphs),
      positions: pieces.flatMap(({ positions }) => positions),
    };
    laidOutTexts.keep(font, text, whole);
    return whole;
  };
  font.layout = ((text: string, features?: Features) => {
    if (features) throw new Error('Features of fonts are not laid out.');
    return isInRow(text)
      ? { glyphs: Array.from(text, glyphOf) }
      : (laidOutTexts.find(font, text) ?? laidOut(text));
  }) as typeof font.layout;
}

/**
 * Gives each glyph the characters that it stands for here: the font keeps one object per glyph, which keeps the characters of its
 * first use, and has none when it was first used as a part of another glyph (as the u of ü).
 */
function nameGlyphs(font: Font): void {
  const shared = font.getGlyph.bind(font);
  const named = new Map<string, Glyph>();
  font.getGlyph = ((id: number, codePoints: readonly number[] = []) => {
    const key = `${id} ${codePoints}`;
    const cached = named.get(key);
    if (cached) return cached;
    const glyph = Object.create(shared(id), { codePoints: { value: codePoints } }) as Glyph;
    named.set(key, glyph);
    return glyph;
  }) as typeof font.getGlyph;
}

export type Typesetting = {
  measure(text: string, typeface: Typeface, direction?: Direction): Measured;
};

/** Creates the typesetting of one document, whose cache is freed with it. */
export function createTypesetting(): Typesetting {
  const cache = new Map<string, Measured>();
  return {
    measure(text, typeface, direction = 'ltr') {
      const { family, isBold = false, isItalic = false } = typeface;
      const key = `${family} ${isBold} ${isItalic} ${direction} ${text}`;
      const measured = cache.get(key) ?? measure(text, typeface, direction);
      cache.set(key, measured);
      return measured;
    },
  };
}

// Every face for text has these, and none of them runs from right to left.
const EVERYWHERE = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u017f]*$/;

function measure(text: string, typeface: Typeface, direction: Direction): Measured {
  const [first] = facesFor(typeface);
  const runs =
    direction === 'ltr' && EVERYWHERE.test(text)
      ? [{ text, face: first }]
      : runsOf(text, typeface, direction);
  const measured = runs.map(({ text, face }) => ({ text, face, width: widthOf(text, face) }));
  return { runs: measured, width: measured.reduce((sum, { width }) => sum + width, 0) };
}

function widthOf(text: string, face: Face | undefined): number {
  if (!face) return [...text].length * MISSING_WIDTH;
  const { unitsPerEm } = fontOf(face);
  return glyphsOf(text, face).reduce((sum, { advance }) => sum + advance, 0) / unitsPerEm;
}

/** Returns the line under a text that begins at `x` on the baseline `y`, from the top; undefined where no font has the text. */
export function underlineOf(
  { width, runs }: Measured,
  { x, y, size }: { x: number; y: number; size: number },
): { x: number; y: number; width: number; height: number } | undefined {
  const face = runs.find((run) => run.face)?.face;
  if (!face) return undefined;
  const { underlinePosition, underlineThickness, unitsPerEm } = fontOf(face);
  const height = Math.max(0.3, (underlineThickness / unitsPerEm) * size);
  return { x, y: y - (underlinePosition / unitsPerEm) * size - height / 2, width: width * size, height };
}

/** The lengths are in the units of the font, from left to right. */
export type PlacedGlyph = { advance: number; x: number; y: number };

/**
 * Places the glyphs of a run. Letters of Latin, Greek and Cyrillic stand one after the other; where a script puts marks on letters or joins
 * them, the font says where each glyph goes.
 */
function glyphsOf(text: string, face: Face): PlacedGlyph[] {
  const { glyphs, positions } = fontOf(face).layout(text);
  if (isInRow(text)) return glyphs.map(({ advanceWidth }) => ({ advance: advanceWidth, x: 0, y: 0 }));
  return positions.map(({ xAdvance, xOffset, yOffset }) => ({ advance: xAdvance, x: xOffset, y: yOffset }));
}

// Marks, what is invisible, and letters of scripts that join them.
const BY_RULES =
  /[^\u0020-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u20cf\u2100-\u2bff\u3000-\u3029\u3030-\u3098\u309b-\u9fff\uac00-\ud7a3]/g;

/** Tells whether the glyphs of a text simply follow each other. */
const isInRow = (text: string): boolean => text.search(BY_RULES) < 0;

/** Counts the characters of a value that the rules of a font place. */
export const countShaped = (value: string): number => value.replace(/\s/g, '').match(BY_RULES)?.length ?? 0;

/** Places the glyphs of a run that stand elsewhere than behind each other; undefined where all do. */
export const placedGlyphs = (text: string, face: Face): PlacedGlyph[] | undefined =>
  isInRow(text) ? undefined : glyphsOf(text, face);

/**
 * Returns true if the glyphs of a run do not tell its letters one by one, so that these have to be stated. In a run from right to left they
 * do: readers turn its glyphs round by themselves, and would turn what is stated as well.
 */
export const isShaped = (text: string): boolean => !isInRow(text) && !runsFromRight(text);

/** A paragraph that was measured once can be broken to any width. */
type MeasuredParagraph = {
  whole(): Measured;
  /** The width leaves out the spaces between words, in sizes of the text. */
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

/** Breaks a word that is longer than a line between letters as people see them. */
function breakWords(words: readonly Word[], most: number, lengthOf: (part: string) => number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  const end = () => {
    lines.push(line.trimEnd());
    line = '';
    width = 0;
  };
  for (const word of words.flatMap((item) =>
    item.width > most ? lettersOf(item, most, lengthOf) : [item],
  )) {
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

type TextCache<Owner, Output> = {
  find(owner: Owner, text: string): Output | undefined;
  keep(owner: Owner, text: string, output: Output): void;
};

/** A full cache is emptied. A text that is longer than all it may hold is alone in it. */
export function createTextCache<Owner, Output>(most: {
  texts: number;
  characters: number;
}): TextCache<Owner, Output> {
  const outputs = new Map<Owner, Map<string, Output>>();
  let [texts, characters] = [0, 0];
  return {
    find: (owner, text) => outputs.get(owner)?.get(text),
    keep(owner, text, output) {
      if (texts >= most.texts || characters + text.length > most.characters) {
        outputs.clear();
        [texts, characters] = [0, 0];
      }
      const ofOwner = outputs.get(owner) ?? new Map<string, Output>();
      outputs.set(owner, ofOwner.set(text, output));
      texts += 1;
      characters += text.length;
    },
  };
}
