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
