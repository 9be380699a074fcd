// Writes a name of a signer, which anybody can have chosen, into a sentence without letting it say anything of its own.
import { escapedCharacter } from '../../terminal/safe-text.ts';

/** A word of a name: an initial, or letters of one alphabet, so that none passes for a letter of another one. */
const WORD =
  /^(?:\p{Lu}\.|[\p{Script=Latin}\p{M}]+(?:['’-][\p{Script=Latin}\p{M}]+)*|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+(?:['’-](?:(?!\p{Script=Latin})[\p{L}\p{M}])+)*)$/u;
const SMALL_BEGINNING = /^\p{Ll}/u;
/** Words that begin small also in names of people. Others could go on with the sentence around the name. */
const PARTICLES = new Set(
  'af al bin da dal de del della den der di do dos du el ibn la le te ten ter van von zu zum zur'.split(' '),
);
const OF_SENTENCES = new Set(['and', 'on', 'by', 'at', 'not', 'was', 'is']);
const MOST_WORDS = 4;
const MOST_LETTERS = 40;

/** Marks that could be taken for the end of a quoted name, or of an address. */
const QUOTE_LIKE = /(?!["'’])[\p{Quotation_Mark}\u02ba\u02dd\u02ee\u02f6\u05f4\u2033\u2036\u3003]/gu;

/** What is not plainly a name is quoted: its sender chose it, and could make the line say more, or name another signer. */
export function nameInLine(name: string): string {
  if (isPlainlyName(name)) return name;
  return `"${name.replace(/["\\]/g, '\\$&').replace(QUOTE_LIKE, escapedCharacter)}"`;
}

function isPlainlyName(name: string): boolean {
  const words = name.split(' ');
  return (
    name.length <= MOST_LETTERS &&
    words.length <= MOST_WORDS &&
    words.every(
      (word) =>
        WORD.test(word) &&
        !OF_SENTENCES.has(word.toLowerCase()) &&
        (!SMALL_BEGINNING.test(word) || PARTICLES.has(word)),
    )
  );
}

/** A name in a certificate has at most this many letters (X.520). */
const MOST_SHOWN = 64;

/** For a sentence that stays short: the whole name stands elsewhere. */
export function shortNameInLine(name: string): string {
  const characters = [...name];
  return nameInLine(characters.length <= MOST_SHOWN ? name : `${characters.slice(0, MOST_SHOWN).join('')}…`);
}
