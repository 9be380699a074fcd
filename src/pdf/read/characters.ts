// Classifies the bytes of PDF syntax (ISO 32000-2, 7.2.3): blanks, delimiters, and what words are made of.

export const REGULAR = 0;
const BLANK = 1;
const DELIMITER = 2;

/** The table tells what each byte is. It is a table, because most of the time of reading is spent here. */
export const KIND = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KIND[byte] = BLANK;
for (const byte of Buffer.from('()<>[]{}/%')) KIND[byte] = DELIMITER;

export const [LF, CR, PERCENT, SLASH, LESS, GREATER] = [0x0a, 0x0d, 0x25, 0x2f, 0x3c, 0x3e] as const;
export const [BRACKET, BRACKET_END, PAREN, PAREN_END] = [0x5b, 0x5d, 0x28, 0x29] as const;
export const [BACKSLASH, HASH, ZERO, PLUS, MINUS, POINT] = [0x5c, 0x23, 0x30, 0x2b, 0x2d, 0x2e] as const;

export const isBlank = (byte: number | undefined): boolean => byte !== undefined && KIND[byte] === BLANK;
/** Tells whether a byte continues a word: it is neither blank nor a delimiter. */
export const isRegular = (byte: number | undefined): boolean => byte !== undefined && KIND[byte] === REGULAR;
export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZERO && byte <= 0x39;

/** Finds the end of the literal string that begins at `at`, or `end` where it has none (7.3.4.2). */
export function afterLiteral(bytes: Buffer, at: number, end: number): number {
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

/** Thousands of objects may be said to stand before the same blanks. */
const MOST_BLANKS = 4096;

export function firstBehindBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at - from < MOST_BLANKS && isBlank(bytes[at])) at += 1;
  return at;
}

/** Views the same bytes so that they can be searched and read as numbers. */
export function searchable(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
