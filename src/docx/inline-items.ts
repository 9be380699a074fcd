// Splits the content of a paragraph into items: words, spaces, tabs, drawings, and line ends. A line may end before every
// item that is not glued to the previous one.
import { segmentsOf } from '../common/text.ts';
import { substituteOf, type Typeface } from '../pdf/fonts/faces.ts';
import type { Typesetting } from '../pdf/fonts/typesetting.ts';
import { inSubscript, inSuperscript } from './characters.ts';
import type { Drawing, Inline, LinkAddress, NoteKey, TextStyle } from './model.ts';
import { writtenNumber } from './numbering.ts';

/** Says how text is drawn, and how much of the line it takes. */
export type TextAppearance = {
  typeface: Typeface;
  size: number;
  /** Four fifths of the height of such a line are above the baseline. */
  lineHeight: number;
  raised: number;
  color: string | undefined;
  background: string | undefined;
  isUnderlined: boolean;
  isStruck: boolean;
  spacing: number;
  family: string;
  isRightToLeft: boolean;
};

export type InlineItem = {
  kind: 'word' | 'space' | 'tab' | 'drawing' | 'end';
  text: string;
  /** The text was joined from these words. */
  words?: readonly string[] | undefined;
  appearance: TextAppearance;
  width: number;
  isGlued: boolean;
  /** A shift draws the item this far to the left of its place. */
  shift?: number | undefined;
  link?: LinkAddress | undefined;
  note?: NoteKey | undefined;
  drawing?: Drawing | undefined;
  ends?: 'line' | 'page' | 'column' | undefined;
};

export type PageNumbers = Record<'page' | 'pages' | 'section-pages', string>;

export type InlineItemContext = {
  typesetting: Typesetting;
  markOf(note: NoteKey): string;
  numbers: PageNumbers;
  /** Drawings are made smaller to fit. */
  room: { width: number; height: number };
};

// Larger text would be higher than a page.
const LARGEST = 400;
const RAISED_SCALE = 0.65;
const SUPERSCRIPT = 0.33;
const SUBSCRIPT = -0.12;
export const SMALL_CAPS = 0.8;

export function appearanceOf(style: TextStyle, scale = 1): TextAppearance {
  const { family, scale: ofFont, lineHeight } = substituteOf(style.family);
  const size = Math.min(LARGEST, style.size) * scale;
  const isRaised = style.place !== 'baseline';
  const shift = style.place === 'superscript' ? SUPERSCRIPT : isRaised ? SUBSCRIPT : 0;
  return {
    typeface: { family, isBold: style.isBold, isItalic: style.isItalic },
    size: size * ofFont * (isRaised ? RAISED_SCALE : 1),
    lineHeight: Math.min(LARGEST, style.size) * lineHeight,
    raised: size * shift + style.raised,
    color: style.color,
    background: style.background,
    isUnderlined: style.isUnderlined,
    isStruck: style.isStruck,
    spacing: style.spacing,
    family: style.family,
    isRightToLeft: style.isRightToLeft,
  };
}

export function inlineItemsOf(inlines: readonly Inline[], context: InlineItemContext): InlineItem[] {
  const items: InlineItem[] = [];
  const addText = (text: string, style: TextStyle, more: Partial<InlineItem> = {}) => {
    for (const piece of withScriptDigits(text, style))
      for (const { part, scale } of inSmallCaps(piece.text, piece.style))
        addWords(items, part, appearanceOf(piece.style, scale), context.typesetting, more);
  };
  for (const [index, inline] of inlines.entries()) {
    switch (inline.kind) {
      case 'text':
        addText(inline.text, asScript(inlines, index), { link: inline.link });
        break;
      case 'page-number':
        addText(writtenPage(context.numbers[inline.of], inline.format), inline.style);
        break;
      case 'note': {
        const { note, isMarked, style } = inline;
        if (isMarked) items.push({ ...ending(style), kind: 'word', note, isGlued: true });
        else addText(context.markOf(note), style, { note, isGlued: true });
        break;
      }
      case 'tab':
        items.push({ ...ending(inline.style), kind: 'tab' });
        break;
      case 'line-break':
        items.push({ ...ending(inline.style), ends: 'line' });
        break;
      case 'page-break':
      case 'column-break':
        items.push({ ...ending(undefined), ends: inline.kind === 'page-break' ? 'page' : 'column' });
        break;
      case 'drawing':
        items.push(itemOfDrawing(inline.drawing, context));
        break;
    }
  }
  return items;
}

