// Reads the values of PDF syntax (ISO 32000-2, 7.3) from bytes that may be anything, and says exactly where each ended.
// It must never throw, go deeper than the limit, or guess: what is not a value is no value.
import { DOCUMENT_LIMITS, READER_LIMITS } from '../limits.ts';
import {
  afterLiteral,
  BACKSLASH,
  BRACKET,
  BRACKET_END,
  CR,
  GREATER,
  isBlank,
  isDigit,
  KIND,
  LESS,
  LF,
  MINUS,
  PAREN,
  PAREN_END,
  PERCENT,
  REGULAR,
  SLASH,
  ZERO,
} from './characters.ts';
import { type Dict, PdfString, Ref, type Value } from './values.ts';

/** It stands where no value could be read. */
export const NOTHING = Symbol('no value');
type ParsedValue = Value | typeof NOTHING;

/** A value of a dictionary comes with the place of its bytes; a key that stands twice comes twice. */
export type DictEntry = { key: string; value: Value; start: number; end: number };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const MOST_DIGITS = 10;
const MOST_GENERATION_DIGITS = 5;
const HUGE = 2 ** 31;
/** Some readers take only so many digits, leading zeros included. Honest programs write up to twenty. */
const LONGEST_NUMBER = 40;
const LETTER_R = 0x52;
/** The standard allows so many (ISO 32000-1, annex C). */
const MOST_NAME_BYTES = 127;
const ESCAPES = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c],
]);

/** It reads bytes once, from `at` on. Nothing at or behind `end` is read. */
export class Scanner {
  /** A key stood twice in a dictionary: readers disagree on which of the two counts. */
  hasRepeatedKey = false;
  /** A name escapes a letter or a digit, which no writer needs to: a search for the name does not find it. */
  hasDisguisedName = false;
  /** A whole number was written as `2.0`, or is too large: readers take one for another. */
  hasUnclearNumber = false;
  /** A whole number, or that of a reference, has more than 31 bits: some readers keep the lowest 32 of it. */
  hasHugeNumber = false;
  /**
   * A name has a NUL, or a byte 80 or FF, which PDFium takes for a blank: some readers end it there. Or it is longer than the standard
   * allows, where others cut it off.
   */
  hasUnclearName = false;
  /** So many whole numbers were written as `2.0`. */
  private wholeReals = 0;
  private remainingValues: number = DOCUMENT_LIMITS.valuesOfObject;

  constructor(
    protected readonly bytes: Buffer,
    public at: number,
    protected readonly end = bytes.length,
  ) {}

  /** Tells whether anything that was read is something else for another reader. */
  get isAmbiguous(): boolean {
    return (
      this.hasRepeatedKey ||
      this.hasDisguisedName ||
      this.hasUnclearNumber ||
      this.hasHugeNumber ||
      this.hasUnclearName
    );
  }

  value(depth = READER_LIMITS.nesting as number): ParsedValue {
    this.skipBlanks();
    if (this.at >= this.end || this.remainingValues-- <= 0 || depth <= 0) return NOTHING;
    const byte = this.bytes[this.at];
    if (byte === SLASH) return this.name();
    if (byte === PAREN) return this.literal();
    if (byte === BRACKET) return this.array(depth);
    if (byte === LESS) return this.bytes[this.at + 1] === LESS ? this.dict(depth) : this.hex();
    return this.numberOrWord();
  }

