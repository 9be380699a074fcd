// Gives a glyph one code in a PDF for each text that it stands for. Fonts draw several Arabic letters with the same stroke and other dots,
// and a code says to readers which letter is meant: one code for all would turn letters into others when text is copied or searched.
import type { PDFFont } from '@cantoo/pdf-lib';
import type { Font } from 'fontkit';

type Glyph = ReturnType<Font['glyphForCodePoint']>;

/** What the library keeps of a subset. `glyphs` are ids of the font, in the order of the codes. */
type Subset = { glyphs: number[]; includeGlyph(glyph: Glyph | number): number };
type Embedder = { subset: Subset; glyphId(glyph: Glyph | undefined): number | undefined };

/** Has the embedded font take a new code for each glyph and text. */
export function separateCodes(font: PDFFont): void {
  const embedder = (font as unknown as { embedder: Embedder }).embedder;
  const { subset } = embedder;
  const include = subset.includeGlyph.bind(subset);
  const codes = new Map<string, number>();
  const taken = new Set<number>();
  // Glyphs that are parts of others come by their number alone: they have no code that a text uses.
  subset.includeGlyph = (glyph) => {
    if (typeof glyph === 'number') return include(glyph);
    const key = keyOf(glyph);
    const known = codes.get(key);
    if (known !== undefined) return known;
    let code = include(glyph);
    if (taken.has(code)) {
      subset.glyphs.push(glyph.id);
      code = subset.glyphs.length - 1;
    }
    taken.add(code);
    codes.set(key, code);
    return code;
  };
  // The library looks for a code by the glyph when it writes widths.
  embedder.glyphId = (glyph) => (glyph ? codes.get(keyOf(glyph)) : -1);
}

const keyOf = ({ id, codePoints }: Glyph): string => `${id} ${codePoints}`;
