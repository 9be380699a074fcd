// Makes a font file with a single character, so that a test knows which font a page was drawn with.
import { facesFor, fontBytesOf } from '../../../src/pdf/fonts/faces.ts';
import { fontFileOf, readingFrom, tableBytes, tablesOf } from '../../../src/pdf/fonts/opentype.ts';

/** A font of this family, for the letter A. */
export const fontNamed = (family: string): Buffer => fontWith(65, nameTable(family));

/** A table of names with the one of the family in English. */
function nameTable(family: string): Buffer {
  const text = Buffer.from(family, 'utf16le').swap16();
  const head = Buffer.alloc(18);
  for (const [at, value] of [0, 1, 18, 3, 1, 0x409, 1, text.length, 0].entries())
    head.writeUInt16BE(value, at * 2);
  return Buffer.concat([head, text]);
}

/** A font with one character, drawn as the letter A of ours. */
export function fontWith(codePoint: number, names?: Buffer): Buffer {
  const read = readingFrom(fontBytesOf(facesFor({ family: 'sans' })[0]!));
  const tables = tablesOf(read, 0);
  const cmap = Buffer.alloc(12 + 16 + 12);
  cmap.writeUInt16BE(1, 2);
  for (const [at, value] of [
    [4, 3],
    [6, 10],
  ] as const)
    cmap.writeUInt16BE(value, at);
  cmap.writeUInt32BE(12, 8);
  cmap.writeUInt16BE(12, 12);
  cmap.writeUInt32BE(28, 16);
  cmap.writeUInt32BE(1, 24);
  for (const [at, value] of [
    [28, codePoint],
    [32, codePoint],
    [36, 36],
  ] as const)
    cmap.writeUInt32BE(value, at);
  const kept = ['OS/2', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'name', 'post'];
  return fontFileOf(
    new Map([
      ...kept.map((tag) => [tag, tableBytes(read, tables, tag)] as const),
      ['cmap', cmap],
      ...(names ? [['name', names] as const] : []),
    ]),
  );
}
