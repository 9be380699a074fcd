// Writes PDFs of text in fonts of several kinds, whose widths and heights a test determines: simple fonts, CID fonts and Type 3 fonts.
import { readFileSync } from 'node:fs';
import { create, type Font as FontFile } from 'fontkit';
import { bidi, inVisualOrder } from '../../../src/pdf/fonts/runs.ts';
import { pdfOf } from './pdf.ts';

/** Widths and heights are in thousandths of the size. */
export type TextFont = {
  name: string;
  /** The dictionary. @param add adds an object and returns its reference */
  dictionary(add: (body: string) => string): string;
  /** The operand that shows text: a string in hexadecimal digits. */
  encode(text: string): string;
  widthOf(character: string): number;
  ascent: number;
  descent: number;
  /** Word spacing applies to the code 32 in one byte only (ISO 32000-1, 9.3.3). */
  takesWordSpacing: boolean;
};

export const streamOf = (text: string, entries = ''): string =>
  `<<${entries}/Length ${text.length}>>\nstream\n${text}\nendstream`;

const hexOf = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
const hexNumber = (code: number, bytes: number): string => code.toString(16).padStart(bytes * 2, '0');

/** A map from codes to text (ISO 32000-1, 9.10.3). */
export function toUnicodeMap(
  codes: readonly (readonly [code: number, text: string])[],
  bytes: 1 | 2,
): string {
  const rows = codes.map(([code, text]) => `<${hexNumber(code, bytes)}> <${hexOf(text)}>`);
  const blocks = Array.from({ length: Math.ceil(rows.length / 100) }, (_, index) => {
    const block = rows.slice(index * 100, index * 100 + 100);
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`;
  });
  const range = `<${'00'.repeat(bytes)}> <${'ff'.repeat(bytes)}>`;
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def 1 begincodespacerange ${range} endcodespacerange\n${blocks.join('\n')}\nendcmap CMapName currentdict /CMap defineresource pop end end`;
}

type Metrics = { ascent?: number; descent?: number; widthOf?: (character: string) => number };

/** Widths that differ from letter to letter, so that a wrong one is noticed, and have room for the letters of the font that stands in. */
function unevenWidth(character: string): number {
  if (character === ' ') return 280;
  const some = (character.codePointAt(0)! * 37) % 200;
  return some + (/[\u2e80-\uffffMWmw@%]/.test(character) ? 1000 : 650);
}

const descriptorOf = (name: string, ascent: number, descent: number): string =>
  `<</Type/FontDescriptor/FontName/${name}/Flags 32/FontBBox[-100 ${descent} 1000 ${ascent}]/ItalicAngle 0/Ascent ${ascent}/Descent ${descent}/CapHeight 700/StemV 80`;

/** A font of one byte a letter, with its widths and heights. Letters that Latin 1 does not have are given the codes from 128 on. */
export function simpleFont(
  characters: readonly string[],
  { ascent = 800, descent = -200, widthOf = unevenWidth }: Metrics = {},
): TextFont {
  const codes = new Map(
    characters.map((one, index) => [one, /^[ -~]$/.test(one) ? one.charCodeAt(0) : 128 + index]),
  );
  const textAt = new Map([...codes].map(([text, code]) => [code, text]));
  const name = `Simple${ascent}`;
  const dictionary = (add: (body: string) => string): string => {
    const widths = Array.from({ length: 224 }, (_, index) => {
      const text = textAt.get(index + 32);
      return text === undefined ? 0 : widthOf(text);
    });
    const descriptor = add(`${descriptorOf(name, ascent, descent)}>>`);
    const map = add(streamOf(toUnicodeMap([...textAt], 1)));
    return `<</Type/Font/Subtype/TrueType/BaseFont/${name}/FirstChar 32/LastChar 255/Widths[${widths.join(' ')}]/FontDescriptor ${descriptor}/Encoding/WinAnsiEncoding/ToUnicode ${map}>>`;
  };
  return { name, dictionary, encode: encoderOf(codes, 1), widthOf, ascent, descent, takesWordSpacing: true };
}

/** A font of two bytes a letter, with a map to Unicode. */
export function cidFont(
  characters: readonly string[],
  { ascent = 900, descent = -250, widthOf = unevenWidth }: Metrics = {},
): TextFont {
  const codes = new Map(characters.map((one, index) => [one, 500 + index]));
  const name = `Cid${ascent}`;
  const dictionary = (add: (body: string) => string): string => {
    const descriptor = add(`${descriptorOf(name, ascent, descent)}>>`);
    const widths = [...codes].map(([text, code]) => `${code}[${widthOf(text)}]`).join('');
    return cidDictionary(name, `/W[${widths}]`, descriptor, add(streamOf(toUnicodeMap(entriesOf(codes), 2))));
  };
  return { name, dictionary, encode: encoderOf(codes, 2), widthOf, ascent, descent, takesWordSpacing: false };
}

/** A font whose letters are drawn by the document itself: boxes of its width, from the lower to the upper end. */
export function type3Font(
  characters: readonly string[],
  { ascent = 700, descent = -300, widthOf = unevenWidth }: Metrics = {},
): TextFont {
  const codes = new Map(characters.map((one, index) => [one, 33 + index]));
  const name = 'Type3';
  const dictionary = (add: (body: string) => string): string => {
    // Glyphs are in fiftieths of the size.
    const units = (thousandths: number) => thousandths / 20;
    const glyphs = [...codes].map(([text, code]) => {
      const body = `${units(widthOf(text))} 0 0 ${units(descent)} ${units(widthOf(text))} ${units(ascent)} d1 0 ${units(descent)} ${units(widthOf(text))} ${units(ascent - descent)} re f`;
      return `/g${code} ${add(streamOf(body))}`;
    });
    const names = [...codes.values()].map((code) => `/g${code}`).join('');
    const widths = [...codes.keys()].map((text) => units(widthOf(text))).join(' ');
    const box = [0, units(descent), 50, units(ascent)].join(' ');
    const map = add(streamOf(toUnicodeMap(entriesOf(codes), 1)));
    return `<</Type/Font/Subtype/Type3/FontBBox[${box}]/FontMatrix[.02 0 0 .02 0 0]/CharProcs<<${glyphs.join('')}>>/Encoding<</Type/Encoding/Differences[33${names}]>>/FirstChar 33/LastChar ${32 + codes.size}/Widths[${widths}]/Resources<<>>/ToUnicode ${map}>>`;
  };
  return { name, dictionary, encode: encoderOf(codes, 1), widthOf, ascent, descent, takesWordSpacing: false };
}

/** Widths of Helvetica, which is in no file. */
const HELVETICA: Record<string, number> = {
  ' ': 278,
  a: 556,
  b: 556,
  c: 500,
  d: 556,
  e: 556,
  f: 278,
  g: 556,
  h: 556,
  i: 222,
  j: 222,
  k: 500,
  l: 222,
  m: 833,
  n: 556,
  o: 556,
  p: 556,
  q: 556,
  r: 333,
  s: 500,
  t: 278,
  u: 556,
  v: 500,
  w: 722,
  x: 500,
  y: 500,
  z: 500,
};

/** A standard font, whose widths and heights every reader knows; its heights are those that Adobe published. */
export const helvetica: TextFont = {
  name: 'Helvetica',
  dictionary: () => '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  encode: (text) => `<${Buffer.from(text, 'latin1').toString('hex')}>`,
  widthOf: (character) => HELVETICA[character] ?? 0,
  ascent: 718,
  descent: -207,
  takesWordSpacing: true,
};

/** One of the fonts of the project, in the file: glyphs by their numbers. Arabic letters have no forms that join. */
export function fileFont(fileName: string): TextFont {
  const bytes = readFileSync(new URL(`../../../fonts/${fileName}.ttf`, import.meta.url));
  const file = create(bytes) as FontFile;
  const thousandths = (units: number) => Math.round((units * 1000) / file.unitsPerEm);
  const used = new Map<string, number>();
  const glyphOf = (character: string): number => {
    const known = used.get(character) ?? file.glyphForCodePoint(character.codePointAt(0)!).id;
    used.set(character, known);
    return known;
  };
  const widthOf = (character: string) => thousandths(file.getGlyph(glyphOf(character)).advanceWidth);
  const [ascent, descent] = [thousandths(file.ascent), thousandths(file.descent)];
  const name = fileName.replaceAll('-', '');
  const dictionary = (add: (body: string) => string): string => {
    const data = add(streamOf(bytes.toString('latin1')));
    const descriptor = add(`${descriptorOf(name, ascent, descent)}/FontFile2 ${data}>>`);
    const widths = [...used].map(([text, glyph]) => `${glyph}[${widthOf(text)}]`).join('');
    return cidDictionary(name, `/W[${widths}]`, descriptor, add(streamOf(toUnicodeMap(entriesOf(used), 2))));
  };
  const encode = (text: string) =>
    `<${[...text].map((character) => hexNumber(glyphOf(character), 2)).join('')}>`;
  return { name, dictionary, encode, widthOf, ascent, descent, takesWordSpacing: false };
}

const entriesOf = (codes: ReadonlyMap<string, number>): [number, string][] =>
  [...codes].map(([text, code]) => [code, text]);

const cidDictionary = (name: string, widths: string, descriptor: string, map: string): string =>
  `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/ToUnicode ${map}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDToGIDMap/Identity/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500${widths}/FontDescriptor ${descriptor}>>]>>`;

/** Texts of several letters, as of a ligature, come before single letters. */
function encoderOf(codes: ReadonlyMap<string, number>, bytes: 1 | 2): (text: string) => string {
  const known = [...codes.keys()].sort((one, other) => other.length - one.length);
  return (text) => {
    let digits = '';
    for (let at = 0; at < text.length; ) {
      const next = known.find((one) => text.startsWith(one, at));
      if (next === undefined) throw new Error(`The font has no letter for "${text.slice(at)}".`);
      digits += hexNumber(codes.get(next)!, bytes);
      at += next.length;
    }
    return `<${digits}>`;
  };
}

/** `content` of each page; its fonts are /F0, /F1, … in the order given. */
export type TextPdf = {
  contents: readonly string[];
  fonts: readonly TextFont[];
  /** Entries of each page, and of the node above the pages. */
  page?: string;
  tree?: string;
};

export function textPdf({ contents, fonts, page = '', tree = '/MediaBox[0 0 400 300]' }: TextPdf): Buffer {
  const first = 3 + contents.length * 2;
  const more: string[] = [];
  const add = (body: string): string => `${first + more.push(body) - 1} 0 R`;
  const names = fonts.map((font, index) => `/F${index} ${add(font.dictionary(add))}`).join('');
  const kids = contents.map((_, index) => `${3 + index * 2} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${contents.length}/Kids[${kids}]/Resources<</Font<<${names}>>>>${tree}>>`,
    ...contents.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R${page}/Contents ${4 + index * 2} 0 R>>`,
      streamOf(content),
    ]),
    ...more,
  ]);
}

/** Text from a point on. @param index of the font */
export const showAt = (x: number, y: number, operand: string, size = 12, index = 0): string =>
  `BT /F${index} ${size} Tf ${x} ${y} Td ${operand} Tj ET`;

/** The letters of a line that begins at the right, from left to right, as programs draw them. */
export function inDrawnOrder(text: string): string {
  const { levels } = bidi.getEmbeddingLevels(text, 'rtl');
  const letters = Array.from({ length: text.length }, (_, index) => ({
    text: text[index]!,
    level: levels[index]!,
  }));
  return inVisualOrder(letters)
    .map((letter) => letter.text)
    .join('');
}
