// Tells of a sound file that no page can show two opening braces in a row, with which a tag begins, without PDFium, which takes longer
// to load than this. It is no visitor of the interpreter, because it only has to rule a tag out: searching the bytes of the content costs less
// than following its operators, and whatever it cannot exclude is left to PDFium.

import { REMOVAL_LIMITS } from '../limits.ts';
import type { PdfView } from '../read/read-pdf.ts';
import { soundFile } from '../read/sound-pages.ts';
import { type Dict, PdfStream, type Value } from '../read/values.ts';
import { contentOfPage } from './interpreter.ts';

/** Returns false only where it is certain that no page shows a tag. */
export function mayContainTags(bytes: Uint8Array): boolean {
  const sound = soundFile(bytes);
  if (!sound) return true;
  const view = sound.file.latest;
  const scan: Scan = { view, fonts: new Map(), remainingBytes: REMOVAL_LIMITS.scanBytes };
  const mayShowTag = sound.pages.some(({ dict, entries }) => {
    const content = contentOfPage(view, dict.get('Contents'));
    if (!content) return true;
    return mayShowTagIn(scan, content, { resources: view.dict(entries.Resources), encodings: [], depth: 0 });
  });
  return mayShowTag || sound.file.isExhausted();
}

type Scan = { view: PdfView; fonts: Map<Value | undefined, Encoding | undefined>; remainingBytes: number };

/** A font without other braces writes one as the byte `{`, or not at all. */
type Encoding = 'byte' | 'never';

/** A form inherits the fonts with these `encodings` from the content that draws it. */
type Surroundings = { resources: Dict | undefined; encodings: readonly Encoding[]; depth: number };

function mayShowTagIn(scan: Scan, content: Buffer, { resources, ...inherited }: Surroundings): boolean {
  const { view } = scan;
  scan.remainingBytes -= content.length;
  if (scan.remainingBytes < 0 || inherited.depth > REMOVAL_LIMITS.depth) return true;
  const entriesOf = (kind: string) => [...(view.dict(resources?.get(kind)) ?? [])];
  const fonts = entriesOf('Font').map(([name, font]) => ({ name, encoding: encodingOf(scan, font) }));
  const encodings = [...inherited.encodings];
  for (const { encoding } of fonts) {
    if (!encoding) return true;
    encodings.push(encoding);
  }
  const text = content.toString('latin1');
  const names = new Set(fonts.map(({ name }) => name));
  if ([...text.matchAll(FONT_CHOICE)].some(([, name]) => !names.has(name!))) return true;
  if (text.includes(INLINE_PICTURE) || text.includes('ActualText') || ESCAPED_NAME.test(text)) return true;
  if (entriesOf('Properties').some(([, list]) => view.dict(list)?.has('ActualText'))) return true;
  if (entriesOf('ExtGState').some(([, state]) => view.dict(state)?.has('Font'))) return true;
  if (encodings.includes('byte') && hasBraceByte(text)) return true;
  return entriesOf('XObject').some(([, value]) => {
    const form = view.resolve(value);
    if (!(form instanceof PdfStream) || view.resolve(form.dict.get('Subtype')) !== 'Form') return false;
    const inner = view.data(value);
    const formResources = view.dict(form.dict.get('Resources')) ?? resources;
    return (
      !inner || mayShowTagIn(scan, inner, { resources: formResources, encodings, depth: inherited.depth + 1 })
    );
  });
}

const FONT_CHOICE = /\/([^\s\0()<>[\]{}/%]+)[\s\0]+[-+.\d]+[\s\0]+Tf\b/g;
const INLINE_PICTURE = ' ID ';
/** A name may be written with `#` (ISO 32000-1, 7.3.5), and then reads as another one here. */
const ESCAPED_NAME = /\/[^\s\0()<>[\]{}/%]*#/;

