// Tells of a sound file that no page shows two opening braces in a row, without PDFium, which takes longer to load than this. It must
// never say so of a file that it cannot follow.
import { soundFile } from '../inspection/sound-pages.ts';
import { REMOVAL_LIMITS } from '../limits.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { NOTHING, Scanner } from '../syntax/scanner.ts';
import { type Dict, PdfStream, PdfString, type Value } from '../syntax/values.ts';

/** Whether it is certain. */
export function hasNoBraces(bytes: Uint8Array): boolean {
  const sound = soundFile(bytes);
  if (!sound) return false;
  const view = sound.file.latest;
  const look: Look = { view, fonts: new Map(), left: REMOVAL_LIMITS.lookBytes };
  const isFree = sound.pages.every(({ dict, entries }) => {
    const contents = dict.get('Contents');
    if (view.resolve(contents) === null) return true;
    const parts = (view.array(contents) ?? [contents]).map((one) => view.data(one));
    if (!parts.every((part) => part !== undefined)) return false;
    const content = Buffer.concat(parts.flatMap((part) => [part, LINE]));
    return isFreeOfBraces(look, content, { resources: view.dict(entries.Resources), depth: 0 });
  });
  return isFree && !sound.file.isExhausted();
}

const LINE = Buffer.from('\n');

/** `left`: how many more bytes of content are looked at. */
type Look = { view: PdfView; fonts: Map<Dict | undefined, BraceCodes | undefined>; left: number };

/** The codes of a font that are read as an opening brace, and of how many bytes they are. */
type BraceCodes = { codes: ReadonlySet<number>; bytes: 1 | 2 };

type Place = { resources: Dict | undefined; depth: number };

/** Spaces and glyphs without a meaning may stand between two braces; letters do not. */
function isFreeOfBraces(look: Look, content: Buffer, { resources, depth }: Place): boolean {
  const { view } = look;
  look.left -= content.length;
  if (look.left < 0 || depth > REMOVAL_LIMITS.depth || content.includes(INLINE_PICTURE)) return false;
  if (cannotShowBraces(look, content, resources)) return true;
  const scanner = new Scanner(content, 0);
  let operands: Value[] = [];
  let font: BraceCodes | undefined;
  let wasBrace = false;
  for (;;) {
    scanner.skipBlanks();
    if (scanner.at >= content.length) return true;
    const start = scanner.at;
    const value = scanner.value();
    if (value !== NOTHING) {
      operands.push(value);
      continue;
    }
    const operator = content.toString('latin1', start, scanner.at);
    if (operator === '') return false;
    const [first, , third] = operands;
    if (operator === 'Tf') {
      font = codesOf(look, view.dict(resources?.get('Font'))?.get(String(first)));
    } else if (
      operator === 'gs' &&
      view.dict(view.dict(resources?.get('ExtGState'))?.get(String(first)))?.has('Font')
    )
      return false;
    else if (operator === 'Do') {
      const object = view.resolve(view.dict(resources?.get('XObject'))?.get(String(first)));
      if (object instanceof PdfStream && view.resolve(object.dict.get('Subtype')) === 'Form') {
        const inner = view.data(object);
        const own = view.dict(object.dict.get('Resources')) ?? resources;
        if (!inner || !isFreeOfBraces(look, inner, { resources: own, depth: depth + 1 })) return false;
      }
    } else if (SHOWS.has(operator)) {
      for (const text of [operator === '"' ? (third ?? null) : (first ?? null)].flat()) {
        if (!(text instanceof PdfString)) continue;
        if (!font) return false;
        for (let at = 0; at + font.bytes <= text.bytes.length; at += font.bytes) {
          const isBrace = font.codes.has(text.bytes.readUIntBE(at, font.bytes));
          if (isBrace && wasBrace) return false;
          wasBrace = isBrace;
        }
      }
    } else if (operator === 'BDC' && view.dict(properties(look, resources, operands[1]))?.has('ActualText'))
      return false;
    operands = [];
  }
}

