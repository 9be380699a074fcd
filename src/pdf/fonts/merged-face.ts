// Makes one TrueType font out of several, because PDFium asks for a single substitute per font of a document and looks no
// further for a character which that one lacks. Only outlines, widths and characters are kept: PDFium shapes nothing.
// It must only be given fonts of our own: TrueType outlines without hinting, 1000 units per em.
import { fontFileOf, forEachCharacter, readingFrom, tableBytes, tablesOf } from './opentype.ts';

const MOST_GLYPHS = 65_535;
const WINDOWS = 3;
const UNICODE_BMP = 1;
const UNICODE_FULL = 10;

// 'glyf', composite glyphs: what each part says of itself.
const ARGUMENTS_ARE_WORDS = 0x0001;
const HAS_SCALE = 0x0008;
const MORE_PARTS = 0x0020;
const HAS_TWO_SCALES = 0x0040;
const HAS_MATRIX = 0x0080;

type Source = {
  glyphs: Buffer[];
  metrics: Buffer;
  characters: Map<number, number>;
  tables: Map<string, Buffer>;
};

/** A character is drawn as in the first of `fonts` that has it. */
export function mergedFont(fonts: readonly Uint8Array[], name: string): Uint8Array {
  const sources = fonts.map(sourceOf);
  const characters = new Map<number, number>();
  const glyphs: Buffer[] = [];
  for (const source of sources) {
    const first = glyphs.length;
    if (first + source.glyphs.length > MOST_GLYPHS) throw new RangeError('Too many glyphs for one font.');
    for (const glyph of source.glyphs) glyphs.push(movedParts(glyph, first));
    for (const [codePoint, glyph] of source.characters)
      if (!characters.has(codePoint)) characters.set(codePoint, first + glyph);
  }
  const [first] = sources as [Source, ...Source[]];
  const { glyf, loca } = glyphTables(glyphs);
  return fontFileOf(
    new Map([
      ['OS/2', first.tables.get('OS/2')!],
      ['cmap', characterMap(characters)],
      ['glyf', glyf],
      ['head', withLongOffsets(first.tables.get('head')!)],
      ['hhea', withMetrics(first.tables.get('hhea')!, glyphs.length)],
      ['hmtx', Buffer.concat(sources.map(({ metrics }) => metrics))],
      ['loca', loca],
      ['maxp', largest(sources, glyphs.length)],
      ['name', nameTable(name)],
      ['post', withoutNames(first.tables.get('post')!)],
    ]),
  );
}

function sourceOf(font: Uint8Array): Source {
  const read = readingFrom(font);
  const directory = tablesOf(read, 0);
  const tables = new Map(
    ['OS/2', 'cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'post'].map((tag) => [
      tag,
      tableBytes(read, directory, tag),
    ]),
  );
  const table = (tag: string) => tables.get(tag)!;
  const count = table('maxp').readUInt16BE(4);
  const isLong = table('head').readInt16BE(50) === 1;
  const offset = (index: number) =>
    isLong ? table('loca').readUInt32BE(index * 4) : table('loca').readUInt16BE(index * 2) * 2;
  const glyphs = Array.from({ length: count }, (_, index) =>
    table('glyf').subarray(offset(index), offset(index + 1)),
  );
  const characters = new Map<number, number>();
  forEachCharacter(table('cmap'), (codePoint, glyph) => characters.set(codePoint, glyph));
  const metrics = fullMetrics(table('hmtx'), table('hhea').readUInt16BE(34), count);
  return { glyphs, metrics, characters, tables };
}

/** Writes width and left edge of every glyph: at the end of the table several share the last width. */
function fullMetrics(hmtx: Buffer, withWidth: number, count: number): Buffer {
  const metrics = Buffer.alloc(count * 4);
  hmtx.copy(metrics, 0, 0, withWidth * 4);
  const lastWidth = hmtx.readUInt16BE((withWidth - 1) * 4);
  for (let index = withWidth; index < count; index += 1) {
    metrics.writeUInt16BE(lastWidth, index * 4);
    metrics.writeInt16BE(hmtx.readInt16BE(withWidth * 4 + (index - withWidth) * 2), index * 4 + 2);
  }
  return metrics;
}