  skipBlanks(): void {
    const { bytes, end } = this;
    let { at } = this;
    for (; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === PERCENT) while (at + 1 < end && bytes[at + 1] !== LF && bytes[at + 1] !== CR) at += 1;
      else if (!isBlank(byte)) break;
    }
    this.at = at;
  }

  /** Reads the word if it is the next one. */
  takes(word: string): boolean {
    this.skipBlanks();
    const behind = this.at + word.length;
    if (behind > this.end || !isAt(this.bytes, this.at, word)) return false;
    if (behind < this.end && KIND[this.bytes[behind]!] === REGULAR) return false;
    this.at = behind;
    return true;
  }

  /** Reads a number of digits only, as object numbers and offsets are. */
  integer(): number | undefined {
    this.skipBlanks();
    const digits = this.digits();
    if (digits === undefined) this.word();
    return digits;
  }

  /** Reads the next letter that stands alone, as its byte. */
  letter(): number | undefined {
    this.skipBlanks();
    const isAlone = this.at + 1 >= this.end || KIND[this.bytes[this.at + 1]!] !== REGULAR;
    return this.at < this.end && isAlone ? this.bytes[this.at++] : undefined;
  }

  protected word(): string {
    const { bytes, end, at: start } = this;
    let at = start;
    while (at < end && KIND[bytes[at]!] === REGULAR) at += 1;
    this.at = at;
    return wordIn(bytes, start, at);
  }

  /** Reads the next word if it is a number of up to ten digits: most values of a file are. */
  private digits(): number | undefined {
    const { bytes, end, at: start } = this;
    const last = Math.min(end, start + MOST_DIGITS);
    let value = 0;
    let at = start;
    for (; at < last && isDigit(bytes[at]); at += 1) value = value * 10 + bytes[at]! - ZERO;
    if (at === start || (at < end && KIND[bytes[at]!] === REGULAR)) return undefined;
    this.at = at;
    return value;
  }

  protected name(): string {
    this.at += 1;
    const text = this.word();
    if (text.length > MOST_NAME_BYTES || text.includes('\x80') || text.includes('\xff'))
      this.hasUnclearName = true;
    if (!text.includes('#')) return text;
    return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex) => {
      const character = String.fromCharCode(Number.parseInt(hex, 16));
      if (/[A-Za-z0-9]/.test(character)) this.hasDisguisedName = true;
      if (character === '\0') this.hasUnclearName = true;
      return character;
    });
  }

  /** @param entries gets those of this dictionary with their places, and not of those in it */
  dict(depth = READER_LIMITS.nesting as number, entries?: DictEntry[]): Dict | typeof NOTHING {
    this.at += 2;
    const dict: Dict = new Map();
    for (;;) {
      this.skipBlanks();
      const byte = this.bytes[this.at];
      if (this.at >= this.end) return NOTHING;
      if (byte === GREATER) {
        if (this.bytes[this.at + 1] !== GREATER || this.at + 2 > this.end) return NOTHING;
        this.at += 2;
        return dict;
      }
      if (byte !== SLASH) return NOTHING;
      const key = this.name();
      this.skipBlanks();
      const start = this.at;
      const before = this.wholeReals;
      const value = this.value(depth - 1);
      if (value === NOTHING) return NOTHING;
      if (dict.has(key)) this.hasRepeatedKey = true;
      if (Array.isArray(value) && WHOLE_NUMBERS.has(key) && this.wholeReals > before)
        this.hasUnclearNumber = true;
      if (typeof value === 'number' && WHOLE_NUMBERS.has(key) && !this.isWhole(start, value))
        this.hasUnclearNumber = true;
      entries?.push({ key, value, start, end: this.at });
      dict.set(key, value);
    }
  }

  private isWhole(start: number, value: number): boolean {
    const { bytes, at: end } = this;
    let at = bytes[start] === MINUS ? start + 1 : start;
    const first = at;
    while (at < end && isDigit(bytes[at])) at += 1;
    return Math.abs(value) < HUGE && at === end && at > first;
  }

  protected array(depth: number): ParsedValue {
    this.at += 1;
    const before = this.wholeReals;
    const items: Value[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.at >= this.end) return NOTHING;
      if (this.bytes[this.at] === BRACKET_END) {
        this.at += 1;
        if (this.wholeReals > before && isCounted(items)) this.hasUnclearNumber = true;
        return items;
      }
      const item = this.value(depth - 1);
      if (item === NOTHING) return NOTHING;
      items.push(item);
    }
  }

  protected hex(): ParsedValue {
    const close = this.bytes.indexOf(GREATER, this.at);
    if (close === -1 || close >= this.end) return this.endless();
    const text = this.bytes.toString('latin1', this.at + 1, close).replace(/[\0\t\n\f\r ]+/g, '');
    if (!/^[0-9a-fA-F]*$/.test(text)) return NOTHING;
    this.at = close + 1;
    if (text.length % 2 === 0) return new PdfString(Buffer.from(text, 'hex'), true);
    return new PdfString(Buffer.from(`${text}0`, 'hex'), true, false, Buffer.from(text));
  }

  protected literal(): ParsedValue {
    const { bytes, end } = this;
    const out = Buffer.allocUnsafe(afterLiteral(bytes, this.at, end) - this.at);
    let size = 0;
    let open = 1;
    let hasRawReturn = false;
    const begin = this.at;
    for (let at = this.at + 1; at < end; at += 1) {
      const byte = bytes[at]!;
      if (byte === PAREN) open += 1;
      if (byte === PAREN_END) open -= 1;
      if (open === 0) {
        this.at = at + 1;
        const text = out.subarray(0, size);
        return new PdfString(text, false, false, hasRawReturn ? bytes.subarray(begin, at) : undefined);
      }
      if (byte === CR) {
        // Every end of a line counts as a line feed; many readers keep the bytes.
        hasRawReturn = true;
        out[size++] = LF;
        if (bytes[at + 1] === LF) at += 1;
      } else if (byte !== BACKSLASH) out[size++] = byte;
      else {
        const escaped = escapeAt(bytes, at + 1);
        if (escaped.byte !== undefined) out[size++] = escaped.byte;
        at += escaped.length;
      }
    }
    return this.endless();
  }

  /** A value without an end was read up to the end of the bytes, and counts so. */
  private endless(): typeof NOTHING {
    this.at = this.end;
    return NOTHING;
  }

  protected numberOrWord(): ParsedValue {
    const number = this.digits();
    if (number !== undefined) {
      if (number >= HUGE) this.hasHugeNumber = true;
      const generation = this.restOfReference();
      return generation === undefined ? number : new Ref(number, generation);
    }
    const word = this.word();
    if (NUMBER.test(word)) {
      const value = Number(word);
      if (Math.abs(value) >= HUGE || word.length > LONGEST_NUMBER) this.hasHugeNumber = true;
      if (Number.isInteger(value) && word.includes('.')) this.wholeReals += 1;
      return value;
    }
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : NOTHING;
  }

  /** Reads the generation, if one of at most `mostDigits` and an R follow. */
  protected restOfReference(mostDigits = MOST_GENERATION_DIGITS): number | undefined {
    const { bytes, end } = this;
    let { at } = this;
    while (at < end && isBlank(bytes[at])) at += 1;
    const from = at;
    let generation = 0;
    for (; at < end && isDigit(bytes[at]); at += 1) generation = generation * 10 + bytes[at]! - ZERO;
    const digits = at - from;
    const blanks = at;
    while (at < end && isBlank(bytes[at])) at += 1;
    if (from === this.at || digits === 0 || digits > mostDigits || blanks === at || bytes[at] !== LETTER_R)
      return undefined;
    if (at >= end || (at + 1 < end && KIND[bytes[at + 1]!] === REGULAR)) return undefined;
    this.at = at + 1;
    return generation;
  }
}