/** What may be a brace: as it is, in octal or hexadecimal digits, between which some readers skip anything, or behind a disguised name. */
const BRACE_BYTES = /[{#]|\\[0-7]73|7[^0-9a-fA-F>]*[bB]|ActualText/;

/**
 * Whether the content has no byte from which a brace could come, with any of its fonts. Nearly all pages are like this, and to follow
 * their content takes ten times as long.
 */
function cannotShowBraces(look: Look, content: Buffer, resources: Dict | undefined): boolean {
  const { view } = look;
  const every = (name: string, isHarmless: (value: Value) => boolean): boolean => {
    if (view.resolve(resources?.get(name)) === null) return true;
    const entries = view.dict(resources?.get(name));
    return entries !== undefined && [...entries.values()].every(isHarmless);
  };
  const hasUsualBrace = (value: Value) => {
    const font = codesOf(look, value);
    return font !== undefined && font.codes.size === (font.bytes === 1 ? 1 : 0);
  };
  const isPicture = (value: Value) => {
    const object = view.resolve(value);
    return object instanceof PdfStream && view.resolve(object.dict.get('Subtype')) === 'Image';
  };
  return (
    every('Font', hasUsualBrace) &&
    every('XObject', isPicture) &&
    every('ExtGState', (value) => view.dict(value)?.has('Font') === false) &&
    every('Properties', (value) => view.dict(value)?.has('ActualText') === false) &&
    !BRACE_BYTES.test(content.toString('latin1'))
  );
}

const INLINE_PICTURE = ' ID ';
const SHOWS = new Set(['Tj', 'TJ', "'", '"']);

const properties = (
  { view }: Look,
  resources: Dict | undefined,
  value: Value | undefined,
): Value | undefined =>
  typeof value === 'string' ? view.dict(resources?.get('Properties'))?.get(value) : value;

const BRACE = 0x7b;

function codesOf(look: Look, value: Value | undefined): BraceCodes | undefined {
  const font = look.view.dict(value);
  if (!look.fonts.has(font)) look.fonts.set(font, braceCodes(look.view, font));
  return look.fonts.get(font);
}

/** Undefined for a font whose characters are not known. */
function braceCodes(view: PdfView, font: Dict | undefined): BraceCodes | undefined {
  if (!font) return undefined;
  const isComposite = view.resolve(font.get('Subtype')) === 'Type0';
  const map = font.get('ToUnicode');
  const data = view.data(map);
  const codes = data ? bracesIn(data) : new Set<number>();
  if (!codes || (view.resolve(map) !== null && !data)) return undefined;
  if (isComposite) {
    if (view.resolve(font.get('Encoding')) !== 'Identity-H' || !data) return undefined;
    return { codes, bytes: 2 };
  }
  codes.add(BRACE);
  const differences = view.array(view.dict(font.get('Encoding'))?.get('Differences')) ?? [];
  let code = 0;
  for (const one of differences.map((item) => view.resolve(item))) {
    if (typeof one === 'number') code = one;
    else {
      if (one === 'braceleft' || !isKnownName(one)) codes.add(code);
      code += 1;
    }
  }
  return { codes, bytes: 1 };
}

/** Names that say which character it is: others may be any. */
const isKnownName = (name: Value): boolean =>
  typeof name === 'string' && /^([A-Za-z]|[a-z]{3,}|[A-Z][a-z]{3,})$/.test(name);

/** The codes that mean an opening brace, or several characters. Undefined for a map that cannot be read. */
function bracesIn(map: Buffer): Set<number> | undefined {
  const codes = new Set<number>();
  const scanner = new Scanner(map, 0);
  let operands: Value[] = [];
  while (scanner.at < map.length) {
    scanner.skipBlanks();
    const start = scanner.at;
    if (start >= map.length) return codes;
    const value = scanner.value();
    if (value !== NOTHING) {
      operands.push(value);
      continue;
    }
    const word = map.toString('latin1', start, scanner.at);
    if (word === '') return undefined;
    if (word === 'endbfchar') addCharacters(codes, operands);
    if (word === 'endbfrange') addRanges(codes, operands);
    operands = [];
  }
  return codes;
}

const numberOf = (value: Value | undefined): number =>
  value instanceof PdfString && value.bytes.length > 0
    ? value.bytes.readUIntBE(0, Math.min(value.bytes.length, 4))
    : -1;

const isBraceText = (value: Value | undefined): boolean =>
  value instanceof PdfString && value.bytes.includes(BRACE);

function addCharacters(codes: Set<number>, pairs: readonly Value[]): void {
  for (let at = 0; at + 1 < pairs.length; at += 2)
    if (isBraceText(pairs[at + 1])) codes.add(numberOf(pairs[at]));
}

function addRanges(codes: Set<number>, triples: readonly Value[]): void {
  for (let at = 0; at + 2 < triples.length; at += 3) {
    const [first, last, target] = [numberOf(triples[at]), numberOf(triples[at + 1]), triples[at + 2]];
    if (Array.isArray(target)) {
      for (const [index, one] of target.entries()) if (isBraceText(one)) codes.add(first + index);
      continue;
    }
    const from = numberOf(target);
    const code = first + BRACE - from;
    if (from <= BRACE && code >= first && code <= last) codes.add(code);
  }
}
