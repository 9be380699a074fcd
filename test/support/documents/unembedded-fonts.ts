// PDFs whose fonts are not in the file: one line of text a font, in the ways that programs write such text.
import { pdfOf } from './pdf.ts';

/** One line: a font dictionary, the string operand that shows the text, and objects that the font names. */
export type Line = { font: (objects: (body: string) => string) => string; shows: string };

export const LINE_HEIGHT = 40;
export const FONT_SIZE = 24;
export const MARGIN = 20;
/** The distance from one letter to the next, in fonts without widths: 0.7 of the size. */
export const ADVANCE = 16.8;

/** The first line is at the top: its letters stand on y = LINE_HEIGHT from there. */
export function linesPdf(lines: readonly Line[]): Buffer {
  const height = (lines.length + 1) * LINE_HEIGHT;
  const more: string[] = [];
  const firstMore = 5 + lines.length;
  const add = (body: string) => `${firstMore + more.push(body) - 1} 0 R`;
  const fonts = lines.map(({ font }) => font(add));
  const content = lines
    .map(
      ({ shows }, index) =>
        `BT /F${index} ${FONT_SIZE} Tf ${MARGIN} ${height - (index + 1) * LINE_HEIGHT} Td ${shows} Tj ET`,
    )
    .join('\n');
  const names = lines.map((_, index) => `/F${index} ${5 + index} 0 R`).join('');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 ${height}]/Resources<</Font<<${names}>>>>/Contents 4 0 R>>`,
    streamOf(content),
    ...fonts,
    ...more,
  ]);
}

const streamOf = (text: string) => `<</Length ${text.length}>>\nstream\n${text}\nendstream`;
const hexOf = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

const descriptor = (name: string) =>
  `<</Type/FontDescriptor/FontName/${name}/Flags 32/FontBBox[-100 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80>>`;

/** Codes from 161 with the names of their characters, as programs before Unicode wrote Cyrillic. */
export function byGlyphName(text: string, { name = 'Arial', subtype = 'TrueType' } = {}): Line {
  const characters = [...text];
  const names = characters.map((c) => `/uni${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  const codes = characters.map((_, index) => (161 + index).toString(16)).join('');
  const widths = '700 '.repeat(224);
  const font = (add: (body: string) => string) =>
    `<</Type/Font/Subtype/${subtype}/BaseFont/${name}/FirstChar 32/LastChar 255/Widths[${widths}]/FontDescriptor ${add(descriptor(name))}/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[161${names.join('')}]>>>>`;
  return { font, shows: `<${codes}>` };
}

/** Glyph numbers of the author's font, with a map to characters (unless it is omitted). */
export function byGlyphNumber(text: string, { name = 'ArialMT', isMapped = true } = {}): Line {
  const characters = [...text];
  const code = (index: number) => (500 + index).toString(16).padStart(4, '0');
  const rows = characters.map((character, index) => `<${code(index)}> <${hexOf(character)}>`).join('\n');
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange ${characters.length} beginbfchar\n${rows}\nendbfchar endcmap CMapName currentdict /CMap defineresource pop end end`;
  const font = (add: (body: string) => string) =>
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H${isMapped ? `/ToUnicode ${add(streamOf(map))}` : ''}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDToGIDMap/Identity/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 700/FontDescriptor ${add(descriptor(name))}>>]>>`;
  return { font, shows: `<${characters.map((_, index) => code(index)).join('')}>` };
}

/** Text in a character collection of Adobe, as Chinese, Japanese and Korean programs write it for the reader's fonts. */
export function byCollection(text: string, name: string, ordering: string, encoding: string): Line {
  const font = (add: (body: string) => string) =>
    `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 4>>/DW 1000/FontDescriptor ${add(descriptor(name))}>>]>>`;
  return { font, shows: `<${hexOf(text)}>` };
}

/** A standard font as every program writes it. */
export function standard(text: string, name = 'Helvetica'): Line {
  return {
    font: () => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`,
    shows: `(${text})`,
  };
}
