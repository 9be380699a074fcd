// PDFs with a TrueType font of made-up glyphs. LibreOffice makes such where no font has a letter: the empty box, which is first, comes twice.
import { pdfOf } from './pdf.ts';

const BOX = Buffer.from('a box of lines. ');
const LETTER = Buffer.from('another letter. ');

/** A TrueType font of these glyphs; most of its tables are omitted. */
function fontOf(glyphs: readonly Buffer[], isLong: boolean): Buffer {
  const head = Buffer.alloc(54);
  head.writeUInt16BE(isLong ? 1 : 0, 50);
  const ends = glyphs.map((_, index) => Buffer.concat(glyphs.slice(0, index + 1)).length);
  const locations = Buffer.alloc((glyphs.length + 1) * (isLong ? 4 : 2));
  for (const [index, end] of ends.entries())
    if (isLong) locations.writeUInt32BE(end, (index + 1) * 4);
    else locations.writeUInt16BE(end / 2, (index + 1) * 2);
  const tables = { glyf: Buffer.concat(glyphs), head, loca: locations };
  const records: Buffer[] = [];
  let at = 12 + Object.keys(tables).length * 16;
  for (const [tag, data] of Object.entries(tables)) {
    const record = Buffer.alloc(16);
    record.write(tag, 'latin1');
    record.writeUInt32BE(at, 8);
    record.writeUInt32BE(data.length, 12);
    records.push(record);
    at += data.length;
  }
  const start = Buffer.from([0, 1, 0, 0, 0, records.length, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([start, ...records, ...Object.values(tables)]);
}

const GLYPHS = { box: BOX, letter: LETTER, blank: Buffer.alloc(0) } as const;

export function fontPdf(glyphs: readonly (keyof typeof GLYPHS)[], isLong = true): Buffer {
  const font = fontOf(
    glyphs.map((name) => GLYPHS[name]),
    isLong,
  ).toString('hex');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 200]>>',
    '<</Type/Page/Parent 2 0 R/Resources<</Font<</F 4 0 R>>>>>>',
    '<</Type/Font/Subtype/TrueType/BaseFont/Part/FontDescriptor 5 0 R>>',
    '<</Type/FontDescriptor/FontName/Part/Flags 4/FontFile2 6 0 R>>',
    `<</Filter/ASCIIHexDecode/Length ${font.length + 1}>>\nstream\n${font}>\nendstream`,
  ]);
}
