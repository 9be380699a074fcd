// Cleans text for a header of a mail, or for a sentence. Its source has been checked before; a header must stay one line of one
// direction in any case.
import { isolateDirection } from '../rendering/localized.ts';

/** Controls, line ends of every kind, marks that turn the direction of text, and what has no width. */
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]+/gu;
const HALF_CHARACTER = /[\ud800-\udfff]/gu;

/** What a mail program would decode (RFC 2047): text that looks like it would say something else when it is read. */
const ENCODED = /=(?=\?)/gu;

/** The line stays short enough for every mail program to show. @param most in characters */
export function headerText(text: string, most = 255): string {
  const line = text
    .replace(UNSEEN, ' ')
    .replace(HALF_CHARACTER, '\ufffd')
    .replace(ENCODED, '= ')
    .replace(/\s+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
}

/** Text of several lines: every line end is one of ours, and there are no other controls. */
export const linesOf = (text: string): string =>
  text
    .replace(/\r\n?|[\u0085\u2028\u2029\u000b\u000c]/gu, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(HALF_CHARACTER, '\ufffd')
    .trim();

/** No script from right to left begins before this; the pattern below takes longer to compile. */
const PERHAPS_RIGHT_TO_LEFT = /[^\u0000-\u058f]/;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** A name in a sentence of ours. Most mail programs show the marks of direction as nothing, some as a box: only where needed. */
export function inSentence(text: string): string {
  const line = headerText(text);
  return PERHAPS_RIGHT_TO_LEFT.test(line) && RIGHT_TO_LEFT.test(line) ? isolateDirection(line) : line;
}
