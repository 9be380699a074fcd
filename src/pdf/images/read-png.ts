// Reads a PNG (ISO/IEC 15948). One that PDF can hold goes in as it is, without loss and without work; one with alpha is
// laid on white paper; what is interlaced, or clear in other ways, is unpacked by pngjs. It must never unpack pixels before
// their number was checked.
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { PictureStream } from './picture.ts';
import {
  type Density,
  GRAY,
  indexed,
  onePicture,
  type PictureLayout,
  type PictureLimits,
  type PicturesReading,
  pictureEntries,
  plausible,
  RGB,
  refuseTooLarge,
  tryDecode,
  UNREADABLE,
} from './picture.ts';
import { alphaOnWhite, encodePicture, fitted, onWhite, type PictureSamples } from './pixels.ts';
import { readExif } from './tiff-directory.ts';

const inflateAsync = promisify(inflate);

/** `colorType` is 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6 RGB + alpha. */
type PngHeader = {
  width: number;
  height: number;
  bits: number;
  colorType: number;
  isInterlaced: boolean;
};

/** Only these parts of the file show: everything else in a PNG is text, times and color hints. */
type PngParts = {
  header: PngHeader;
  palette: Buffer | undefined;
  isTransparent: boolean;
  packedPixels: Buffer;
  layout: PictureLayout;
};

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SAMPLES: Record<number, number | undefined> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const BITS: Record<number, number[] | undefined> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PALETTE_TYPE = 3;
const ALPHA_TYPES = 4;
const RGB_AND_ALPHA = 6;
const INCHES_PER_METRE = 1 / 0.0254;

export async function readPng(file: Buffer, limits: PictureLimits): Promise<PicturesReading> {
  const header = pngHeaderOf(file);
  if (!header) return UNREADABLE;
  const pixels = header.width * header.height;
  const refused =
    refuseTooLarge('image_pixels', pixels, limits.imagePixels) ??
    refuseTooLarge('image_bytes', unpackedBytesOf(header), limits.pixelBytes);
  if (refused) return refused;
  const png = partsOf(file, header);
  if (!png) return UNREADABLE;
  if (!header.isInterlaced && !png.isTransparent) {
    const stream = await nativeStream(png);
    return stream ? onePicture({ ...png.layout, stream }) : UNREADABLE;
  }
  if (!header.isInterlaced && header.colorType >= ALPHA_TYPES) {
    const shown = await withoutAlpha(png);
    return shown ? onePicture(await encodePicture(shown, png.layout, 'drawing')) : UNREADABLE;
  }
  return refuseTooLarge('image_pixels', pixels, limits.pngPixels) ?? unpackParts(file, png);
}

/** Returns four bytes a pixel, with its alpha; undefined for what is damaged. The caller has to check the size before: `pngHeaderOf`. */
export async function rgbaOfPng(file: Buffer): Promise<Uint8Array | undefined> {
  const header = pngHeaderOf(file);
  const png = header && partsOf(file, header);
  if (!png) return undefined;
  const { height, bits, colorType, isInterlaced } = png.header;
  if (colorType === RGB_AND_ALPHA && bits === 8 && !isInterlaced) {
    const rowBytes = rowBytesOf(png.header);
    const filtered = await inflateWithin(png.packedPixels, (1 + rowBytes) * height);
    const isWhole = filtered && filtered.length >= (1 + rowBytes) * height;
    return isWhole ? undoFilters(filtered, rowBytes, height, 4) : undefined;
  }
  return (await readByPngjs(file, png))?.data;
}

/** Reads the header alone, to be checked against a limit before the rest is read. */
export function pngHeaderOf(bytes: Buffer): PngHeader | undefined {
  return bytes.subarray(0, 8).equals(SIGNATURE) ? readHeader(bytes.subarray(16, 29)) : undefined;
}

/** Samples count as they are stored: alpha is one, and so is a palette index. */
const samplesOf = ({ colorType }: PngHeader): number => SAMPLES[colorType]!;

const rowBytesOf = (header: PngHeader): number =>
  Math.ceil((header.width * header.bits * samplesOf(header)) / 8);

/** Tells how much memory the pixels take once they are unpacked. */
const unpackedBytesOf = (header: PngHeader): number => rowBytesOf(header) * header.height;

/** Finds the parts of the file without unpacking anything, or undefined when it is no whole PNG. */
function partsOf(bytes: Buffer, header: PngHeader): PngParts | undefined {
  const chunks = new Map<string, Buffer>();
  const pixels: Buffer[] = [];
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return undefined;
    const data = bytes.subarray(at + 8, end);
    if (type === 'IDAT') pixels.push(data);
    else if (!chunks.has(type)) chunks.set(type, data);
    if (type === 'IEND') break;
    at = end + 4;
  }
  const palette = chunks.get('PLTE');
  if (!chunks.has('IEND') || pixels.length === 0) return undefined;
  if (header.colorType === PALETTE_TYPE && (!palette || palette.length < 3 || palette.length > 768))
    return undefined;
  const { width, height } = header;
  const { orientation } = readExif(chunks.get('eXIf') ?? Buffer.alloc(0));
  return {
    header,
    palette,
    isTransparent: header.colorType >= ALPHA_TYPES || chunks.has('tRNS'),
    packedPixels: Buffer.concat(pixels),
    layout: { width, height, orientation, density: readDensity(chunks.get('pHYs')) },
  };
}

