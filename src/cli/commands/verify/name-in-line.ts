// Writes a name of a signer, which anybody can have chosen, into a sentence without letting it say anything of its own.
import { escapedCharacter } from '../../terminal/safe-text.ts';

const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]*$/u;
/** Marks that could be taken for the end of a quoted name, or of an address. */
const QUOTE_LIKE = /(?!["'’])[\p{Quotation_Mark}\u02ba\u02dd\u02ee\u02f6\u05f4\u2033\u2036\u3003]/gu;

/** A name with marks in it is quoted: its sender chose it, and could make the line name another signer. */
export function nameInLine(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  return `"${name.replace(/["\\]/g, '\\$&').replace(QUOTE_LIKE, escapedCharacter)}"`;
}