/** A glyph made of others names them by number: these are `by` higher now. */
function movedParts(glyph: Buffer, by: number): Buffer {
  if (by === 0 || glyph.length < 10 || glyph.readInt16BE(0) >= 0) return glyph;
  const moved = Buffer.from(glyph);
  let at = 10;
  for (let flags = MORE_PARTS; flags & MORE_PARTS; ) {
    flags = moved.readUInt16BE(at);
    moved.writeUInt16BE(moved.readUInt16BE(at + 2) + by, at + 2);
    at += 4 + (flags & ARGUMENTS_ARE_WORDS ? 4 : 2);
    if (flags & HAS_SCALE) at += 2;
    else if (flags & HAS_TWO_SCALES) at += 4;
    else if (flags & HAS_MATRIX) at += 8;
  }
  return moved;
}

function glyphTables(glyphs: readonly Buffer[]): { glyf: Buffer; loca: Buffer } {
  const loca = Buffer.alloc((glyphs.length + 1) * 4);
  const pieces: Buffer[] = [];
  let at = 0;
  for (const [index, glyph] of glyphs.entries()) {
    const padding = glyph.length % 2;
    pieces.push(glyph, Buffer.alloc(padding));
    at += glyph.length + padding;
    loca.writeUInt32BE(at, (index + 1) * 4);
  }
  return { glyf: Buffer.concat(pieces), loca };
}

/** Writes one table of all of Unicode, under the two names by which PDFium looks for one. */
function characterMap(characters: ReadonlyMap<number, number>): Buffer {
  const sorted = [...characters].sort(([a], [b]) => a - b);
  const groups: [first: number, last: number, glyph: number][] = [];
  for (const [codePoint, glyph] of sorted) {
    const group = groups.at(-1);
    if (group && group[1] + 1 === codePoint && group[2] + codePoint - group[0] === glyph)
      group[1] = codePoint;
    else groups.push([codePoint, codePoint, glyph]);
  }
  const start = 20;
  const table = Buffer.alloc(start + 16 + groups.length * 12);
  table.writeUInt16BE(2, 2);
  for (const [index, encoding] of [UNICODE_BMP, UNICODE_FULL].entries()) {
    table.writeUInt16BE(WINDOWS, 4 + index * 8);
    table.writeUInt16BE(encoding, 6 + index * 8);
    table.writeUInt32BE(start, 8 + index * 8);
  }
  table.writeUInt16BE(12, start);
  table.writeUInt32BE(table.length - start, start + 4);
  table.writeUInt32BE(groups.length, start + 12);
  for (const [index, group] of groups.entries())
    for (const [place, value] of group.entries())
      table.writeUInt32BE(value, start + 16 + index * 12 + place * 4);
  return table;
}

function withLongOffsets(head: Buffer): Buffer {
  const changed = Buffer.from(head);
  changed.writeInt16BE(1, 50);
  return changed;
}

function withMetrics(hhea: Buffer, glyphs: number): Buffer {
  const changed = Buffer.from(hhea);
  changed.writeUInt16BE(glyphs, 34);
  return changed;
}

/** The numbers of this table say how much room a reader needs: the largest of each counts. */
function largest(sources: readonly Source[], glyphs: number): Buffer {
  const maxp = Buffer.from(sources[0]!.tables.get('maxp')!);
  for (const { tables } of sources)
    for (let at = 6; at + 2 <= maxp.length; at += 2)
      maxp.writeUInt16BE(Math.max(maxp.readUInt16BE(at), tables.get('maxp')!.readUInt16BE(at)), at);
  maxp.writeUInt16BE(glyphs, 4);
  return maxp;
}

function withoutNames(post: Buffer): Buffer {
  const changed = Buffer.from(post.subarray(0, 32));
  changed.writeUInt32BE(0x00030000, 0);
  return changed;
}

function nameTable(name: string): Buffer {
  const text = Buffer.from(name, 'utf16le').swap16();
  const ids = [1, 4];
  const head = Buffer.alloc(6 + ids.length * 12);
  head.writeUInt16BE(ids.length, 2);
  head.writeUInt16BE(head.length, 4);
  for (const [index, id] of ids.entries()) {
    const row = 6 + index * 12;
    head.writeUInt16BE(WINDOWS, row);
    head.writeUInt16BE(UNICODE_BMP, row + 2);
    head.writeUInt16BE(0x409, row + 4);
    head.writeUInt16BE(id, row + 6);
    head.writeUInt16BE(text.length, row + 8);
  }
  return Buffer.concat([head, text]);
}
