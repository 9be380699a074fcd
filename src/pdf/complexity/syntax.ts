// Reads the values of PDF syntax (ISO 32000-1, 7.3) from bytes that may be anything. It must never throw, loop
// endlessly, or nest deeper than the limit.
import { DOCUMENT_LIMITS } from '../limits.ts';

/** Names come as text without the slash. Strings, booleans and what is no value at all are undefined. */
export type RawValue = number | string | RawRef | RawValue[] | RawDict | undefined;
export type RawDict = Map<string, RawValue>;

/** `12 0 R`, by its object number. */
export class RawRef {
  constructor(readonly number: number) {}
}

// What each byte is in PDF syntax (ISO 32000-1, 7.2.2), looked up: this is where most of the time goes.
const REGULAR = 0;
const BLANK = 1;
const DELIMITER = 2;
const KIND = new Uint8Array(256);
for (const byte of [0, 9, 10, 11, 12, 13, 32]) KIND[byte] = BLANK;
for (const byte of Buffer.from('()<>[]{}/%')) KIND[byte] = DELIMITER;

const isBlank = (byte: number) => KIND[byte] === BLANK;
const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;

const [PERCENT, SLASH, HASH] = [0x25, 0x2f, 0x23];
const [LESS, GREATER, BRACKET, BRACKET_END, PAREN, PAREN_END, BACKSLASH, LETTER_R] = [
  0x3c, 0x3e, 0x5b, 0x5d, 0x28, 0x29, 0x5c, 0x52,
];
// Deeper values are skipped: none of the entries that are needed lie that deep.
const DEPTH = 40;

/** How many bytes may still be read for values: what has no end is read from each place where it begins. */
export type ReadBudget = { bytes: number };

/** The value that begins at `at`; nothing behind `end` is looked at. */
export function readValue(bytes: Buffer, at: number, budget: ReadBudget, end = bytes.length): RawValue {
  if (budget.bytes <= 0) return undefined;
  const reader = new Reader(bytes, at, Math.min(end, bytes.length));
  const value = reader.value(DEPTH);
  budget.bytes -= reader.position - at;
  return value;
}

class Reader {
  private left: number = DOCUMENT_LIMITS.valuesOfObject;

  constructor(
    private readonly bytes: Buffer,
    private at: number,
    private readonly end: number,
  ) {}

  get position(): number {
    return this.at;
  }

  value(depth: number): RawValue {
    this.skipBlanks();
    const byte = this.peek();
    if (byte === undefined || this.left-- === 0 || depth === 0) {
      this.at = this.end;
      return undefined;
    }
    if (byte === SLASH) return this.name();
    if (byte === LESS) return this.peek(1) === LESS ? this.dict(depth) : this.skipHex();
    if (byte === BRACKET) return this.array(depth);
    if (byte === PAREN) {
      this.at = afterString(this.bytes, this.at, this.end);
      return undefined;
    }
    return this.numberOrWord();
  }

  private peek(ahead = 0): number | undefined {
    return this.at + ahead < this.end ? this.bytes[this.at + ahead] : undefined;
  }

  private skipBlanks(): void {
    for (; this.at < this.end; this.at += 1) {
      const byte = this.bytes[this.at]!;
      if (byte === PERCENT) this.skipComment();
      else if (!isBlank(byte)) return;
    }
  }

  private skipComment(): void {
    while (this.at + 1 < this.end && this.bytes[this.at + 1] !== 10 && this.bytes[this.at + 1] !== 13)
      this.at += 1;
  }

  private word(): string {
    const { bytes, end, at: start } = this;
    let at = start;
    while (at < end && KIND[bytes[at]!] === REGULAR) at += 1;
    this.at = at;
    return bytes.toString('latin1', start, at);
  }

  private name(): string {
    this.at += 1;
    const text = this.word();
    if (!text.includes(String.fromCharCode(HASH))) return text;
    return text.replace(/#([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }

  private dict(depth: number): RawDict {
    this.at += 2;
    const entries: RawDict = new Map();
    for (;;) {
      this.skipBlanks();
      const byte = this.peek();
      if (byte === undefined) return entries;
      if (byte === GREATER) {
        this.at += this.peek(1) === GREATER ? 2 : 1;
        return entries;
      }
      if (byte !== SLASH) this.value(depth - 1);
      else entries.set(this.name(), this.value(depth - 1));
    }
  }

  private array(depth: number): RawValue[] {
    this.at += 1;
    const items: RawValue[] = [];
    for (;;) {
      this.skipBlanks();
      const byte = this.peek();
      if (byte === undefined) return items;
      if (byte === BRACKET_END) {
        this.at += 1;
        return items;
      }
      items.push(this.value(depth - 1));
    }
  }

  private skipHex(): undefined {
    const close = this.bytes.indexOf(GREATER, this.at);
    this.at = close === -1 ? this.end : Math.min(this.end, close + 1);
  }

  private numberOrWord(): RawValue {
    const word = this.word();
    if (word === '') {
      this.at += 1; // a closing bracket that nothing opened
      return undefined;
    }
    const value = Number(word);
    if (Number.isNaN(value)) return undefined;
    return Number.isInteger(value) && this.isReference() ? new RawRef(value) : value;
  }

  /** Whether a generation and an R follow; reads them if so. */
  private isReference(): boolean {
    let at = this.at;
    const skip = (matches: (byte: number) => boolean) => {
      const from = at;
      while (at < this.end && matches(this.bytes[at]!)) at += 1;
      return at > from;
    };
    const isRef = skip(isBlank) && skip(isDigit) && skip(isBlank) && this.bytes[at] === LETTER_R;
    if (!isRef || at >= this.end || KIND[this.bytes[at + 1] ?? 0x20] === REGULAR) return false;
    this.at = at + 1;
    return true;
  }
}

/** Where the literal string that begins at `at` ends; `end` when it does not. */
export function afterString(bytes: Buffer, at: number, end: number): number {
  let open = 0;
  for (let index = at; index < end; index += 1) {
    const byte = bytes[index];
    if (byte === BACKSLASH) index += 1;
    else if (byte === PAREN) open += 1;
    else if (byte === PAREN_END) {
      open -= 1;
      if (open === 0) return index + 1;
    }
  }
  return end;
}

/** How deep arrays and dictionaries lie in each other between `at` and `end`; stops counting above `most`. */
export function nestingOf(bytes: Buffer, at: number, end: number, most: number): number {
  let depth = 0;
  let deepest = 0;
  for (let index = at; index < end && deepest <= most; index += 1) {
    const byte = bytes[index];
    if (byte === PAREN) index = afterString(bytes, index, end) - 1;
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

/** The object number of the `obj` at `at` (`12 0 obj`), and where it begins; undefined for the end of another word. */
export function objectNumberBefore(bytes: Buffer, at: number): number | undefined {
  let index = at - 1;
  const back = (matches: (byte: number) => boolean) => {
    const from = index;
    while (index >= 0 && matches(bytes[index]!)) index -= 1;
    return from - index;
  };
  if (back(isBlank) === 0 || back(isDigit) === 0 || back(isBlank) === 0) return undefined;
  const last = index;
  const digits = back(isDigit);
  return digits > 0 && digits <= 10 ? Number(bytes.toString('latin1', index + 1, last + 1)) : undefined;
}
