// Sets the text of labels: measures it, truncates it to the available width, and creates page objects of it. Every character is
// visible: one that no bundled font has is an empty frame. Letters are not joined or stacked.
import { type BundledFace, facesFor, fontBytesOf, hasCharacter } from '../fonts/faces.ts';
import { runsOf } from '../fonts/runs.ts';
import type { Point } from '../geometry.ts';
import { type Pdfium, withMemory } from '../read/pdfium.ts';

/** `characters` are the part of a text that fits, in reading order. */
export type TruncatedText = { characters: readonly string[]; width: number };

type Color = readonly [red: number, green: number, blue: number];

export type LabelText = {
  /** It ends with an ellipsis where the text does not fit, and is empty where not even one character does. */
  cut(text: string, size: number, room: number): TruncatedText;
  /** @param baseline where it begins, y upwards */
  objects(cut: TruncatedText, size: number, baseline: Point, color: Color): number[];
};

const ELLIPSIS = '…';
const NOT_PRINTED = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** WinAnsiEncoding (ISO 32000-1, annex D) has these characters beyond Latin-1. */
const WIN_ANSI = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const isWinAnsi = (character: string): boolean =>
  /^[ -~\u00a0-\u00ff]$/.test(character) || WIN_ANSI.includes(character);

/** The lengths are in sizes of the letters. */
const FRAME = { width: 0.6, height: 0.65, line: 0.06, side: 0.08 };

/** PDFium has loaded the font. */
type Font = { handle: number; widthOf(character: string): number };
/** A character without a font becomes a frame. */
type FontOf = (character: string) => Font | undefined;

export function withLabelFont<T>(pdfium: Pdfium, document: number, job: (label: LabelText) => T): T {
  const fonts = fontsOf(pdfium, document);
  try {
    return job({
      cut: (text, size, room) => cutText(text, size, room, fonts.forLine),
      objects: (cut, size, baseline, color) =>
        typeset(cut, { pdfium, document, size, baseline, color, forLine: fonts.forLine }),
    });
  } finally {
    fonts.close();
  }
}

// ── fonts ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** The value is that of fpdf_edit.h. */
const TRUETYPE = 2;

/** PDFium's own Helvetica has all that most lines need; a line with anything else is set in the fonts that come along. */
function fontsOf(pdfium: Pdfium, document: number) {
  const loaded = new Map<BundledFace | 'Helvetica', Font>();
  const load = (name: BundledFace | 'Helvetica'): Font => {
    const cached = loaded.get(name);
    if (cached) return cached;
    const handle =
      name === 'Helvetica'
        ? pdfium.FPDFText_LoadStandardFont(document, name)
        : loadFace(pdfium, document, fontBytesOf(name));
    const font = { handle, widthOf: widthsOf(pdfium, handle) };
    loaded.set(name, font);
    return font;
  };
  const fromFaces: FontOf = (character) => {
    const face = facesFor({ family: 'sans' }).find((item) =>
      hasCharacter(item, character.codePointAt(0) ?? 0),
    );
    return face && load(face);
  };
  return {
    forLine: (characters: readonly string[]): FontOf =>
      characters.every(isWinAnsi) ? () => load('Helvetica') : fromFaces,
    close() {
      for (const { handle } of loaded.values()) pdfium.FPDFFont_Close(handle);
    },
  };
}

/** PDFium keeps a copy. */
const loadFace = (pdfium: Pdfium, document: number, bytes: Uint8Array): number =>
  withMemory(pdfium, bytes.length, (pointer) => {
    pdfium.pdfium.HEAPU8.set(bytes, pointer);
    return pdfium.FPDFText_LoadFont(document, pointer, bytes.length, TRUETYPE, true);
  });

/** Widths are parts of the size of the letters. */
function widthsOf(pdfium: Pdfium, font: number): Font['widthOf'] {
  const cache = new Map<string, number>();
  return (character) => {
    const before = cache.get(character);
    if (before !== undefined) return before;
    const width = withMemory(pdfium, 4, (pointer) => {
      pdfium.FPDFFont_GetGlyphWidth(font, character.codePointAt(0) ?? 0, 1000, pointer);
      return pdfium.pdfium.getValue(pointer, 'float') / 1000;
    });
    cache.set(character, width);
    return width;
  };
}

// ── measuring ───────────────────────────────────────────────────────────────────────────────────────────────────

type ForLine = (characters: readonly string[]) => FontOf;

