// Pictures that cost far more than their size: bare, and inside a PDF.
import { deflatedCopies, onePage, stream } from './parts.mjs';

const segment = (marker, body) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, Buffer.from(body)]);
};

/** A table with one code of one bit, which stands for `symbol`. */
const table = (id, symbol) => segment(0xc4, [id, 1, ...Array(15).fill(0), symbol]);

/** A progressive JPEG of `side` × `side` gray pixels, sent in `scans` scans, each of them over the whole picture. */
export function progressiveJpeg(scans, side = 4096) {
  const blocks = (side / 8) ** 2;
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(side, 1);
  frame.writeUInt16BE(side, 3);
  const scan = (from, to, data) => [segment(0xda, [1, 1, 0, from, to, 0]), data];
  const first = scan(0, 0, Buffer.alloc(Math.ceil(blocks / 8)));
  // "The next 16,384 blocks end here" is one bit and fourteen more, all of them zero.
  const next = scan(1, 63, Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8)));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc2, frame),
    table(0x00, 0),
    table(0x10, 0xe0),
    ...first,
    ...Array(scans - 1).fill(Buffer.concat(next)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** 420 kB: 10,000 scans. */
export const manyScans = () => progressiveJpeg(10_000);

/** The same as the picture of a page. */
export const manyScansInPdf = () =>
  onePage('595 0 0 842 0 0 cm /Im Do', '/XObject<</Im 5 0 R>>', [
    stream(
      '/Type/XObject/Subtype/Image/Width 4096/Height 4096/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode',
      manyScans(),
    ),
  ]);

const chunk = (type, data) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
};

/** A PNG of zeros with 16 bits for each of red, green, blue and alpha: `width` × `height` × 8 bytes, in a thousandth. */
export function deepPng(width, height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([16, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflatedCopies(Buffer.alloc(1 + width * 8), height)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** 40 megapixels of 64 bits: 320 MB. */
export const deepPixels = () => deepPng(8000, 4999);

/** A directory of a TIFF: tags with one LONG each, and where the next one begins. */
function directory(tags, next) {
  const entries = Object.entries(tags);
  const bytes = Buffer.alloc(2 + entries.length * 12 + 4);
  bytes.writeUInt16LE(entries.length, 0);
  for (const [index, [tag, value]] of entries.entries()) {
    const at = 2 + index * 12;
    bytes.writeUInt16LE(Number(tag), at);
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  }
  bytes.writeUInt32LE(next, bytes.length - 4);
  return bytes;
}

const tiffHead = (first) => {
  const head = Buffer.from('II*\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(first, 4);
  return head;
};

const bilevel = (width, height, compression, at, length) => ({
  256: width,
  257: height,
  258: 1,
  259: compression,
  262: 0,
  273: at,
  277: 1,
  278: height,
  279: length,
});

/** 80,001 pages, 9 MB, each of which names the same strip. */
export function manyPages() {
  const size = directory(bilevel(8, 8, 1, 0, 8), 0).length;
  const pages = Array.from({ length: 80_000 }, (_, index) =>
    directory(bilevel(8, 8, 1, 0, 8), 8 + (index + 1) * size),
  );
  return Buffer.concat([tiffHead(8), ...pages, directory(bilevel(8, 8, 1, 0, 8), 0)]);
}

/** A page that is followed by itself. */
export const pagesInACircle = () => Buffer.concat([tiffHead(8), directory(bilevel(8, 8, 1, 0, 8), 8)]);

/** Five megabytes of runs in 160 megapixels, which consist of `fill`. */
function strip(compression, fill, tags = {}) {
  const data = Buffer.alloc(5_000_000, fill);
  const at = 8 + directory({ ...bilevel(1, 1, 1, 1, 1), ...tags }, 0).length;
  const page = { ...bilevel(16_000, 10_000, compression, at, data.length), ...tags };
  return Buffer.concat([tiffHead(8), directory(page, 0), data]);
}

/** A fax in a tile, so that it is decoded, whose lines grow and never end. */
export const endlessFax = () =>
  strip(4, Buffer.from('2406', 'hex'), { 322: 16_000, 323: 10_008, 324: 300, 325: 4_999_000 });

/** 128 bytes for two, over and over. */
export const packBitsBomb = () => strip(32_773, Buffer.from([0x81, 0xff]));

/** Codes that repeat the longest row. */
export const lzwPicture = () => strip(5, Buffer.from([0x80, 0x00, 0x5f, 0xff]));

/** A GIF of 4,000 × 5,000 pixels with random codes. */
export function gifOfNoise() {
  const head = Buffer.from(
    'GIF89a\xa0\x0f\x88\x13\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xa0\x0f\x88\x13\0\x02',
    'latin1',
  );
  const block = Buffer.concat([
    Buffer.from([255]),
    Buffer.from(Array.from({ length: 255 }, (_, at) => (at * 167) & 255)),
  ]);
  return Buffer.concat([head, ...Array(20_000).fill(block), Buffer.from([0, 0x3b])]);
}

/** A BMP of 20 megapixels in run lengths that run over every edge. */
export function bmpOfRuns() {
  const head = Buffer.alloc(1078);
  head.write('BM', 'latin1');
  head.writeUInt32LE(1078, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(5000, 18);
  head.writeInt32LE(4000, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(8, 28);
  head.writeUInt32LE(1, 30);
  return Buffer.concat([head, Buffer.alloc(9_000_000, Buffer.from([255, 7]))]);
}
