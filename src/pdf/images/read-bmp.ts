// Reads a BMP: palettes of 1, 4 and 8 bits, run lengths, and 16, 24 and 32 bits a pixel. It is our own because no available
// package reads them all (decision 0013). It must never make room for pixels before their number was checked.

import {
  onePicture,
  type PictureLayout,
  type PictureLimits,
  type PicturesReading,
  plausible,
  refuseTooLarge,
  UNKNOWN_CODING,
  UNREADABLE,
} from './picture.ts';
import { encodePicture, fitted, onWhite, type PictureSamples } from './pixels.ts';

type BmpHeader = {
  width: number;
  height: number;
  isTopDown: boolean;
  bits: number;
  packing: number;
  palette: Buffer;
  /** A color of the palette has this many bytes. */
  colorBytes: number;
  /** The masks pick red, green, blue and alpha out of a pixel. */
  masks: readonly number[];
  pixelsAt: number;
  density: { x: number; y: number };
};

const FILE_HEADER_BYTES = 14;
const OS2_HEADER_BYTES = 12;
const COMMON_HEADER_BYTES = 40;
const HEADER_WITH_MASKS_BYTES = 52;
const HEADER_WITH_ALPHA_BYTES = 56;
const PLAIN = 0;
const RUNS_OF_8 = 1;
const RUNS_OF_4 = 2;
const MASKS = 3;
const MASKS_WITH_ALPHA = 6;
const INCHES_PER_METRE = 1 / 0.0254;
/** Each color has these bits where the file does not state them. */
const USUAL_MASKS: Record<number, readonly number[]> = {
  16: [0x7c00, 0x03e0, 0x001f, 0],
  32: [0xff0000, 0x00ff00, 0x0000ff, 0],
};

export async function readBmp(file: Buffer, { decodedPixels }: PictureLimits): Promise<PicturesReading> {
  const header = headerOf(file);
  if (header === 'unknown') return UNKNOWN_CODING;
  if (!header) return UNREADABLE;
  const { width, height } = header;
  const refused = refuseTooLarge('image_pixels', width * height, decodedPixels);
  if (refused) return refused;
  const layout: PictureLayout = { width, height, orientation: 1, density: plausible(header.density) };
  const pixels = pixelsOf(file, header, layout);
  return pixels ? onePicture(await encodePicture(pixels, layout, 'drawing')) : UNREADABLE;
}

function headerOf(file: Buffer): BmpHeader | 'unknown' | undefined {
  if (file.length < FILE_HEADER_BYTES + OS2_HEADER_BYTES) return undefined;
  const pixelsAt = file.readUInt32LE(10);
  const sizeBytes = file.readUInt32LE(FILE_HEADER_BYTES);
  const end = FILE_HEADER_BYTES + sizeBytes;
  if (end > file.length || pixelsAt > file.length) return undefined;
  const header = file.subarray(FILE_HEADER_BYTES);
  if (sizeBytes === OS2_HEADER_BYTES) {
    const size = { width: header.readUInt16LE(4), height: header.readUInt16LE(6), isTopDown: false };
    const coding = { bits: header.readUInt16LE(10), packing: PLAIN, colorBytes: 3, masks: [] };
    return checked({ ...size, ...coding, palette: file.subarray(end, pixelsAt), pixelsAt, density: NONE });
  }
  if (sizeBytes < COMMON_HEADER_BYTES) return 'unknown';
  const [packing, bits, height] = [header.readUInt32LE(16), header.readUInt16LE(14), header.readInt32LE(8)];
  const masks = masksOf(header, sizeBytes, packing) ?? USUAL_MASKS[bits] ?? [];
  const afterMasks = sizeBytes === COMMON_HEADER_BYTES ? end + extraMaskBytes(packing) : end;
  return checked({
    width: header.readInt32LE(4),
    height: Math.abs(height),
    isTopDown: height < 0,
    bits,
    packing,
    palette: file.subarray(afterMasks, Math.max(afterMasks, pixelsAt)),
    colorBytes: 4,
    masks,
    pixelsAt,
    density: { x: header.readInt32LE(24) / INCHES_PER_METRE, y: header.readInt32LE(28) / INCHES_PER_METRE },
  });
}

const NONE = { x: 0, y: 0 };

const extraMaskBytes = (packing: number): number =>
  packing === MASKS ? 12 : packing === MASKS_WITH_ALPHA ? 16 : 0;

/** The masks stand in the header, or right behind one that is too short for them. */
function masksOf(header: Buffer, sizeBytes: number, packing: number): number[] | undefined {
  if (packing !== MASKS && packing !== MASKS_WITH_ALPHA) return undefined;
  const hasAlpha = sizeBytes >= HEADER_WITH_ALPHA_BYTES || packing === MASKS_WITH_ALPHA;
  if (header.length < (hasAlpha ? HEADER_WITH_ALPHA_BYTES : HEADER_WITH_MASKS_BYTES)) return undefined;
  const at = COMMON_HEADER_BYTES;
  const colors = [header.readUInt32LE(at), header.readUInt32LE(at + 4), header.readUInt32LE(at + 8)];
  return [...colors, hasAlpha ? header.readUInt32LE(at + 12) : 0];
}