const widthIn = (fontOf: FontOf, character: string): number =>
  fontOf(character)?.widthOf(character) ?? FRAME.width;

function cutText(text: string, size: number, room: number, forLine: ForLine): TruncatedText {
  const characters = [...text.normalize('NFC').replace(NOT_PRINTED, ' ').replace(/\s+/g, ' ').trim()];
  const fontOf = forLine(characters);
  const whole = begun(Number.POSITIVE_INFINITY);
  if (whole.width <= room) return whole;
  const ellipsis = widthIn(fontOf, ELLIPSIS) * size;
  const cut = begun(room - ellipsis);
  // Where there is hardly room for a letter, the letter says more than the ellipsis.
  if (cut.characters.length === 0) return begun(room);
  return remeasured([...cut.characters, ELLIPSIS]);

  function begun(most: number): TruncatedText {
    let [count, width] = [0, 0];
    for (const character of characters) {
      const next = width + widthIn(fontOf, character) * size;
      if (next > most) break;
      [count, width] = [count + 1, next];
    }
    return remeasured(characters.slice(0, count));
  }

  /** The rest of a text may be set in another font than the whole would have been. */
  function remeasured(remaining: readonly string[]): TruncatedText {
    const fontOfRest = forLine(remaining);
    const width = remaining.reduce((sum, character) => sum + widthIn(fontOfRest, character) * size, 0);
    return { characters: remaining, width };
  }
}

// ── setting ─────────────────────────────────────────────────────────────────────────────────────────────────────

type Setting = {
  pdfium: Pdfium;
  document: number;
  size: number;
  baseline: Point;
  color: Color;
  forLine: ForLine;
};

function typeset({ characters }: TruncatedText, { forLine, baseline, ...setting }: Setting): number[] {
  const fontOf = forLine(characters);
  const objects: number[] = [];
  let x = baseline.x;
  for (const { text, font } of piecesOf(inVisualOrder(characters), fontOf)) {
    const place = { ...setting, x, y: baseline.y };
    objects.push(font ? textObject({ ...place, text, font }) : frameObject(place));
    x += [...text].reduce((sum, character) => sum + widthIn(fontOf, character), 0) * setting.size;
  }
  return objects;
}

/** Orders characters from left to right, as they are seen (Unicode Standard Annex 9). */
function inVisualOrder(characters: readonly string[]): readonly string[] {
  if (characters.every(isWinAnsi)) return characters;
  return runsOf(characters.join(''), { family: 'sans' }).flatMap(({ text, direction }) => {
    const letters = [...text];
    return direction === 'rtl' ? letters.reverse() : letters;
  });
}

/** Makes a frame for each character that has no font. */
function piecesOf(characters: readonly string[], fontOf: FontOf): { text: string; font: Font | undefined }[] {
  const pieces: { text: string; font: Font | undefined }[] = [];
  for (const character of characters) {
    const font = fontOf(character);
    const last = pieces.at(-1);
    if (font && last?.font === font) last.text += character;
    else pieces.push({ text: character, font });
  }
  return pieces;
}

type TextTarget = Point & { pdfium: Pdfium; document: number; size: number; color: Color };

function textObject({
  pdfium,
  document,
  font,
  size,
  text,
  x,
  y,
  color,
}: TextTarget & { font: Font; text: string }) {
  const object = pdfium.FPDFPageObj_CreateTextObj(document, font.handle, size);
  const bytes = Buffer.from(`${text}\0`, 'utf16le');
  withMemory(pdfium, bytes.length, (pointer) => {
    pdfium.pdfium.HEAPU8.set(bytes, pointer);
    pdfium.FPDFText_SetText(object, pointer);
  });
  pdfium.FPDFPageObj_SetFillColor(object, ...color, 255);
  pdfium.FPDFPageObj_Transform(object, 1, 0, 0, 1, x, y);
  return object;
}

function frameObject({ pdfium, size, x, y, color }: TextTarget): number {
  const side = FRAME.side * size;
  const frame = pdfium.FPDFPageObj_CreateNewRect(
    x + side,
    y,
    FRAME.width * size - 2 * side,
    FRAME.height * size,
  );
  pdfium.FPDFPageObj_SetStrokeColor(frame, ...color, 255);
  pdfium.FPDFPageObj_SetStrokeWidth(frame, FRAME.line * size);
  pdfium.FPDFPath_SetDrawMode(frame, 0, true);
  return frame;
}
