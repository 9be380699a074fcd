// Finds bounds of the width of a text, from the widths that a PDF states for its font.
import type { PdfView } from '../read/read-pdf.ts';
import type { Dict, Value } from '../read/values.ts';

/** Of a text: how many characters it has at most, and what their widths add up to, in thousandths of the size. */
export type TextWidth = { characters: number; least: number; most: number };

export type WidthOfText = (text: Buffer) => TextWidth;

/** Above the widest character of the standard fonts, in thousandths of the size. */
const WIDEST = 1100;

/** Undefined for fonts whose characters are drawings (Type 3), and for vertical writing. */
export function widthBoundsOf(view: PdfView, value: Value | undefined): WidthOfText | undefined {
  const font = view.dict(value);
  const kind = font && view.resolve(font.get('Subtype'));
  if (!font || kind === 'Type3') return undefined;
  return kind === 'Type0' ? composite(view, font) : simple(view, font);
}

function simple(view: PdfView, font: Dict): WidthOfText {
  const first = view.resolve(font.get('FirstChar'));
  const widths = typeof first === 'number' ? view.array(font.get('Widths')) : undefined;
  if (!widths) return (text) => ({ characters: text.length, least: 0, most: text.length * WIDEST });
  const known = widths.map((width) => view.resolve(width));
  return (text) => {
    let [least, most] = [0, 0];
    for (const byte of text) {
      const width = known[byte - Number(first)];
      const isKnown = typeof width === 'number' && width > 0;
      least += isKnown ? width : 0;
      most += isKnown ? width : WIDEST;
    }
    return { characters: text.length, least, most };
  };
}

/** Takes each character for as wide as the widest. Only with two bytes for each is it known how many there are; otherwise there is at most one for each byte. */
function composite(view: PdfView, font: Dict): WidthOfText | undefined {
  const encoding = view.resolve(font.get('Encoding'));
  if (typeof encoding !== 'string' || encoding.endsWith('V')) return undefined;
  const descendant = view.dict(view.array(font.get('DescendantFonts'))?.[0]);
  if (!descendant) return undefined;
  const usual = view.resolve(descendant.get('DW'));
  const listed = widestOf(view, view.array(descendant.get('W')) ?? []);
  const widest = Math.max(typeof usual === 'number' ? usual : 1000, listed);
  const bytes = encoding === 'Identity-H' ? 2 : 1;
  return (text) => {
    const characters = Math.ceil(text.length / bytes);
    return { characters, least: 0, most: characters * widest };
  };
}

/** `c [w1 w2 …]` and `c1 c2 w`, one after another (ISO 32000-1, 9.7.4.3). */
function widestOf(view: PdfView, items: readonly Value[]): number {
  let widest = 0;
  for (let at = 0; at + 1 < items.length; ) {
    const list = view.array(items[at + 1]);
    for (const width of list ?? [items[at + 2] ?? null]) {
      const number = view.resolve(width);
      if (typeof number === 'number') widest = Math.max(widest, number);
    }
    at += list ? 2 : 3;
  }
  return widest;
}
