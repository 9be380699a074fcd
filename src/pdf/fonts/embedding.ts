// Embeds faces into a PDF as subsets of the used glyphs, and writes the operators that show runs of text with them. The same text
// gives the same bytes. It must never choose a face.
import { PDFDocument, type PDFFont, PDFHexString } from '@cantoo/pdf-lib';
import type { Font } from 'fontkit';
import { type Face, fontBytesOf } from './faces.ts';
import { fontOf, isShaped, type PlacedGlyph, placedGlyphs } from './typesetting.ts';

/** Each face is embedded once in a document. */
export type EmbeddedFonts = { readonly document: PDFDocument; readonly byFace: Map<Face, PDFFont> };

/** Creates an empty document, with no date and no producer of its own. */
export const newDocument = (): Promise<PDFDocument> => PDFDocument.create({ updateMetadata: false });

export function embeddedFonts(document: PDFDocument): EmbeddedFonts {
  // The library asks a fontkit to read a font: this one has been read, for measuring.
  document.registerFontkit({ create: (bytes: Uint8Array) => fontsByBytes.get(bytes) } as never);
  return { document, byFace: new Map() };
}

const fontsByBytes = new WeakMap<Uint8Array, unknown>();

export async function fontFor(face: Face, { document, byFace }: EmbeddedFonts): Promise<PDFFont> {
  const cached = byFace.get(face);
  if (cached) return cached;
  const bytes = fontBytesOf(face);
  fontsByBytes.set(bytes, fontOf(face));
  const font = await document.embedFont(bytes, {
    subset: true,
    customName: `${tagOf(byFace.size)}+${nameOf(face)}`,
  });
  separateCodes(font);
  byFace.set(face, font);
  return font;
}

const LETTERS = 26;

/** Six capital letters before the name say that a font is a part of one (ISO 32000-1, 9.6.4). */
function tagOf(index: number): string {
  const last = [Math.floor(index / LETTERS) % LETTERS, index % LETTERS];
  return `ESGN${String.fromCharCode(...last.map((letter) => 65 + letter))}`;
}

const nameOf = (face: Face): string =>
  (fontOf(face).postscriptName || face.name).replace(/[^A-Za-z0-9-]/g, '').slice(0, 60) || 'Font';

/** The operands of Tm say where a run begins; both numbers are added to the beginning of the run. */
type At = (dx: number, dy: number) => string;

/** Writes the operators that show a run, to stand between BT and ET. `name` is that of the font among the resources. */
export function runShown(
  text: string,
  { face, font, name, size }: { face: Face; font: PDFFont; name: string; size: number },
  at: At,
): string {
  const codes = font.encodeText(text).toString().slice(1, -1);
  const glyphs = placedGlyphs(text, face);
  const scale = size / fontOf(face).unitsPerEm;
  const shown = glyphs ? eachAtItsPlace(glyphs, codes, scale, at) : [`${at(0, 0)} <${codes}> Tj`];
  return `${name} ${n(size)} Tf ${shown.join(' ')}`;
}

/** Adds the letters to a run whose glyphs are not these one by one: a reader that copies or searches gets them from here. */
export const readAs = (text: string, shown: string): string =>
  isShaped(text) ? `/Span <</ActualText ${PDFHexString.fromText(text).toString()}>> BDC ${shown} EMC` : shown;

const DIGITS_OF_CODE = 4;

function eachAtItsPlace(glyphs: readonly PlacedGlyph[], codes: string, scale: number, at: At): string[] {
  let along = 0;
  return glyphs.map(({ advance, x, y }, index) => {
    const code = codes.slice(index * DIGITS_OF_CODE, (index + 1) * DIGITS_OF_CODE);
    const here = at((along + x) * scale, y * scale);
    along += advance;
    return `${here} <${code}> Tj`;
  });
}

/** Formats a number with as many digits as are visible. */
export const n = (value: number): string => `${Math.round(value * 100) / 100}`;

/** Sets the fill color, given as six hexadecimal digits. */
export const fill = (color: string): string => `${rgb(color)} rg`;

export const stroke = (color: string): string => `${rgb(color)} RG`;

function rgb(color: string): string {
  const part = (at: number) => Math.round((Number.parseInt(color.slice(at, at + 2), 16) / 255) * 1000) / 1000;
  return `${part(0)} ${part(2)} ${part(4)}`;
}

type Glyph = ReturnType<Font['glyphForCodePoint']>;

/** The library keeps this of a subset. `glyphs` are ids of the font, in the order of the codes. */
type Subset = { glyphs: number[]; includeGlyph(glyph: Glyph | number): number };
type Embedder = { subset: Subset; glyphId(glyph: Glyph | undefined): number | undefined };

/** Has the embedded font take a new code for each glyph and text. */
function separateCodes(font: PDFFont): void {
  const embedder = (font as unknown as { embedder: Embedder }).embedder;
  const { subset } = embedder;
  const include = subset.includeGlyph.bind(subset);
  const codes = new Map<string, number>();
  const usedCodes = new Set<number>();
  // Glyphs that are parts of others come by their number alone: they have no code that a text uses.
  subset.includeGlyph = (glyph) => {
    if (typeof glyph === 'number') return include(glyph);
    const key = keyOf(glyph);
    const existing = codes.get(key);
    if (existing !== undefined) return existing;
    let code = include(glyph);
    if (usedCodes.has(code)) {
      subset.glyphs.push(glyph.id);
      code = subset.glyphs.length - 1;
    }
    usedCodes.add(code);
    codes.set(key, code);
    return code;
  };
  // The library looks for a code by the glyph when it writes widths.
  embedder.glyphId = (glyph) => (glyph ? codes.get(keyOf(glyph)) : -1);
}

const keyOf = ({ id, codePoints }: Glyph): string => `${id} ${codePoints}`;
