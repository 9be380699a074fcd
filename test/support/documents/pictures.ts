// PNG and JPEG files for tests: PNGs of any coding, written from a pixel function; and two small photographs whose
// four quarters are red, green, blue and yellow.
import { crc32, deflateSync } from 'node:zlib';

/** 48 × 32 pixels, made with `pdftoppm -jpeg`; its JFIF header says 72 pixels per inch. */
const PHOTOGRAPH =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAUDBAQEAwUEBAQFBQUGBwwIBwcHBw8LCwkMEQ8SEhEPERETFhwXExQaFRERGCEYGh0dHx8fExciJCIeJBweHx7/2wBDAQUFBQcGBw4ICA4eFBEUHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh4eHh7/wAARCAAgADADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAcJCP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAXAQEBAQEAAAAAAAAAAAAAAAAIBgcJ/8QAHBEBAAAHAQAAAAAAAAAAAAAAAAUIQ0WBg8HD/9oADAMBAAIRAxEAPwCWAM6MsXZCV2T0ep54Ik1Vq3+IAnxEcfAOqJEjTtmI07DObm0b/FRQGpjoAGaif//Z';

/** The same in CMYK, as Adobe's programs write it (255 is no ink): made with `pdftoppm -jpegcmyk`. */
const CMYK_PHOTOGRAPH =
  '/9j/4AAQSkZJRgABAQEASABIAAD/7gAOQWRvYmUAZAAAAAAC/9sAQwAIBgYHBgUIBwcHCQkICgwUDQwLCwwZEhMPFB0aHx4dGhwcICQuJyAiLCMcHCg3KSwwMTQ0NB8nOT04MjwuMzQy/9sAQwEJCQkMCwwYDQ0YMiEcITIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy/8AAFAgAIAAwBAEiAAIRAQMRAQQiAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIBAwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/EAB8BAAMBAQEBAQEBAQEAAAAAAAABAgMEBQYHCAkKC//EALURAAIBAgQEAwQHBQQEAAECdwABAgMRBAUhMQYSQVEHYXETIjKBCBRCkaGxwQkjM1LwFWJy0QoWJDThJfEXGBkaJicoKSo1Njc4OTpDREVGR0hJSlNUVVZXWFlaY2RlZmdoaWpzdHV2d3h5eoKDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uLj5OXm5+jp6vLz9PX29/j5+v/aAA4EAQACEQMRBAAAPwDs6KKK+mPw09/oooorzWvSq81r0su+18v1P2nwg/5jP+4f/t4UUUUUUUV6Z+0BRRRXvNFFFfyEfmYUUUUV8dV9i18dV+5eDH/Md/3D/wDch5mY/Z+f6BRRRRRRRX7ieYFFFFf/2Q==';

export const photograph = (): Buffer => Buffer.from(PHOTOGRAPH, 'base64');
export const cmykPhotograph = (): Buffer => Buffer.from(CMYK_PHOTOGRAPH, 'base64');

/** The photograph with an EXIF block instead of its JFIF header, and no density unless it is given. */
export function photographWithExif(orientation: number, densityPerCm?: number): Buffer {
  const jpeg = photograph();
  const afterJfif = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    exifSegment(orientation, densityPerCm),
    jpeg.subarray(afterJfif),
  ]);
}

function exifSegment(orientation: number, densityPerCm: number | undefined): Buffer {
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exifOf(orientation, densityPerCm)]);
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** An EXIF block, as a JPEG has it in a segment and a PNG in a chunk. */
export function exifOf(orientation: number, densityPerCm?: number): Buffer {
  const entries = [entry(0x0112, 3, orientation << 16)];
  if (densityPerCm !== undefined)
    entries.push(entry(0x011a, 5, 62), entry(0x011b, 5, 62), entry(0x0128, 3, 3 << 16));
  const tiff = Buffer.alloc(70);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(entries.length, 8);
  Buffer.concat(entries).copy(tiff, 10);
  tiff.writeUInt32BE(densityPerCm ?? 0, 62);
  tiff.writeUInt32BE(1, 66);
  return tiff;
}

function entry(tag: number, type: number, value: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16BE(tag, 0);
  bytes.writeUInt16BE(type, 2);
  bytes.writeUInt32BE(1, 4);
  bytes.writeUInt32BE(value >>> 0, 8);
  return bytes;
}

export type PngPlan = {
  width: number;
  height: number;
  bits: number;
  colorType: number;
  isInterlaced?: boolean;
  chunks?: [string, Buffer][];
  /** The samples of a pixel, each below 2 ** bits. */
  pixel: (x: number, y: number) => number[];
};

const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** A PNG of the plan, each row with the next of the five filters. */
export function pngOf(plan: PngPlan): Buffer {
  const passes = plan.isInterlaced ? ADAM7 : ([[0, 0, 1, 1]] as const);
  const rows = passes.flatMap((pass) => passRows(plan, pass));
  return pngFile(plan, deflateSync(Buffer.concat(rows)));
}

/** A PNG whose header says one thing, and whose pixels may be another. */
export function pngFile(plan: Omit<PngPlan, 'pixel'>, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(plan.width, 0);
  header.writeUInt32BE(plan.height, 4);
  header.set([plan.bits, plan.colorType, 0, 0, plan.isInterlaced ? 1 : 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks: [string, Buffer][] = [
    ['IHDR', header],
    ...(plan.chunks ?? []),
    ['IDAT', pixels],
    ['IEND', Buffer.alloc(0)],
  ];
  return Buffer.concat([signature, ...chunks.map(([type, data]) => chunk(type, data))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

function passRows(
  plan: PngPlan,
  [left, top, stepX, stepY]: readonly [number, number, number, number],
): Buffer[] {
  const rows: Buffer[] = [];
  let above: Buffer | undefined;
  for (let y = top; y < plan.height; y += stepY) {
    const samples: number[] = [];
    for (let x = left; x < plan.width; x += stepX) samples.push(...plan.pixel(x, y));
    if (samples.length === 0) return [];
    const row = packBits(samples, plan.bits);
    const back = Math.max(1, (plan.pixel(0, 0).length * plan.bits) >> 3);
    rows.push(filterRow(row, above ?? Buffer.alloc(row.length), back, rows.length % 5));
    above = row;
  }
  return rows;
}

function packBits(samples: number[], bits: number): Buffer {
  const text = samples.map((sample) => sample.toString(2).padStart(bits, '0')).join('');
  return Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
}

function filterRow(row: Buffer, above: Buffer, back: number, filter: number): Buffer {
  const bytes = row.map((value, x) => {
    const a = row[x - back] ?? 0;
    const b = above[x]!;
    const c = x < back ? 0 : above[x - back]!;
    const near = [a, b, c].sort((one, two) => Math.abs(a + b - c - one) - Math.abs(a + b - c - two))[0]!;
    return value - [0, a, b, (a + b) >> 1, near][filter]!;
  });
  return Buffer.concat([Buffer.from([filter]), bytes]);
}
