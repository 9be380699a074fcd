// Tells by the code of a field whether another program is given it as a field, what it shows without a result, and whether only Word could
// tell its result. Numbers and words of a contract are those that Word has stored with it. So every field becomes its stored result, except
// those whose text depends on the page; a list of forbidden names could be passed by a name that it forgot.
import { shortList } from '../common/text.ts';
import type { PdfRemark } from '../pdf/remarks.ts';
import { isSymbolFont, symbolOf } from './characters.ts';
import type { UnknownNumber } from './not-usable.ts';

/** Each page has a text of its own for these, in headers and footers. Word computes those in the text when it opens a document. */
const OF_PAGES = new Set(['PAGE', 'NUMPAGES', 'SECTIONPAGES']);
const FORM_FIELDS = new Set(['FORMTEXT', 'FORMCHECKBOX', 'FORMDROPDOWN']);

const HYPERLINK = /^HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]+))?/i;

/** Says where a field stands, and whether Word has stored a result for it. */
type FieldPlace = { inHeaderFooter: boolean; hasResult: boolean };

/** @param code the instruction of a field, such as ` PAGE \* MERGEFORMAT ` */
export function isKeptField(code: string, { inHeaderFooter, hasResult }: FieldPlace): boolean {
  const name = nameOfField(code);
  if (OF_PAGES.has(name)) return inHeaderFooter || !hasResult;
  if (name === 'SYMBOL') return !hasResult;
  if (FORM_FIELDS.has(name)) return true;
  const link = HYPERLINK.exec(code.trim());
  const address = link?.[1] ?? link?.[2];
  return link !== null && (address === undefined || isSafeAddress(address));
}

export const isOfPages = (code: string): boolean => OF_PAGES.has(nameOfField(code));

/** `isComputed` says that a program that lays pages out knows it all the same. */
type FieldWithoutResult = { limit: UnknownNumber; isComputed: boolean };

const onlyInWord = (limit: UnknownNumber): FieldWithoutResult => ({ limit, isComputed: false });

/** Word draws these although it has stored no result: formulas of its earlier versions, dates, and numbers that it counts. */
const DRAWN_BY_WORD = new Map<string, FieldWithoutResult>([
  ['EQ', onlyInWord('formula')],
  ...['LISTNUM', 'AUTONUM', 'AUTONUMLGL', 'AUTONUMOUT', 'DATE', 'TIME', 'SECTION'].map(
    (name): [string, FieldWithoutResult] => [name, onlyInWord('number_field')],
  ),
  ...[...OF_PAGES].map((name): [string, FieldWithoutResult] => [
    name,
    { limit: 'number_field', isComputed: true },
  ]),
]);

/** Returns what is missing where such a field has no result; undefined where Word shows nothing either. */
export const missingWithout = (code: string): FieldWithoutResult | undefined =>
  DRAWN_BY_WORD.get(nameOfField(code));

/** These fields always have a text once Word has updated them. */
const NEVER_EMPTY = new Set([
  '=',
  'REF',
  'PAGEREF',
  'NOTEREF',
  'FTNREF',
  'SEQ',
  'STYLEREF',
  'CREATEDATE',
  'SAVEDATE',
  'PRINTDATE',
  'EDITTIME',
  'REVNUM',
  'FILENAME',
  'FILESIZE',
  'NUMWORDS',
  'NUMCHARS',
  'TOC',
  'TOA',
  'INDEX',
  'BIBLIOGRAPHY',
  'CITATION',
]);
/** The result of these may be empty: a document without a title has an empty one. */
const MAY_BE_EMPTY = new Set([
  'DOCPROPERTY',
  'DOCVARIABLE',
  'INFO',
  'TITLE',
  'SUBJECT',
  'AUTHOR',
  'KEYWORDS',
  'COMMENTS',
  'LASTSAVEDBY',
  'TEMPLATE',
  'USERNAME',
  'USERINITIALS',
  'USERADDRESS',
]);

/**
 * Returns true if Word would show something once it updated a field without a result.
 * @param wasUpdated whether its result is stored as empty
 */
export function lacksResult(code: string, wasUpdated: boolean): boolean {
  const name = nameOfField(code);
  return NEVER_EMPTY.has(name) || (!wasUpdated && MAY_BE_EMPTY.has(name));
}

/** @param codes of fields without a result, or whose result Word would replace when it opens the document; none where there are none */
export function fieldRemarks(codes: ReadonlySet<string>): PdfRemark[] {
  if (codes.size === 0) return [];
  return [{ code: 'fields_not_updated', what: shortList([...codes]) }];
}

/** Returns the name in capitals; a sum has the name `=`, and its code may follow without a space. */
export const nameOfField = (code: string): string => /^\s*(=|\S+)/.exec(code)?.[1]?.toUpperCase() ?? '';

const FORMAT = /\\\*\s*(roman|alphabetic|arabic|ordinal)\b/i;

/** A field may ask for its number to be written in a format (one of ST_NumberFormat), whatever the section says. */
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

/** Word shows the code itself of some fields: the words of a button, or a character by its number. */
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

/** Addresses of web pages and email are safe; those that run or read a file are not. */
const SAFE = /^(https?:\/\/|mailto:)/i;

export const isSafeAddress = (address: string): boolean => SAFE.test(address);
