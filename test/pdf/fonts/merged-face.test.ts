// One font out of several: every character looks as it did in the face it came from.
import { expect, test } from 'vitest';
import { facesFor, fontBytesOf, hasCharacter } from '../../../src/pdf/fonts/faces.ts';
import { mergedFont } from '../../../src/pdf/fonts/merged-face.ts';
import { forEachCharacter, readingFrom, tableBytes, tablesOf } from '../../../src/pdf/fonts/opentype.ts';

const SAMPLE = [...'AgÉẫЖйΩΐЁ ابعلاﻼ שבּךּ ककिऋॐ ☐✓→≤∑'].map((character) => character.codePointAt(0)!);

test.each([
  { family: 'sans' },
  { family: 'serif', isBold: true, isItalic: true },
  { family: 'mono', isBold: true },
] as const)('%o', (typeface) => {
  const faces = facesFor(typeface);
  const merged = reader(mergedFont(faces.map(fontBytesOf), 'Merged'));
  for (const codePoint of SAMPLE) {
    const face = faces.find((item) => hasCharacter(item, codePoint))!;
    const source = reader(fontBytesOf(face));
    const glyph = merged.characters.get(codePoint)!;
    const before = source.characters.get(codePoint)!;
    expect([merged.outline(glyph), merged.metrics(glyph)]).toEqual([
      source.outline(before),
      source.metrics(before),
    ]);
  }
});

test('widths and left edges are those of the face it came from, for every character', () => {
  const faces = facesFor({ family: 'mono' });
  const merged = reader(mergedFont(faces.map(fontBytesOf), 'Merged'));
  const codePoints = new Set<number>();
  for (const source of faces.map((face) => reader(fontBytesOf(face))))
    for (const [codePoint, glyph] of source.characters) {
      if (codePoints.has(codePoint)) continue;
      codePoints.add(codePoint);
      expect(merged.metrics(merged.characters.get(codePoint)!)).toEqual(source.metrics(glyph));
    }
});

test('it has the characters of all', () => {
  const faces = facesFor({ family: 'sans' });
  const merged = reader(mergedFont(faces.map(fontBytesOf), 'Merged'));
  const all = faces.flatMap((face) => [...reader(fontBytesOf(face)).characters.keys()]);
  expect([...merged.characters.keys()].sort()).toEqual([...new Set(all)].sort());
});

function reader(font: Uint8Array) {
  const read = readingFrom(font);
  const directory = tablesOf(read, 0);
  const table = (tag: string) => tableBytes(read, directory, tag);
  const [glyf, loca, hmtx] = [table('glyf'), table('loca'), table('hmtx')];
  const isLong = table('head').readInt16BE(50) === 1;
  const withWidth = table('hhea').readUInt16BE(34);
  const start = (glyph: number) => (isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
  const characters = new Map<number, number>();
  forEachCharacter(table('cmap'), (codePoint, glyph) => characters.set(codePoint, glyph));
  /** Width and left edge: the last glyphs share a width. */
  const metrics = (glyph: number) => [
    hmtx.readUInt16BE(Math.min(glyph, withWidth - 1) * 4),
    hmtx.readInt16BE(glyph < withWidth ? glyph * 4 + 2 : withWidth * 4 + (glyph - withWidth) * 2),
  ];

  /** Lists the points of a glyph, as bytes; of one that is made of others, where they are and their points. */
  function outline(glyph: number): unknown {
    const bytes = glyf.subarray(start(glyph), start(glyph + 1));
    if (bytes.length === 0) return '';
    // A byte may stand at the end to make the length even.
    if (bytes.readInt16BE(0) >= 0) return bytes.toString('hex').replace(/(00)+$/, '');
    const pieces: unknown[] = [];
    let at = 10;
    for (let flags = 0x20; flags & 0x20; ) {
      flags = bytes.readUInt16BE(at);
      const part = bytes.readUInt16BE(at + 2);
      const end =
        at + 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : 0) + (flags & 0x40 ? 4 : 0) + (flags & 0x80 ? 8 : 0);
      pieces.push([flags, bytes.subarray(at + 4, end).toString('hex'), outline(part)]);
      at = end;
    }
    return pieces;
  }
  return { characters, metrics, outline };
}
