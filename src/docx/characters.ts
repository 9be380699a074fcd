// Translates characters that Word writes in another way: symbols by the code of a font of symbols, and raised and lowered characters of Unicode.
import { type Element, val } from './xml.ts';

const SYMBOL_20 =
  ' !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼';
const SYMBOL_A1 =
  'ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{f8ff}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

// The signs of Wingdings that stand in lists and forms; the others have no meaning in a text.
const WINGDINGS: Record<number, string> = {
  32: ' ',
  33: '✏',
  40: '☎',
  42: '✉',
  74: '☺',
  108: '●',
  109: '○',
  110: '■',
  111: '□',
  112: '□',
  113: '□',
  114: '□',
  115: '◆',
  116: '◆',
  117: '◆',
  118: '◆',
  119: '◆',
  120: '☒',
  158: '·',
  159: '•',
  160: '▪',
  161: '○',
  162: '○',
  163: '○',
  164: '◉',
  167: '▪',
  168: '☐',
  216: '➢',
  223: '←',
  224: '→',
  225: '↑',
  226: '↓',
  232: '→',
  239: '⇦',
  240: '⇨',
  251: '✗',
  252: '✓',
  253: '☒',
  254: '☑',
};

// Two related fonts have marks of forms.
const WINGDINGS_2: Record<number, string> = {
  79: '✗',
  80: '✓',
  81: '☒',
  82: '☑',
  83: '☒',
  84: '☒',
  151: '●',
  162: '■',
  163: '☐',
};
const WEBDINGS: Record<number, string> = { 97: '✓', 99: '☐', 103: '■', 110: '●', 114: '✗' };

/** Wingdings has circled numbers from here on: 0 to 10 in black on white, then in white on black. */
const CIRCLED_FROM = 128;
const CIRCLED = '⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿';

/** Returns the meaning of a character of a font; undefined for other fonts and for unknown signs. */
export function symbolOf(font: string, code: number): string | undefined {
  // They are written in the private area, with the code of the font in the last byte.
  const low = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const name = font.toLowerCase();
  if (name === 'symbol')
    return (low < 0xa1 ? [...SYMBOL_20][low - 0x20] : [...SYMBOL_A1][low - 0xa1]) ?? undefined;
  if (name === 'wingdings') return WINGDINGS[low] ?? [...CIRCLED][low - CIRCLED_FROM];
  if (name === 'wingdings 2') return WINGDINGS_2[low];
  if (name === 'webdings') return WEBDINGS[low];
  return undefined;
}

export const isSymbolFont = (font: string): boolean => /^(symbol|wingdings( [23])?|webdings)$/i.test(font);

/** Translates the text of a run in such a font. An unknown sign stays as it is, and is shown as missing. */
export const inSymbols = (font: string, text: string): string =>
  isSymbolFont(font)
    ? [...text].map((character) => symbolOf(font, character.codePointAt(0)!) ?? character).join('')
    : text;

/** Returns what a `w:sym` shows. */
export function symbolIn(element: Element): string {
  const code = Number.parseInt(val(element, 'w:char') ?? '', 16);
  if (!(code > 0 && code <= 0xffff)) return '';
  return symbolOf(val(element, 'w:font') ?? '', code) ?? String.fromCharCode(code);
}

// Raised and lowered characters are written as what they are: a raised `3` is the digit 3 for every program that takes the text out of a
// PDF, so that 10³ would become 103. The bundled fonts have these.
const SUPERSCRIPTS = pairs('0123456789+-−=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ');
const SUBSCRIPTS = pairs('0123456789+-−=()aeoxhklmnpst', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ');

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const small = [...to];
  return new Map([...from].map((character, index) => [character, small[index]!]));
}

/** Returns undefined where a character has no raised form. */
export const inSuperscript = (text: string): string | undefined => replaced(text, SUPERSCRIPTS);
export const inSubscript = (text: string): string | undefined => replaced(text, SUBSCRIPTS);

function replaced(text: string, by: ReadonlyMap<string, string>): string | undefined {
  const characters = [...text].map((character) => by.get(character));
  return characters.every((character) => character !== undefined) ? characters.join('') : undefined;
}
