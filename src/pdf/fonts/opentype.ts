// Reads of an OpenType font what choosing and merging fonts need: its tables, names, style and character map. It must never
// trust a number of the file: a font that says something impossible throws a RangeError, and is left alone.

/** It gives `length` bytes from `start`, so that of a large file only some tables are read. */
export type ReadAt = (start: number, length: number) => Buffer;

export type FontTable = { start: number; length: number };
export type FontTables = ReadonlyMap<string, FontTable>;

export type FontStyle = { family: string; weight: number; isItalic: boolean; isFixedPitch: boolean };

/** It has the first and last code points of ranges, in order: [first, last, first, last, …]. */
export type CodePoints = Uint32Array;

const COLLECTION = 0x74746366; // 'ttcf'
const MOST_FACES = 64;
const MOST_TABLES = 128;
const FAMILY_NAME = 1;
const TYPOGRAPHIC_FAMILY_NAME = 16;
const WINDOWS = 3;
const MOST_TABLE_BYTES = 8 * 1024 * 1024;

export function readingFrom(bytes: Uint8Array): ReadAt {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (start, length) => {
    if (start + length > file.length) throw new RangeError('The font ends too early.');
    return file.subarray(start, start + length);
  };
}

/** Finds where each font of the file begins: several in a collection (.ttc). */
export function fontOffsets(read: ReadAt): number[] {
  const head = read(0, 12);
  if (head.readUInt32BE(0) !== COLLECTION) return [0];
  const count = Math.min(MOST_FACES, head.readUInt32BE(8));
  const offsets = read(12, count * 4);
  return Array.from({ length: count }, (_, index) => offsets.readUInt32BE(index * 4));
}

export function tablesOf(read: ReadAt, offset: number): FontTables {
  const count = Math.min(MOST_TABLES, read(offset, 12).readUInt16BE(4));
  const rows = read(offset + 12, count * 16);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const row = rows.subarray(index * 16, index * 16 + 16);
      return [row.toString('latin1', 0, 4), { start: row.readUInt32BE(8), length: row.readUInt32BE(12) }];
    }),
  );
}

/** Returns the bytes of a table; empty for one that is not there. */
export function tableBytes(read: ReadAt, tables: FontTables, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) return Buffer.alloc(0);
  if (table.length > MOST_TABLE_BYTES) throw new RangeError(`The table ${tag} of the font is too long.`);
  return read(table.start, table.length);
}

/** Tells whether its glyphs are outlines: fonts of colored pictures have none that a page could be drawn with. */
export const hasOutlines = (tables: FontTables): boolean => tables.has('glyf') || tables.has('CFF ');

export function styleOf(read: ReadAt, tables: FontTables): FontStyle {
  const os2 = tableBytes(read, tables, 'OS/2');
  const post = tableBytes(read, tables, 'post');
  const weight = os2.length >= 64 ? os2.readUInt16BE(4) : 400;
  const isItalic = os2.length >= 64 && (os2.readUInt16BE(62) & 1) === 1;
  const isFixedPitch = post.length >= 16 && post.readUInt32BE(12) !== 0;
  return { family: familyOf(tableBytes(read, tables, 'name')), weight, isItalic, isFixedPitch };
}

/** Returns the English name of the family, as far as there is one in Windows' encoding, which every font has. */
function familyOf(names: Buffer): string {
  if (names.length < 6) return '';
  const count = names.readUInt16BE(2);
  const texts = names.readUInt16BE(4);
  let family = '';
  for (let index = 0; index < count; index += 1) {
    const row = 6 + index * 12;
    const id = names.readUInt16BE(row + 6);
    if (names.readUInt16BE(row) !== WINDOWS || (id !== FAMILY_NAME && id !== TYPOGRAPHIC_FAMILY_NAME))
      continue;
    const start = texts + names.readUInt16BE(row + 10);
    const isEnglish = names.readUInt16BE(row + 4) === 0x409;
    if (family && !isEnglish) continue;
    family = Buffer.from(names.subarray(start, start + (names.readUInt16BE(row + 8) & ~1)))
      .swap16()
      .toString('utf16le');
  }
  return family;
}

/** Calls `each` for every character the font has a glyph for. */
export function forEachCharacter(cmap: Buffer, each: (codePoint: number, glyph: number) => void): void {
  const start = bestSubtable(cmap);
  if (start === undefined) return;
  if (cmap.readUInt16BE(start) === 12) readFormat12(cmap, start, each);
  else readFormat4(cmap, start, each);
}