/** Readers keep eight bits of an octal number (7.3.4.2), so that a brace may be written so as well. */
const BRACE_IN_LITERAL = /\{|\\[15]73/;
const HEXADECIMAL = /(?<!<)<(?!<)([^>]*)>/g;

/** Tells whether a text in the content may have two braces in a row, in one string or across the border of two. */
function hasBraceByte(content: string): boolean {
  if (BRACE_IN_LITERAL.test(content)) return true;
  let begins = false;
  let ends = false;
  for (const [, written = ''] of content.matchAll(HEXADECIMAL)) {
    const digits = written.replace(/[\s\0]+/g, '');
    if (!/^[0-9A-Fa-f]*$/.test(digits)) return true;
    const bytes = Buffer.from(digits, 'hex');
    begins ||= bytes[0] === BRACE;
    ends ||= bytes.at(-1) === BRACE;
    if (bytes.includes(TWO_BRACES)) return true;
  }
  return begins && ends;
}

const BRACE = 0x7b;
const TWO_BRACES = Buffer.from([BRACE, BRACE]);

/** Returns undefined for a font that may show a brace in another way, or whose characters are not known. */
function encodingOf(scan: Scan, value: Value | undefined): Encoding | undefined {
  if (!scan.fonts.has(value)) scan.fonts.set(value, readEncoding(scan.view, value));
  return scan.fonts.get(value);
}

function readEncoding(view: PdfView, value: Value | undefined): Encoding | undefined {
  const font = view.dict(value);
  if (!font) return undefined;
  const map = font.get('ToUnicode');
  const data = view.data(map);
  if (view.resolve(map) !== null && (!data || mapsToBrace(data))) return undefined;
  if (view.resolve(font.get('Subtype')) === 'Type0')
    return data && view.resolve(font.get('Encoding')) === 'Identity-H' ? 'never' : undefined;
  const differences = view.array(view.dict(font.get('Encoding'))?.get('Differences')) ?? [];
  const names = differences.map((item) => view.resolve(item)).filter((item) => typeof item !== 'number');
  return names.every((name) => name !== 'braceleft' && isUnambiguousName(name)) ? 'byte' : undefined;
}

/** Tells whether the name of a glyph says which character it is: `g12` may be any. */
const isUnambiguousName = (name: Value): boolean =>
  typeof name === 'string' && /^([A-Za-z]|[a-z]{3,}|[A-Z][a-z]{3,})$/.test(name);

/** Tells whether a map of characters (CMap, ISO 32000-1, 9.10.3) has an opening brace, alone or among several characters, or cannot be read. */
function mapsToBrace(map: Buffer): boolean {
  const text = map.toString('latin1');
  if (/%|usecmap/.test(text) || text.lastIndexOf('beginbf') > text.lastIndexOf('endbf')) return true;
  for (const [, kind, rows = ''] of text.matchAll(/beginbf(char|range)(.*?)endbf/gs)) {
    const items = rows.match(/<[^<>]*>|[^\s\0<>]/g) ?? [];
    if (kind === 'char' ? hasBraceInPairs(items) : hasBraceInRanges(items)) return true;
  }
  return false;
}

/** Reads hexadecimal digits; undefined for anything else. */
function bytesOf(item: string | undefined): Buffer | undefined {
  const digits = item?.slice(1, -1).replace(/[\s\0]+/g, '');
  return item?.startsWith('<') && digits && /^([0-9A-Fa-f]{2})+$/.test(digits)
    ? Buffer.from(digits, 'hex')
    : undefined;
}

const mayBeBrace = (item: string | undefined): boolean => bytesOf(item)?.includes(BRACE) ?? true;

/** @param items a code and its characters, in turn */
const hasBraceInPairs = (items: readonly string[]): boolean =>
  items.some((item, index) => index % 2 === 1 && mayBeBrace(item));

/** @param items first code, last code, and the characters of the first or a list of characters in brackets */
function hasBraceInRanges(items: readonly string[]): boolean {
  for (let at = 0; at < items.length; at += 3) {
    const [first, last, target] = items.slice(at, at + 3);
    if (target === '[') {
      const end = items.indexOf(']', at);
      if (end === -1 || items.slice(at + 3, end).some(mayBeBrace)) return true;
      at = end - 2;
      continue;
    }
    const [from, start, until] = [target, first, last].map((item) => numberOf(bytesOf(item)));
    if (from === undefined || start === undefined || until === undefined) return true;
    if (from <= BRACE && from + until - start >= BRACE) return true;
  }
  return false;
}

const numberOf = (bytes: Buffer | undefined): number | undefined =>
  bytes && bytes.length <= 4 ? bytes.readUIntBE(0, bytes.length) : undefined;
