// The lettering of labels: measures text, cuts it to the room there is, and makes it objects of a page. Every character
// leaves something to see: one without a glyph is an empty frame.
import type { Point } from './geometry.ts';
import { type Pdfium, withMemory } from './pdfium.ts';

/** What of a text has room, and how wide it is. */
export type Cut = { characters: readonly string[]; width: number };

export type Label = {
  /** Ends with an ellipsis where the text does not fit; nothing where not even one character does. */
  cut(text: string, size: number, room: number): Cut;
  /** @param baseline where it begins, y upwards */
  objects(cut: Cut, size: number, baseline: Point, color: readonly [number, number, number]): number[];
};

const ELLIPSIS = '…';
const NOT_PRINTED = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

/** The characters of WinAnsiEncoding (ISO 32000-1, annex D) beyond Latin-1. */
const WIN_ANSI = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const hasGlyph = (character: string): boolean =>
  /^[ -~\u00a0-\u00ff]$/.test(character) || WIN_ANSI.includes(character);

/** Of the size of the letters. */
const FRAME = { width: 0.6, height: 0.65, line: 0.06, side: 0.08 };

export function withLabelFont<T>(pdfium: Pdfium, document: number, job: (label: Label) => T): T {
  const font = pdfium.FPDFText_LoadStandardFont(document, 'Helvetica');
  try {
    return job({ cut: cutter(pdfium, font), objects: typesetter(pdfium, document, font) });
  } finally {
    pdfium.FPDFFont_Close(font);
  }
}

function widthsOf(pdfium: Pdfium, font: number): (character: string) => number {
  const known = new Map<string, number>();
  return (character) => {
    if (!hasGlyph(character)) return FRAME.width;
    const before = known.get(character);
    if (before !== undefined) return before;
    const width = withMemory(pdfium, 4, (pointer) => {
      pdfium.FPDFFont_GetGlyphWidth(font, character.codePointAt(0) ?? 0, 1000, pointer);
      return pdfium.pdfium.getValue(pointer, 'float') / 1000;
    });
    known.set(character, width);
    return width;
  };
}

function cutter(pdfium: Pdfium, font: number): Label['cut'] {
  const widthOf = widthsOf(pdfium, font);
  return (text, size, room) => {
    const characters = [...text.normalize('NFC').replace(NOT_PRINTED, ' ').replace(/\s+/g, ' ').trim()];
    const whole = characters.reduce((sum, character) => sum + widthOf(character) * size, 0);
    if (whole <= room) return { characters, width: whole };
    const ellipsis = widthOf(ELLIPSIS) * size;
    const cut = begun(room - ellipsis);
    // Where there is hardly room for a letter, the letter says more than the ellipsis.
    if (cut.characters.length === 0) return begun(room);
    return { characters: [...cut.characters, ELLIPSIS], width: cut.width + ellipsis };

    function begun(most: number): Cut {
      let [count, width] = [0, 0];
      for (const character of characters) {
        const next = width + widthOf(character) * size;
        if (next > most) break;
        [count, width] = [count + 1, next];
      }
      return { characters: characters.slice(0, count), width };
    }
  };
}

function typesetter(pdfium: Pdfium, document: number, font: number): Label['objects'] {
  const widthOf = widthsOf(pdfium, font);
  return ({ characters }, size, { x, y }, color) => {
    const objects: number[] = [];
    let at = x;
    let word = '';
    const endWord = () => {
      if (word !== '')
        objects.push(textObject(pdfium, document, { font, size, text: word, x: at, y, color }));
      at += [...word].reduce((sum, character) => sum + widthOf(character) * size, 0);
      word = '';
    };
    for (const character of characters) {
      if (hasGlyph(character)) word += character;
      else {
        endWord();
        objects.push(frameObject(pdfium, { size, x: at, y, color }));
        at += FRAME.width * size;
      }
    }
    endWord();
    return objects;
  };
}

type Set = Point & { size: number; color: readonly [number, number, number] };

function textObject(
  pdfium: Pdfium,
  document: number,
  { font, size, text, x, y, color }: Set & { font: number; text: string },
): number {
  const object = pdfium.FPDFPageObj_CreateTextObj(document, font, size);
  const bytes = Buffer.from(`${text}\0`, 'utf16le');
  withMemory(pdfium, bytes.length, (pointer) => {
    pdfium.pdfium.HEAPU8.set(bytes, pointer);
    pdfium.FPDFText_SetText(object, pointer);
  });
  pdfium.FPDFPageObj_SetFillColor(object, ...color, 255);
  pdfium.FPDFPageObj_Transform(object, 1, 0, 0, 1, x, y);
  return object;
}

function frameObject(pdfium: Pdfium, { size, x, y, color }: Set): number {
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