/** Each way of packing may have these bits a pixel. */
const BITS: Record<number, readonly number[] | undefined> = {
  [PLAIN]: [1, 4, 8, 16, 24, 32],
  [RUNS_OF_8]: [8],
  [RUNS_OF_4]: [4],
  [MASKS]: [16, 32],
  [MASKS_WITH_ALPHA]: [16, 32],
};

function checked(header: BmpHeader): BmpHeader | 'unknown' | undefined {
  if (header.width <= 0 || header.height <= 0) return undefined;
  return BITS[header.packing]?.includes(header.bits) ? header : 'unknown';
}

function pixelsOf(file: Buffer, header: BmpHeader, layout: PictureLayout): PictureSamples | undefined {
  const { width, height, bits, packing, pixelsAt } = header;
  const isRuns = packing === RUNS_OF_8 || packing === RUNS_OF_4;
  const stored = isRuns ? indexesOf(file.subarray(pixelsAt), header) : file.subarray(pixelsAt);
  const storedBits = isRuns ? 8 : bits;
  const rowBytes = isRuns ? width : Math.ceil((width * bits) / 32) * 4;
  if (!stored || stored.length < rowBytes * (height - 1) + Math.ceil((width * storedBits) / 8))
    return undefined;
  const rgba = Buffer.alloc(width * height * 4);
  const write = bits <= 8 ? colorWriter(header, storedBits) : bits === 24 ? bgrWriter : maskWriter(header);
  for (let y = 0; y < height; y += 1) {
    const row = stored.subarray((header.isTopDown ? y : height - 1 - y) * rowBytes);
    for (let x = 0, to = y * width * 4; x < width; x += 1, to += 4) write(rgba, to, row, x);
  }
  // Programs without support for alpha leave it at zero, and a picture that is wholly transparent is never meant.
  if (isInvisible(rgba)) for (let at = 3; at < rgba.length; at += 4) rgba[at] = 255;
  return fitted(onWhite(rgba, width, height), layout);
}

function isInvisible(rgba: Buffer): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at] !== 0) return false;
  return true;
}

/** Writes pixel `x` of a stored row to `rgba`. */
type Writer = (rgba: Buffer, to: number, row: Buffer, x: number) => void;

const bgrWriter: Writer = (rgba, to, row, x) => {
  rgba[to] = row[x * 3 + 2]!;
  rgba[to + 1] = row[x * 3 + 1]!;
  rgba[to + 2] = row[x * 3]!;
  rgba[to + 3] = 255;
};

function colorWriter({ palette, colorBytes }: BmpHeader, bits: number): Writer {
  const most = (1 << bits) - 1;
  return (rgba, to, row, x) => {
    const byte = row[(x * bits) >> 3]!;
    const color = ((byte >> (8 - bits - ((x * bits) & 7))) & most) * colorBytes;
    rgba[to] = palette[color + 2] ?? 0;
    rgba[to + 1] = palette[color + 1] ?? 0;
    rgba[to + 2] = palette[color] ?? 0;
    rgba[to + 3] = 255;
  };
}

function maskWriter({ bits, masks }: BmpHeader): Writer {
  const channels = masks.map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask);
    return { mask, shift, most: mask >>> shift };
  });
  return (rgba, to, row, x) => {
    const pixel = bits === 16 ? row.readUInt16LE(x * 2) : row.readUInt32LE(x * 4);
    for (const [sample, { mask, shift, most }] of channels.entries())
      rgba[to + sample] = most === 0 ? (sample === 3 ? 255 : 0) : (((pixel & mask) >>> shift) * 255) / most;
  };
}

/** Unpacks run lengths: a byte for each pixel, rows as they are stored. Returns undefined where the end is missing. */
function indexesOf(packed: Buffer, { width, height, packing }: BmpHeader): Buffer | undefined {
  const indexes = Buffer.alloc(width * height);
  const half = packing === RUNS_OF_4;
  /** A byte holds an index for the pixel at this place of a run. */
  const part = (byte: number, place: number) => (!half ? byte : place & 1 ? byte & 15 : byte >> 4);
  let [x, y] = [0, 0];
  const put = (index: number) => {
    if (x < width) indexes[y * width + x] = index;
    x += 1;
  };
  for (let at = 0; at + 1 < packed.length; ) {
    const [count, value] = [packed[at]!, packed[at + 1]!];
    at += 2;
    if (y >= height) return indexes;
    if (count > 0) {
      for (let place = 0; place < count && x < width; place += 1) put(part(value, place));
    } else if (value === 1) {
      return indexes;
    } else if (value === 0) {
      [x, y] = [0, y + 1];
    } else if (value === 2) {
      if (at + 2 > packed.length) return undefined;
      [x, y] = [x + packed[at]!, y + packed[at + 1]!];
      at += 2;
    } else {
      const bytes = half ? (value + 1) >> 1 : value;
      if (at + bytes > packed.length) return undefined;
      for (let place = 0; place < value; place += 1)
        put(part(packed[at + (half ? place >> 1 : place)]!, place));
      at += bytes + (bytes & 1);
    }
  }
  return y >= height - 1 && x >= width ? indexes : undefined;
}