/** PDF has PNG's own filters (ISO 32000-1, 7.4.4.4). Undefined where rows are missing or have a filter that does not exist. */
async function nativeStream({ header, palette, packedPixels }: PngParts): Promise<PictureStream | undefined> {
  const { width, height, bits, colorType } = header;
  const stride = 1 + rowBytesOf(header);
  const filtered = await inflateWithin(packedPixels, stride * height);
  if (!filtered || filtered.length < stride * height) return undefined;
  for (let at = 0; at < stride * height; at += stride) if (filtered[at]! > 4) return undefined;
  const colors =
    colorType === PALETTE_TYPE
      ? indexed(palette!.subarray(0, palette!.length - (palette!.length % 3)))
      : colorType === 0
        ? GRAY
        : RGB;
  const filter = `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${samplesOf(header)}`;
  return {
    entries: `${pictureEntries({ width, height, bits, colors })}${filter}/BitsPerComponent ${bits}/Columns ${width}>>`,
    data: packedPixels,
  };
}

/** Screens are captured with alpha, and have up to 33 megapixels: the rows are undone where they are, in a third of the memory. */
async function withoutAlpha({ header, packedPixels, layout }: PngParts): Promise<PictureSamples | undefined> {
  const { width, height, bits } = header;
  const rowBytes = rowBytesOf(header);
  const filtered = await inflateWithin(packedPixels, (1 + rowBytes) * height);
  if (!filtered || filtered.length < (1 + rowBytes) * height) return undefined;
  const rows = undoFilters(filtered, rowBytes, height, (samplesOf(header) * bits) >> 3);
  return rows && fitted(alphaOnWhite(rows, width, height, samplesOf(header), bits >> 3), layout);
}

async function unpackParts(file: Buffer, png: PngParts): Promise<PicturesReading> {
  const pixels = await pixelsOf(file, png);
  return pixels ? onePicture(await encodePicture(pixels, png.layout, 'drawing')) : UNREADABLE;
}

async function pixelsOf(file: Buffer, content: PngParts): Promise<PictureSamples | undefined> {
  const png = await readByPngjs(file, content);
  const { layout } = content;
  return png && fitted(onWhite(png.data, layout.width, layout.height), layout);
}

async function readByPngjs(file: Buffer, { header, packedPixels }: PngParts) {
  // pngjs bounds what it inflates, except where it is interlaced: seven pictures, each with rows of its own.
  const mostBytes = unpackedBytesOf(header) + header.height * 4 + 64;
  if (header.isInterlaced && !(await inflateWithin(packedPixels, mostBytes))) return undefined;
  const { PNG } = (await import('pngjs')).default;
  return tryDecode(() => PNG.sync.read(file, { checkCRC: false }));
}

/** Returns undefined for what is damaged, or becomes longer than a little more than `mostBytes`. */
function inflateWithin(packed: Buffer, mostBytes: number): Promise<Buffer | undefined> {
  const maxOutputLength = mostBytes + DOCUMENT_LIMITS.pngSlackBytes;
  // In one piece: put together from many, it would be in memory twice.
  return inflateAsync(packed, { maxOutputLength, chunkSize: maxOutputLength }).catch(() => undefined);
}

function readHeader(data: Buffer): PngHeader | undefined {
  if (data.length !== 13) return undefined;
  const [width, height, bits, colorType] = [data.readUInt32BE(0), data.readUInt32BE(4), data[8]!, data[9]!];
  const [compression, filter, interlace] = [data[10], data[11], data[12]!];
  if (width === 0 || height === 0 || !BITS[colorType]?.includes(bits)) return undefined;
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined;
  return { width, height, bits, colorType, isInterlaced: interlace === 1 };
}

function readDensity(data: Buffer | undefined): Density | undefined {
  if (data?.length !== 9 || data[8] !== 1) return undefined;
  return plausible({
    x: data.readUInt32BE(0) / INCHES_PER_METRE,
    y: data.readUInt32BE(4) / INCHES_PER_METRE,
  });
}

/**
 * Writes the rows one after another, at the beginning of the bytes that were given, which are used again. Returns undefined for a filter
 * that does not exist.
 * @param back bytes from a sample to the same one of the pixel before it
 */
function undoFilters(
  filtered: Uint8Array,
  rowBytes: number,
  height: number,
  back: number,
): Uint8Array | undefined {
  for (let y = 0; y < height; y += 1) {
    // A row begins after the bytes that name the filters of those before it, and moves forward by as many.
    const from = y * (rowBytes + 1) + 1;
    const filter = filtered[from - 1]!;
    if (filter > 4) return undefined;
    unfilterRow(filtered, { from, to: y * rowBytes, rowBytes, back, filter, isFirst: y === 0 });
  }
  return filtered.subarray(0, rowBytes * height);
}

type Row = { from: number; to: number; rowBytes: number; back: number; filter: number; isFirst: boolean };

function unfilterRow(bytes: Uint8Array, { from, to, rowBytes, back, filter, isFirst }: Row): void {
  if (filter === 0) {
    bytes.copyWithin(to, from, from + rowBytes);
    return;
  }
  for (let x = 0; x < rowBytes; x += 1) {
    const left = x < back ? 0 : bytes[to + x - back]!;
    const up = isFirst ? 0 : bytes[to + x - rowBytes]!;
    const upLeft = isFirst || x < back ? 0 : bytes[to + x - rowBytes - back]!;
    bytes[to + x] = bytes[from + x]! + expected(filter, left, up, upLeft);
  }
}

function expected(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
