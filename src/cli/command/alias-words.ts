// The words of an alias, cut as a shell cuts a line: blanks part them, quotes and backslashes keep them together. Nothing is
// evaluated: $ and * mean nothing here.

/** Undefined when a quote is not closed. */
export function splitAliasWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (quote !== "'" && character === '\\' && index + 1 < text.length) {
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
