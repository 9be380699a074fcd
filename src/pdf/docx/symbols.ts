// Symbols that Word writes by the code of a font of symbols, as the characters they stand for.

const SYMBOL_20 =
  ' !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const SYMBOL_A1 =
  'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{f8ff}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

// The signs of Wingdings that stand in lists and forms; the others have no meaning in a text.
const WINGDINGS: Record<number, string> = {
  0x20: ' ', 0x21: '✏', 0x28: '☎', 0x2a: '✉', 0x4a: '☺', 0x6c: '●', 0x6d: '○', 0x6e: '■', 0x6f: '□', 0x70: '□',
  0x71: '□', 0x72: '□', 0x73: '◆', 0x74: '◆', 0x75: '◆', 0x76: '◆', 0x77: '◆', 0x78: '☒', 0x9e: '·', 0x9f: '•',
  0xa0: '▪', 0xa1: '○', 0xa2: '○', 0xa3: '○', 0xa4: '◉', 0xa7: '▪', 0xa8: '☐', 0xd8: '➢', 0xdf: '←', 0xe0: '→',
  0xe1: '↑', 0xe2: '↓', 0xe8: '→', 0xef: '⇦', 0xf0: '⇨', 0xfb: '✗', 0xfc: '✓', 0xfd: '☒', 0xfe: '☑',
};

/** What the character `code` of this font means; undefined where it is none of these fonts or the sign is not known. */
export function symbolOf(font: string, code: number): string | undefined {
  // They are written in the private area, with the code of the font in the last byte.
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const name = font.toLowerCase();
  if (name === 'symbol') return (low < 0xa1 ? [...SYMBOL_20][low - 0x20] : [...SYMBOL_A1][low - 0xa1]) ?? undefined;
  if (name.startsWith('wingdings')) return WINGDINGS[low];
  return undefined;
}

export const isSymbolFont = (font: string): boolean => /^(symbol|wingdings( [23])?|webdings)$/i.test(font);

/** The text of a run in such a font. A sign that is not known stays as it is, and is shown as missing. */
export const inSymbols = (font: string, text: string): string =>
  isSymbolFont(font)
    ? [...text].map((character) => symbolOf(font, character.codePointAt(0)!) ?? character).join('')
    : text;