/** Chooses the subtable of all of Unicode, or else the one of its first 65,536 characters. */
function bestSubtable(cmap: Buffer): number | undefined {
  if (cmap.length < 4) return undefined;
  const startByFormat = new Map<number, number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const row = 4 + index * 8;
    const platform = cmap.readUInt16BE(row);
    const encoding = cmap.readUInt16BE(row + 2);
    const isUnicode = platform === 0 || (platform === WINDOWS && (encoding === 1 || encoding === 10));
    const start = cmap.readUInt32BE(row + 4);
    if (isUnicode) startByFormat.set(cmap.readUInt16BE(start), start);
  }
  return startByFormat.get(12) ?? startByFormat.get(4);
}

function readFormat12(cmap: Buffer, start: number, each: (codePoint: number, glyph: number) => void): void {
  const groups = cmap.readUInt32BE(start + 12);
  for (let index = 0; index < groups; index += 1) {
    const at = start + 16 + index * 12;
    const first = cmap.readUInt32BE(at);
    const last = cmap.readUInt32BE(at + 4);
    if (last > 0x10ffff || first > last) throw new RangeError('The character map of the font is damaged.');
    const glyph = cmap.readUInt32BE(at + 8);
    for (let codePoint = first; codePoint <= last; codePoint += 1)
      if (glyph + codePoint - first !== 0) each(codePoint, glyph + codePoint - first);
  }
}

function readFormat4(cmap: Buffer, start: number, each: (codePoint: number, glyph: number) => void): void {
  const segments = cmap.readUInt16BE(start + 6) / 2;
  const ends = start + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const ranges = deltas + segments * 2;
  for (let index = 0; index < segments; index += 1) {
    const at = index * 2;
    const [first, last] = [cmap.readUInt16BE(starts + at), cmap.readUInt16BE(ends + at)];
    const delta = cmap.readUInt16BE(deltas + at);
    const range = cmap.readUInt16BE(ranges + at);
    for (let codePoint = first; codePoint <= last && codePoint !== 0xffff; codePoint += 1) {
      const listed =
        range === 0 ? codePoint : cmap.readUInt16BE(ranges + at + range + (codePoint - first) * 2);
      const glyph = listed === 0 && range !== 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph !== 0) each(codePoint, glyph);
    }
  }
}

export function codePointsOf(cmap: Buffer): CodePoints {
  const all: number[] = [];
  forEachCharacter(cmap, (codePoint) => all.push(codePoint));
  all.sort((a, b) => a - b);
  const ranges: number[] = [];
  for (const codePoint of all) {
    if (ranges.length > 0 && codePoint <= ranges.at(-1)! + 1) ranges[ranges.length - 1] = codePoint;
    else ranges.push(codePoint, codePoint);
  }
  return Uint32Array.from(ranges);
}

export function covers(codePoints: CodePoints, codePoint: number): boolean {
  let low = 0;
  let high = codePoints.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (codePoints[middle * 2 + 1]! < codePoint) low = middle + 1;
    else high = middle;
  }
  return low < codePoints.length / 2 && codePoints[low * 2]! <= codePoint;
}

/** Writes a font file of these tables: one font of a collection on its own, or tables that were made. */
export function fontFileOf(tables: ReadonlyMap<string, Buffer>): Buffer {
  const tags = [...tables.keys()].sort();
  const power = 2 ** Math.floor(Math.log2(tags.length));
  const head = Buffer.alloc(12 + tags.length * 16);
  head.writeUInt32BE(tables.has('CFF ') ? 0x4f54544f : 0x00010000, 0);
  head.writeUInt16BE(tags.length, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((tags.length - power) * 16, 10);
  const pieces: Buffer[] = [head];
  let at = head.length;
  for (const [index, tag] of tags.entries()) {
    const bytes = tables.get(tag)!;
    const row = 12 + index * 16;
    head.write(tag, row, 'latin1');
    head.writeUInt32BE(checksumOf(bytes), row + 4);
    head.writeUInt32BE(at, row + 8);
    head.writeUInt32BE(bytes.length, row + 12);
    const padding = (4 - (bytes.length % 4)) % 4;
    pieces.push(bytes, Buffer.alloc(padding));
    at += bytes.length + padding;
  }
  return Buffer.concat(pieces);
}

function checksumOf(bytes: Buffer): number {
  let sum = 0;
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  const rest = Buffer.alloc(4);
  bytes.copy(rest, 0, whole);
  return (sum + rest.readUInt32BE(0)) >>> 0;
}
