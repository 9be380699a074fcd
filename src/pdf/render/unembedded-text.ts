// Finds the text of a page whose font is not in the file, and whose characters PDFium's own fonts lack: it is drawn with bundled
// fonts, or not at all. It must never cost a page whose fonts are all in the file more than reading its text.

import { FONT_LIMITS } from '../limits.ts';
import { scanPdf } from '../read/byte-scan.ts';
import { type Pdfium, withMemory } from '../read/pdfium.ts';

/**
 * `characters` have the fonts that they are in, and `lines` are the whole lines that have such characters; `unknown` are fonts whose
 * letters cannot be told.
 */
export type UnembeddedText = { characters: Map<number, Set<string>>; lines: string[]; unknown: Set<string> };

// PDFium brings the fourteen standard fonts with the characters of Windows' Latin code page and a few more.
const STANDARD =
  /^[\u0020-\u007e\u00a0-\u00ff\u0131\u0141\u0142\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02c7\u02d8-\u02dd\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u2044\u20ac\u2122\u2212\ufb01\ufb02]$/u;
/** These two have signs instead of letters, and PDFium has both. */
const SIGNS = /^(Symbol|ZapfDingbats)\b/;
/** Their codes are those of letters, which another font would show instead of the signs. */
const UNKNOWN_SIGNS = /wingdings|webdings|marlett|mt ?extra/i;
// ISO 32000-1, table 106: text that is only there to be searched.
const INVISIBLE = 3;
const REPLACEMENT = 0xfffd;
const LINE_FEED = 10;

export function isStandard(codePoint: number): boolean {
  return STANDARD.test(String.fromCodePoint(codePoint));
}

/** @param page as PDFium loaded it; fonts that it has are those of its text and of its annotations' texts */
export function unembeddedText(pdfium: Pdfium, page: number): UnembeddedText {
  const result: UnembeddedText = { characters: new Map(), lines: [], unknown: new Set() };
  const text = pdfium.FPDFText_LoadPage(page);
  if (text === 0) return result;
  try {
    const fonts = new Map<number, UnembeddedFont | undefined>();
    const count = Math.min(pdfium.FPDFText_CountChars(text), FONT_LIMITS.charactersOfPage);
    let line = '';
    let isLacking = false;
    const endLine = () => {
      if (isLacking) result.lines.push(line);
      line = '';
      isLacking = false;
    };
    for (let index = 0; index < count; index += 1) {
      const codePoint = pdfium.FPDFText_GetUnicode(text, index);
      if (addCharacter(pdfium, { text, index, codePoint }, fonts, result)) isLacking = true;
      if (codePoint === LINE_FEED) endLine();
      else line += String.fromCodePoint(isUnreadable(codePoint) ? REPLACEMENT : codePoint);
    }
    endLine();
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
  return result;
}

/**
 * Lists the characters of a page and of its annotations that PDFium's own fonts lack and the file has no font for.
 * @param bytes those of the document: where they tell that every font is there, the text is not read
 */
export function lackedCharacters(pdfium: Pdfium, page: number, bytes: Uint8Array): number[] {
  const ofText = scanPdf(bytes).mayLackFonts ? unembeddedText(pdfium, page).characters.keys() : [];
  return [...new Set([...ofText, ...annotationCharacters(pdfium, page)])];
}

// A field's value, and the text of a note: what PDFium draws of them is not among the text of the page.
const TEXTS = ['V', 'Contents'];

function annotationCharacters(pdfium: Pdfium, page: number): number[] {
  const codePoints: number[] = [];
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), FONT_LIMITS.annotationsOfPage);
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    const texts = TEXTS.map((key) => annotationText(pdfium, annotation, key));
    for (const character of texts.join('')) codePoints.push(character.codePointAt(0)!);
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
  return codePoints.filter((codePoint) => !isStandard(codePoint) && !isBlank(codePoint));
}

function annotationText(pdfium: Pdfium, annotation: number, key: string): string {
  const mostBytes = FONT_LIMITS.annotationTextBytes;
  return withMemory(pdfium, mostBytes, (pointer) => {
    const length = pdfium.FPDFAnnot_GetStringValue(annotation, key, pointer, mostBytes);
    return length > 2 && length <= mostBytes ? pdfium.pdfium.UTF16ToString(pointer) : '';
  });
}

type UnembeddedFont = { name: string; kind: 'letters' | 'signs' | 'unknown' };

type CharacterOfText = { text: number; index: number; codePoint: number };

/** @returns whether it is one of the characters that PDFium's own fonts lack */
function addCharacter(
  pdfium: Pdfium,
  { text, index, codePoint }: CharacterOfText,
  fonts: Map<number, UnembeddedFont | undefined>,
  { characters, unknown }: UnembeddedText,
): boolean {
  const object = pdfium.FPDFText_GetTextObject(text, index);
  if (object === 0 || pdfium.FPDFText_IsGenerated(text, index) === 1) return false;
  const handle = pdfium.FPDFTextObj_GetFont(object);
  if (!fonts.has(handle)) fonts.set(handle, unembeddedFont(pdfium, handle));
  const font = fonts.get(handle);
  if (!font || font.kind === 'signs') return false;
  const isLost = isUnreadable(codePoint) || pdfium.FPDFText_HasUnicodeMapError(text, index) === 1;
  if (!isLost && font.kind === 'letters' && (isStandard(codePoint) || isBlank(codePoint))) return false;
  if (pdfium.FPDFTextObj_GetTextRenderMode(object) === INVISIBLE) return false;
  if (isLost || font.kind === 'unknown') {
    unknown.add(font.name);
    return false;
  }
  characters.set(codePoint, (characters.get(codePoint) ?? new Set()).add(font.name));
  return true;
}

const isUnreadable = (codePoint: number) =>
  codePoint === 0 ||
  codePoint === REPLACEMENT ||
  codePoint > 0x10ffff ||
  (codePoint >= 0xd800 && codePoint < 0xe000);

const isBlank = (codePoint: number) => /^[\p{Z}\p{Cc}\p{Cf}]$/u.test(String.fromCodePoint(codePoint));

/** Returns undefined for a font that is in the file. */
function unembeddedFont(pdfium: Pdfium, font: number): UnembeddedFont | undefined {
  if (font === 0 || pdfium.FPDFFont_GetIsEmbedded(font) === 1) return undefined;
  const name = nameOf(pdfium, font);
  if (SIGNS.test(name)) return { name, kind: 'signs' };
  return { name, kind: UNKNOWN_SIGNS.test(name) ? 'unknown' : 'letters' };
}

/** The name has no mark of a part, and is no longer than a person would want to read. */
function nameOf(pdfium: Pdfium, font: number): string {
  const mostBytes = 256;
  const name = withMemory(pdfium, mostBytes, (pointer) => {
    const length = pdfium.FPDFFont_GetBaseFontName(font, pointer, mostBytes);
    return length > 0 && length <= mostBytes ? pdfium.pdfium.UTF8ToString(pointer) : '';
  });
  return name.replace(/^[A-Z]{6}\+/, '').slice(0, FONT_LIMITS.nameLength) || '?';
}
