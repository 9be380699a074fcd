// Counts how deep arrays and dictionaries lie in one another, before anything reads them: readers call themselves for each level.
import { afterLiteral, BRACKET, BRACKET_END, GREATER, LESS, PAREN } from '../syntax/characters.ts';

/** The depth between `at` and `end`; stops counting above `most`. */
export function nestingOf(bytes: Buffer, at: number, end: number, most: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = at; index < end && deepest <= most; index += 1) {
    const byte = bytes[index];
    if (byte === PAREN) index = afterLiteral(bytes, index, end) - 1;
    else if (byte === BRACKET || (byte === LESS && bytes[index + 1] === LESS)) {
      depth += 1;
      if (byte === LESS) index += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === BRACKET_END || (byte === GREATER && bytes[index + 1] === GREATER)) {
      depth = Math.max(0, depth - 1);
      if (byte === GREATER) index += 1;
    }
  }
  return deepest;
}