const NO_APPEARANCE: TextAppearance = {
  typeface: { family: 'sans' },
  size: 0,
  lineHeight: 0,
  raised: 0,
  color: undefined,
  background: undefined,
  isUnderlined: false,
  isStruck: false,
  spacing: 0,
  family: '',
  isRightToLeft: false,
};

const ending = (style: TextStyle | undefined): InlineItem => ({
  kind: 'end',
  text: '',
  appearance: style ? appearanceOf(style) : NO_APPEARANCE,
  width: 0,
  isGlued: false,
});

function itemOfDrawing(drawing: Drawing, { room }: InlineItemContext): InlineItem {
  const fitted = fitting(drawing, room);
  return { ...ending(undefined), kind: 'drawing', drawing: fitted, width: fitted.width };
}

/** Scales a drawing down to the available room: what reaches over the edge of a page would be truncated. */
export function fitting(drawing: Drawing, room: { width: number; height: number }): Drawing {
  const scale = Math.min(1, room.width / drawing.width, room.height / drawing.height);
  return scale === 1 ? drawing : { ...drawing, width: drawing.width * scale, height: drawing.height * scale };
}

type TextInline = Extract<Inline, { kind: 'text' }>;

/** Letters in a logo are shifted by less than this share of the size of the text beside them. */
const SHIFTED = 0.1;

/**
 * Chooses the style of text that is raised or lowered by a length rather than as a superscript. Digits beside text on another height are an
 * exponent or an index all the same, and become as large as that text.
 */
function asScript(inlines: readonly Inline[], index: number): TextStyle {
  const { text, style } = inlines[index] as TextInline;
  if (style.place !== 'baseline' || style.raised === 0 || !ONLY_SCRIPT.test(text)) return style;
  const beside = textBeside(inlines, index, -1) ?? textBeside(inlines, index, 1);
  if (!beside) return style;
  const place = style.raised > beside.raised ? 'superscript' : 'subscript';
  return { ...style, place, raised: beside.raised, size: beside.size };
}

const ONLY_SCRIPT = /^[0-9+\-−=()]*[0-9][0-9+\-−=()]*$/;

/** Finds the style of the text that stands on another height before or behind, without a space. */
function textBeside(inlines: readonly Inline[], index: number, step: 1 | -1): TextStyle | undefined {
  const { style } = inlines[index] as TextInline;
  for (let at = index + step; ; at += step) {
    const inline = inlines[at];
    if (inline?.kind !== 'text' || !(step === 1 ? /^\S/ : /\S$/).test(inline.text)) return undefined;
    const apart = Math.abs(style.raised - inline.style.raised);
    if (apart >= SHIFTED * Math.max(style.size, inline.style.size)) return inline.style;
    if (/\s/.test(inline.text)) return undefined;
  }
}

const writtenPage = (number: string, format: string | undefined): string =>
  format !== undefined && /^\d+$/.test(number) ? writtenNumber(Number(number), format) : number;

const DIGITS_OF_SCRIPT = /([0-9+\-−=()]*[0-9][0-9+\-−=()]*)/;

/**
 * Writes raised and lowered digits as characters of their own. A raised 3 is still the digit 3 for programs that read the PDF, so that they
 * would take 10³ for 103; the font draws the other character just as small and as high.
 */
function withScriptDigits(text: string, style: TextStyle): { text: string; style: TextStyle }[] {
  if (style.place === 'baseline') return [{ text, style }];
  const inScript = style.place === 'superscript' ? inSuperscript : inSubscript;
  return text
    .split(DIGITS_OF_SCRIPT)
    .filter((part) => part !== '')
    .map((part) => {
      const digits = DIGITS_OF_SCRIPT.test(part) ? inScript(part) : undefined;
      return digits === undefined
        ? { text: part, style }
        : { text: digits, style: { ...style, place: 'baseline' } };
    });
}

