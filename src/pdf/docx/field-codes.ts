// Which fields another program is given as fields. The list names what has to be computed when pages are laid out; every other field stays as
// the text of its last result. A list of forbidden names could be passed by a name that it forgot.
import { isSafeAddress } from './links.ts';

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
