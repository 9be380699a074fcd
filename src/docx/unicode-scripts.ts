// Raised and lowered characters of Unicode. They are read as what they are, by programs as well: a raised `3` is the digit 3 for
// every program that takes the text out of a PDF, so that 10³ would become 103.

// Those that the fonts that come along have.
const SUPERSCRIPTS = pairs('0123456789+-−=()ni', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ');
const SUBSCRIPTS = pairs('0123456789+-−=()aeoxhklmnpst', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ');

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const small = [...to];
  return new Map([...from].map((character, index) => [character, small[index]!]));
}

/** Undefined where one of the characters has none. */
export const inSuperscript = (text: string): string | undefined => replaced(text, SUPERSCRIPTS);
export const inSubscript = (text: string): string | undefined => replaced(text, SUBSCRIPTS);

function replaced(text: string, by: ReadonlyMap<string, string>): string | undefined {
  const characters = [...text].map((character) => by.get(character));
  return characters.every((one) => one !== undefined) ? characters.join('') : undefined;
}