/** Lower-case letters become smaller capitals. */
function inSmallCaps(text: string, { isSmallCaps }: TextStyle): { part: string; scale: number }[] {
  if (!isSmallCaps) return [{ part: text, scale: 1 }];
  return (text.match(/\p{Ll}+|\P{Ll}+/gu) ?? []).map((part) => {
    const isLower = /^\p{Ll}/u.test(part);
    return { part: part.toUpperCase(), scale: isLower ? SMALL_CAPS : 1 };
  });
}

const SPACES = /^[ \u2000-\u2006\u2008-\u200b\u3000]+$/;
const WORDS = /[ \u2000-\u2006\u2008-\u200b\u3000]+|[^ \u2000-\u2006\u2008-\u200b\u3000]+/g;
const IDEOGRAPHIC =
  /[\u2e80-\u303f\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\u{20000}-\u{3fffd}]/u;
const WITHOUT_SPACES = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]/;
// A line of Chinese or Japanese begins with none of these, and ends with none of the others.
const NOT_FIRST =
  /^[、。，．：；！？）］｝〕〉》」』】〙〗’”ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々,.:;!?)\]}%]/;
const NOT_LAST = /[（［｛〔〈《「『【〘〖‘“([{]$/;
const AFTER_HYPHEN = /(?<=[\p{L}\p{N}][-\u2010\u2012\u2013\u2014])(?=[\p{L}\p{N}])/u;

function addWords(
  items: InlineItem[],
  text: string,
  appearance: TextAppearance,
  typesetting: Typesetting,
  more: Partial<InlineItem>,
): void {
  for (const chunk of text.match(WORDS) ?? []) {
    const kind = SPACES.test(chunk) ? 'space' : 'word';
    const pieces = kind === 'space' ? [chunk.replaceAll('\u200b', '')] : partsOfWord(chunk);
    for (const [index, part] of pieces.entries()) {
      const last = items.at(-1);
      const joins = kind === 'word' && index === 0 && last?.kind === 'word' && !mayBreak(last.text, part);
      for (const [position, text] of inShortParts(part).entries()) {
        const width = textWidth(text, appearance, typesetting);
        items.push({ kind, text, appearance, width, isGlued: position > 0 || joins, ...more });
      }
    }
  }
}

/** The longest word of a language has 70 letters; to shape one of a million would take hours. */
const inShortParts = (text: string): string[] => text.match(/[\s\S]{1,100}/gu) ?? [''];

export const textWidth = (text: string, appearance: TextAppearance, typesetting: Typesetting): number =>
  typesetting.measure(text, appearance.typeface).width * appearance.size + appearance.spacing * text.length;

/** A soft hyphen says where a word may be cut; it is not needed here, and is not shown. */
function partsOfWord(chunk: string): string[] {
  const word = chunk.replaceAll('\u00ad', '');
  if (WITHOUT_SPACES.test(word)) return [...segmentsOf(word, 'word')];
  if (IDEOGRAPHIC.test(word)) return ideographs(word);
  return word.split(AFTER_HYPHEN).filter((part) => part !== '');
}

function ideographs(word: string): string[] {
  const pieces: string[][] = [];
  let before = '';
  for (const character of word) {
    const isNew = before === '' || mayBreak(before, character);
    if (isNew) pieces.push([character]);
    else pieces.at(-1)!.push(character);
    before = isNew ? character : (before + character).slice(-LONGEST_PAIR);
  }
  return pieces.map((part) => part.join(''));
}

/** A character outside the first plane has two units of 16 bits. */
const LONGEST_PAIR = 4;

function mayBreak(before: string, after: string): boolean {
  const end = before.slice(-LONGEST_PAIR);
  const last = [...end].at(-1) ?? '';
  const first = [...after.slice(0, LONGEST_PAIR)][0] ?? '';
  if (!IDEOGRAPHIC.test(last) && !IDEOGRAPHIC.test(first))
    return /[-\u2010\u2013\u2014]$/.test(end) && /^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}].$/u.test(end);
  return !NOT_FIRST.test(after) && !NOT_LAST.test(end);
}