function isAt(bytes: Buffer, at: number, word: string): boolean {
  for (let index = 0; index < word.length; index += 1)
    if (bytes[at + index] !== word.charCodeAt(index)) return false;
  return true;
}

/** The names of a file come again and again: words that were read before are found by their length and their ends. */
const recentWords: string[] = new Array(1024).fill('');

/** Decodes the bytes as Latin-1, without making a text again that was made before. */
export function wordIn(bytes: Buffer, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > MOST_CHARACTERS_KEPT) return bytes.toString('latin1', start, end);
  const slot =
    (length * 37 + bytes[start]! * 11 + bytes[end - 1]! + bytes[start + (length >> 1)]! * 5) & 1023;
  const recent = recentWords[slot]!;
  if (recent.length === length && isAt(bytes, start, recent)) return recent;
  const word = bytes.toString('latin1', start, end);
  recentWords[slot] = word;
  return word;
}

const MOST_CHARACTERS_KEPT = 32;

/** Tells what a backslash and the bytes from `at` on stand for, and how many they are. */
function escapeAt(bytes: Buffer, at: number): { byte?: number; length: number } {
  const byte = bytes[at]!;
  if (byte === CR) return { length: bytes[at + 1] === LF ? 2 : 1 };
  if (byte === LF) return { length: 1 };
  const isOctal = (digit: number | undefined) => digit !== undefined && digit >= 0x30 && digit <= 0x37;
  let length = 0;
  while (length < 3 && isOctal(bytes[at + length])) length += 1;
  if (length > 0)
    return { byte: Number.parseInt(bytes.toString('latin1', at, at + length), 8) & 0xff, length };
  return { byte: ESCAPES.get(byte) ?? byte, length: 1 };
}

/** Reads the entries of the dictionary that begins at `at`, with their places. Returns undefined where there is no sound dictionary. */
export function entriesAt(bytes: Buffer, at: number, end = bytes.length): DictEntry[] | undefined {
  const scanner = new Scanner(bytes, at, end);
  scanner.skipBlanks();
  if (bytes[scanner.at] !== LESS || bytes[scanner.at + 1] !== LESS) return undefined;
  const entries: DictEntry[] = [];
  return scanner.dict(READER_LIMITS.nesting, entries) === NOTHING ? undefined : entries;
}

/** These entries hide or turn something, or say how long it is. */
const WHOLE_NUMBERS = new Set([
  'F',
  'Ff',
  'Rotate',
  'Length',
  'N',
  'First',
  'Count',
  'Predictor',
  'Columns',
  'Colors',
  'K',
  'Width',
  'Height',
  'BitsPerComponent',
  'BitsPerCoordinate',
  'BitsPerFlag',
  'BitsPerSample',
  'Differences',
  'EarlyChange',
  'FirstChar',
  'Flags',
  'FormType',
  'FunctionType',
  'LastChar',
  'Mask',
  'MaxLen',
  'Order',
  'PaintType',
  'PatternType',
  'Q',
  'Rows',
  'ShadingType',
  'Size',
  'SMaskInData',
  'Supplement',
  'TilingType',
  'WMode',
]);

/** A destination shows its page in one of these ways (ISO 32000-2, table 149), with coordinates. */
const FIT = /^(?:XYZ|Fit)/;

/** Tells whether whole numbers in an array beside names count or name something, such as the colors of an index. */
const isCounted = (items: readonly Value[]): boolean =>
  items.some((item) => typeof item === 'string') && !FIT.test(String(items[1]));
