// Splits the line of an alias into words as a shell does: blanks separate them, quotes and backslashes keep them together. It
// evaluates nothing: $ and * mean nothing here.

/** Splits a line into words. Undefined when a quote is not closed. */
export function splitAliasWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isEscape(text, index, quote)) {
      index += 1;
      word = (word ?? '') + text.charAt(index);
    } else if (quote !== '' ? character === quote : character === '"' || character === "'") {
      quote = quote === '' ? character : '';
      word ??= '';
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}

/** Tells whether the next character is taken as it is: outside quotes any is, in double quotes only those that mean something there. */
function isEscape(text: string, index: number, quote: string): boolean {
  if (text.charAt(index) !== '\\' || index + 1 >= text.length) return false;
  return quote === '' || (quote === '"' && /["\\$`]/.test(text.charAt(index + 1)));
}
