// Which fields another program is given as fields. The list names what has to be computed when pages are laid out; every other field stays as
// the text of its last result. A list of forbidden names could be passed by a name that it forgot. Of fields without a result it tells what
// their code shows, or that only Word could tell.
import { isSafeAddress } from './links.ts';
import type { UnknownNumber } from './not-usable.ts';
import { isSymbolFont, symbolOf } from './symbols.ts';

const COMPUTED = new Set([
  'PAGE',
  'NUMPAGES',
  'SECTION',
  'SECTIONPAGES',
  'PAGEREF',
  'NOTEREF',
  'REF',
  'STYLEREF',
  'SEQ',
  'TOC',
  'TC',
  'XE',
  'INDEX',
  'FORMTEXT',
  'FORMCHECKBOX',
  'FORMDROPDOWN',
  'LISTNUM',
  'AUTONUM',
  'AUTONUMLGL',
  'AUTONUMOUT',
  'SYMBOL',
  'EQ',
]);

const HYPERLINK = /^HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]+))?/i;

/** @param code the instruction of a field, such as ` PAGE \* MERGEFORMAT ` */
export function isKeptField(code: string): boolean {
  const text = code.trim();
  const [name = ''] = text.split(/\s+/);
  if (COMPUTED.has(name.toUpperCase())) return true;
  const link = HYPERLINK.exec(text);
  const address = link?.[1] ?? link?.[2];
  return link !== null && (address === undefined || isSafeAddress(address));
}

/** `isComputed`: a program that lays pages out knows it all the same. */
export type FieldWithoutResult = { limit: UnknownNumber; isComputed: boolean };

const onlyInWord = (limit: UnknownNumber): FieldWithoutResult => ({ limit, isComputed: false });
const computed: FieldWithoutResult = { limit: 'number_field', isComputed: true };

/** What Word draws from the code of the field: formulas of its earlier versions, dates, and numbers that it counts. */
const WITHOUT_RESULT = new Map<string, FieldWithoutResult>([
  ['EQ', onlyInWord('formula')],
  ...['LISTNUM', 'AUTONUM', 'AUTONUMLGL', 'AUTONUMOUT', '=', 'DATE', 'TIME'].map(
    (name): [string, FieldWithoutResult] => [name, onlyInWord('number_field')],
  ),
  ...['SEQ', 'PAGE', 'NUMPAGES', 'SECTIONPAGES'].map((name): [string, FieldWithoutResult] => [
    name,
    computed,
  ]),
]);

/** What is missing where such a field has no result; undefined where nothing is. */
export const missingWithout = (code: string): FieldWithoutResult | undefined =>
  WITHOUT_RESULT.get(nameOfField(code));

/** In capitals; `=` for a sum, whose code may follow without a space. */
export const nameOfField = (code: string): string => /^\s*(=|\S+)/.exec(code)?.[1]?.toUpperCase() ?? '';

const FORMAT = /\\\*\s*(roman|alphabetic|arabic|ordinal)\b/i;

/** How a field asks for its number to be written (one of ST_NumberFormat), whatever the section says. */
export function numberFormatOf(code: string): string | undefined {
  const name = FORMAT.exec(code)?.[1];
  const isUpper = name !== undefined && /^[A-Z]/.test(name);
  switch (name?.toLowerCase()) {
    case 'roman':
      return isUpper ? 'upperRoman' : 'lowerRoman';
    case 'alphabetic':
      return isUpper ? 'upperLetter' : 'lowerLetter';
    case 'arabic':
      return 'decimal';
    default:
      return name?.toLowerCase();
  }
}

const BUTTON = /^\s*(?:MACRO|GOTO)BUTTON\s+(?:"[^"]*"|\S+)\s*([\s\S]*)$/i;
const QUOTE = /^\s*QUOTE\s+"([^"]*)"/i;
const SYMBOL = /^\s*SYMBOL\s+(?:"(.)"|(0x[0-9a-f]+|\d+)|(\S))/iu;
const SYMBOL_FONT = /\\f\s+(?:"([^"]*)"|(\S+))/i;

/** The text that Word shows of the code itself: the words of a button, or a character by its number. */
export function shownByCode(code: string): string | undefined {
  const words = BUTTON.exec(code) ?? QUOTE.exec(code);
  if (words) return words[1]!.trim();
  const symbol = SYMBOL.exec(code);
  if (!symbol) return undefined;
  const [, quoted, number, bare] = symbol;
  const point = number === undefined ? (quoted ?? bare)!.codePointAt(0)! : Number(number);
  if (!(point > 0 && point <= 0x10ffff)) return undefined;
  const font = SYMBOL_FONT.exec(code);
  const family = font?.[1] ?? font?.[2] ?? '';
  // A sign of such a font that is not known is shown as missing.
  if (isSymbolFont(family)) return symbolOf(family, point) ?? String.fromCodePoint(0xf000 + (point & 0xff));
  const isAnsi = point <= 0xff && !/\\u\b/i.test(code);
  return isAnsi ? new TextDecoder('windows-1252').decode(Uint8Array.of(point)) : String.fromCodePoint(point);
}
