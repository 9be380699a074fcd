// Splits the strings that a page shows into the codes of single glyphs, with the width that a PDF states for each. It must never guess:
// a font whose codes or widths are not known gives nothing.
import { StandardFontEmbedder, StandardFonts } from '@cantoo/pdf-lib';
import type { PdfView } from '../read/read-pdf.ts';
import type { Dict, Value } from '../read/values.ts';

/** `width` is in thousandths of the size. */
export type ShownCode = { at: number; length: number; width: number; isWordSpace: boolean };

/** It gives undefined for a string with a code whose width is not known. */
export type ShownFont = (text: Buffer) => ShownCode[] | undefined;

/** Returns undefined for vertical writing, and for encodings that are not known. */
export function readShownFont(view: PdfView, value: Value | undefined): ShownFont | undefined {
  const font = view.dict(value);
  if (!font) return undefined;
  return view.resolve(font.get('Subtype')) === 'Type0' ? composite(view, font) : simple(view, font);
}

const SPACE = 0x20;

function simple(view: PdfView, font: Dict): ShownFont | undefined {
  const widthOf = simpleWidths(view, font);
  return (
    widthOf &&
    ((text) => {
      const codes: ShownCode[] = [];
      for (const [at, code] of text.entries()) {
        const width = widthOf(code);
        if (width === undefined) return undefined;
        codes.push({ at, length: 1, width, isWordSpace: code === SPACE });
      }
      return codes;
    })
  );
}

function simpleWidths(view: PdfView, font: Dict): ((code: number) => number | undefined) | undefined {
  const first = view.resolve(font.get('FirstChar'));
  const widths = typeof first === 'number' ? view.array(font.get('Widths')) : undefined;
  if (!widths) return standardWidths(view, font);
  const values = widths.map((width) => view.resolve(width));
  const missing = view.resolve(view.dict(font.get('FontDescriptor'))?.get('MissingWidth'));
  const scale = view.resolve(font.get('Subtype')) === 'Type3' ? glyphUnits(view, font) : 1;
  if (scale === undefined) return undefined;
  return (code) => {
    const width = values[code - Number(first)];
    if (typeof width === 'number') return width * scale;
    return typeof missing === 'number' ? missing : 0;
  };
}

/** Widths of a font that draws its own glyphs are in units of these. */
function glyphUnits(view: PdfView, font: Dict): number | undefined {
  const [a, b] = (view.array(font.get('FontMatrix')) ?? []).map((item) => view.resolve(item));
  return typeof a === 'number' && b === 0 ? a * 1000 : undefined;
}

const embedderOf = (name: string): StandardFontEmbedder =>
  StandardFontEmbedder.for(name as Parameters<typeof StandardFontEmbedder.for>[0]);

const STANDARD_NAMES = new Set<string>(Object.values(StandardFonts));

/** The two encodings differ in these of the characters that tags have. */
const STANDARD_QUOTES = new Map([
  [0x27, 'quoteright'],
  [0x60, 'quoteleft'],
]);

/** Files need not state the widths of the standard fonts. */
function standardWidths(view: PdfView, font: Dict): ((code: number) => number | undefined) | undefined {
  const name = view.resolve(font.get('BaseFont'));
  if (typeof name !== 'string' || !STANDARD_NAMES.has(name)) return undefined;
  const encoding = view.resolve(font.get('Encoding'));
  if (encoding !== null && encoding !== 'WinAnsiEncoding') return undefined;
  const { font: metrics } = embedderOf(name);
  const [isSymbolic, isWinAnsi] = [/Symbol|Zapf/.test(name), encoding !== null];
  return (code) => {
    if (isSymbolic || code < SPACE || (code > 0x7e && !isWinAnsi)) return undefined;
    const quote = isWinAnsi ? undefined : STANDARD_QUOTES.get(code);
    return metrics.getWidthOfGlyph(quote ?? nameOfCode(code)) ?? undefined;
  };
}

let names: Map<number, string> | undefined;

function nameOfCode(code: number): string {
  names ??= winAnsiNames();
  return names.get(code) ?? '';
}

function winAnsiNames(): Map<number, string> {
  const { encoding } = embedderOf(StandardFonts.Helvetica);
  return new Map(
    encoding.supportedCodePoints.map((point) => {
      const { code, name } = encoding.encodeUnicodeCodePoint(point);
      return [code, name];
    }),
  );
}

const USUAL_WIDTH = 1000;

function composite(view: PdfView, font: Dict): ShownFont | undefined {
  if (view.resolve(font.get('Encoding')) !== 'Identity-H') return undefined;
  const descendant = view.dict(view.array(font.get('DescendantFonts'))?.[0]);
  if (!descendant) return undefined;
  const usual = view.resolve(descendant.get('DW'));
  const widths = readWidths(view, view.array(descendant.get('W')) ?? []);
  return (text) => {
    if (text.length % 2 !== 0) return undefined;
    return Array.from({ length: text.length / 2 }, (_, index): ShownCode => {
      const width = widths.get(text.readUInt16BE(index * 2));
      return {
        at: index * 2,
        length: 2,
        width: width ?? (typeof usual === 'number' ? usual : USUAL_WIDTH),
        isWordSpace: false,
      };
    });
  };
}

const MOST_GLYPHS = 65_536;

/** The array of widths reads `c [w1 w2 …]` and `c1 c2 w`, one after another (ISO 32000-1, 9.7.4.3). */
function readWidths(view: PdfView, items: readonly Value[]): Map<number, number> {
  const widths = new Map<number, number>();
  for (let at = 0; at + 1 < items.length; ) {
    const first = Number(view.resolve(items[at]));
    const list = view.array(items[at + 1]);
    const last = list ? first + list.length - 1 : Math.min(Number(view.resolve(items[at + 1])), MOST_GLYPHS);
    for (let code = first; code <= last; code += 1) {
      const width = view.resolve(list ? list[code - first] : items[at + 2]);
      if (typeof width === 'number') widths.set(code, width);
    }
    at += list ? 2 : 3;
  }
  return widths;
}
