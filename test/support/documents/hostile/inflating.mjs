// Files that inflate to a thousand times their size and more.
import { deflateSync } from 'node:zlib';
import { deflatedCopies, MIB, onePage, pdfOf, stream } from './parts.mjs';

const numbers = (from, count) => Array.from({ length: count }, (_, index) => from + index);
const reference = (number) => `${number} 0 R`;
const comment = (noise) => Buffer.from(`%${noise.toString('base64').slice(0, 5000)}\n`);
const spaces = Buffer.alloc(MIB, ' ');

/** 1.2 MB whose content stream inflates to 1.2 GB. */
export const flateBomb = () => onePage(stream('/Filter/FlateDecode', deflatedCopies(spaces, 1200)));

/** 3 kB: a stream of 1 GB that was compressed twice, with both spellings of the filter. */
export const flateTwice = () =>
  onePage(stream('/Filter[/Fl/FlateDecode]', deflateSync(deflatedCopies(spaces, 1000), { level: 9 })));

/** Eight streams of 60 MB each, 2.5 MB as a file: none is too large by itself, and none has a suspicious compression ratio. */
export const manyStreams = () => {
  const noise = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * index * 7919) >> 5));
  const packed = stream(
    '/Filter/FlateDecode',
    deflatedCopies(Buffer.concat([comment(noise), spaces.subarray(5100)]), 60),
  );
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>',
    `<</Type/Page/Parent 2 0 R/Resources<<>>/Contents[${numbers(4, 8).map(reference).join(' ')}]>>`,
    ...Array(8).fill(packed),
  ]);
};

/** The same bomb with a cross-reference table whose offsets are wrong. */
export const flateBombAstray = () => {
  const bytes = flateBomb();
  return Buffer.concat([
    bytes.subarray(0, bytes.lastIndexOf('xref\n0 ')),
    Buffer.from('startxref\n7\n%%EOF\n'),
  ]);
};

/** 800 kB whose content stream becomes 1 GB. */
export const lzwBomb = () => onePage(stream('/Filter/LZWDecode', lzwOfZeros(1000 * MIB)));

/** LZW of zeros: each code stands for one byte more than the one before, and the table is restarted when it is full. */
function lzwOfZeros(sizeBytes) {
  const bytes = [];
  let held = 0;
  let heldBits = 0;
  const put = (code, bits) => {
    held = (held << bits) | code;
    heldBits += bits;
    while (heldBits >= 8) {
      heldBits -= 8;
      bytes.push((held >> heldBits) & 0xff);
    }
    held &= (1 << heldBits) - 1;
  };
  let written = 0;
  while (written < sizeBytes) {
    put(256, 9);
    put(0, 9);
    written += 1;
    // The decoder knows code 258 once it has read the code after it; codes grow one earlier (/EarlyChange 1).
    for (let code = 258, length = 2; code < 4094; code += 1, length += 1) {
      put(code, code < 511 ? 9 : code < 1023 ? 10 : code < 2047 ? 11 : 12);
      written += length;
    }
    // The clear code is as wide as the code before it.
    put(256, 12);
  }
  put(257, 9);
  put(0, 7);
  return Buffer.from(bytes);
}

/** 900 kB: an object stream with the catalog and the pages in front, and 1 GB of blanks behind them. */
export const objectStreamBomb = () => {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R>>',
  ];
  return packedPdf(objects, (text) => deflatedCopies(spaces, 1000, Buffer.from(text, 'latin1')));
};

/** 40 MB of opening brackets, inside an object stream of 40 kB. */
export const packedBrackets = () =>
  packedPdf(
    ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Page/Parent 2 0 R/X '],
    (text) => deflatedCopies(Buffer.alloc(MIB, '['), 40, Buffer.from(text, 'latin1')),
  );

/** A million pages in an object stream: a few hundred kB. */
export const millionPages = () => {
  const count = 1_000_000;
  const kids = numbers(3, count).map(reference).join(' ');
  const page = '<</Type/Page/Parent 2 0 R>>';
  return packedPdf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/MediaBox[0 0 9 9]/Count ${count}/Kids[${kids}]>>`,
      ...Array(count).fill(page),
    ],
    (text) => deflateSync(Buffer.from(text, 'latin1')),
  );
};

/** A PDF whose objects all lie in one object stream, compressed by `pack`. */
function packedPdf(objects, pack) {
  const table = [];
  const head = [];
  let at = 0;
  const streamNumber = objects.length + 1;
  for (const [index, object] of objects.entries()) {
    head.push(`${index + 1} ${at}`);
    at += object.length + 1;
    table.push([2, streamNumber, index]);
  }
  const first = `${head.join(' ')} `;
  const packed = stream(
    `/Type/ObjStm/N ${objects.length}/First ${first.length}/Filter/FlateDecode`,
    pack(`${first}${objects.join(' ')} `),
  );
  const start = Buffer.from(`%PDF-1.7\n${streamNumber} 0 obj\n`);
  const body = Buffer.concat([start, packed, Buffer.from('\nendobj\n')]);
  const rows = Buffer.alloc((objects.length + 3) * 9);
  for (const [index, [type, second, third]] of [
    [0, 0, 0],
    ...table,
    [1, 9, 0],
    [1, body.length, 0],
  ].entries()) {
    rows.writeUInt8(type, index * 9);
    rows.writeUInt32BE(second, index * 9 + 1);
    rows.writeUInt32BE(third, index * 9 + 5);
  }
  const size = objects.length + 3;
  const xref = stream(`/Type/XRef/Size ${size}/W[1 4 4]/Root 1 0 R/Filter/FlateDecode`, deflateSync(rows));
  const end = Buffer.from(`\nendobj\nstartxref\n${body.length}\n%%EOF\n`);
  return Buffer.concat([body, Buffer.from(`${streamNumber + 1} 0 obj\n`), xref, end]);
}

/** A picture that claims 60,000 × 60,000 pixels, in 60 bytes. */
export const hugePicture = () =>
  onePage('595 0 0 842 0 0 cm /Im Do', '/XObject<</Im 5 0 R>>', [
    stream(
      '/Type/XObject/Subtype/Image/Width 60000/Height 60000/ColorSpace/DeviceRGB/BitsPerComponent 16/Filter/FlateDecode',
      deflateSync(Buffer.alloc(1000)),
    ),
  ]);

/** A picture of one pixel, followed by 1.2 GB. */
export const largeBehindPixel = () =>
  onePage('595 0 0 842 0 0 cm /Im Do', '/XObject<</Im 5 0 R>>', [
    stream(
      '/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
      deflatedCopies(spaces, 1200),
    ),
  ]);

/** 15 MB of strokes across the page, in 53 kB: within every limit of size, and minutes to draw. */
export const slowStrokes = () => {
  const strokes = Buffer.from('0 0 m 595 842 l S 595 0 m 0 842 l S\n'.repeat(2000));
  const packed = stream('/Filter/FlateDecode', deflatedCopies(strokes, 205));
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>`,
    '<</Type/Page/Parent 2 0 R/Resources<<>>/Contents 4 0 R>>',
    packed,
  ]);
};
