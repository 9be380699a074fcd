// Describes one page of a TIFF: its coding, and the positions of its strips or tiles. It must never decode anything.

import { inflateSync } from 'node:zlib';
import type { PictureStream } from './picture.ts';
import {
  deflateStream,
  GRAY,
  indexed,
  type NotRead,
  type PagePicture,
  type PictureLayout,
  tryDecode,
  UNKNOWN_CODING,
  UNREADABLE,
} from './picture.ts';
import { encodePicture, fitted, giveMemoryBack, over, type PictureSamples } from './pixels.ts';
import { type JpegHeader, jpegHeaderOf, jpegStream } from './read-jpeg.ts';
import {
  COMPRESSION,
  densityOf,
  orientationOf,
  PHOTOMETRIC,
  TIFF_TAG,
  type TiffValues,
} from './tiff-directory.ts';

export type TiffPage = {
  values: TiffValues;
  layout: PictureLayout;
  width: number;
  height: number;
  /** Each sample has so many. */
  bits: 1 | 2 | 4 | 8 | 16;
  samples: number;
  /** A plane has so many samples: all of them, or 1 where each sample has a plane of its own. */
  samplesTogether: number;
  planes: number;
  compression: number;
  photometric: number;
  /** A segment is a strip or a tile; the last strip may have fewer rows. */
  segment: { width: number; height: number; isTile: boolean };
  rowBytes: number;
};

/** `x` and `y` are the place of its pixels. */
type Segment = { data: Buffer; plane: number; x: number; y: number; width: number; height: number };

export const JPEG = COMPRESSION.jpeg;
const SEPARATE_PLANES = 2;
const UNSIGNED = 1;

const COMPRESSIONS: ReadonlySet<number> = new Set(Object.values(COMPRESSION));
const FAXES: ReadonlySet<number> = new Set([COMPRESSION.faxRuns, COMPRESSION.fax3, COMPRESSION.fax4]);
/** So many samples are color; others are alpha, or mean nothing to us. */
const COLORS: Record<number, number | undefined> = {
  [PHOTOMETRIC.whiteIsZero]: 1,
  [PHOTOMETRIC.blackIsZero]: 1,
  [PHOTOMETRIC.rgb]: 3,
  [PHOTOMETRIC.palette]: 1,
  [PHOTOMETRIC.cmyk]: 4,
  [PHOTOMETRIC.ycbcr]: 3,
};

const colorsOf = ({ photometric }: TiffPage): number => COLORS[photometric]!;

export function tiffPage(values: TiffValues): TiffPage | NotRead {
  const first = (tag: number, otherwise: number) => values.get(tag)?.[0] ?? otherwise;
  const [width, height] = [first(TIFF_TAG.width, 0), first(TIFF_TAG.height, 0)];
  const samples = first(TIFF_TAG.samples, 1);
  if (width === 0 || height === 0 || samples === 0) return UNREADABLE;
  const bits = first(TIFF_TAG.bits, 1);
  const planes = first(TIFF_TAG.planar, 1) === SEPARATE_PLANES ? samples : 1;
  const samplesTogether = planes === 1 ? samples : 1;
  const page = {
    values,
    width,
    height,
    bits: bits as TiffPage['bits'],
    samples,
    samplesTogether,
    planes,
    compression: first(TIFF_TAG.compression, COMPRESSION.none),
    photometric: first(TIFF_TAG.photometric, PHOTOMETRIC.whiteIsZero),
    segment: segmentSizeOf(values, width, height),
    rowBytes: Math.ceil((width * bits * samplesTogether) / 8),
    layout: { width, height, orientation: orientationOf(values), density: densityOf(values) },
  };
  return isKnown(page) ? page : UNKNOWN_CODING;
}

function segmentSizeOf(values: TiffValues, width: number, height: number): TiffPage['segment'] {
  const tileWidth = values.get(TIFF_TAG.tileWidth)?.[0];
  const tileHeight = values.get(TIFF_TAG.tileHeight)?.[0];
  if (tileWidth !== undefined && tileHeight !== undefined)
    return { width: tileWidth, height: tileHeight, isTile: true };
  const rows = values.get(TIFF_TAG.rowsPerStrip)?.[0] || height;
  return { width, height: Math.min(rows, height), isTile: false };
}

function isKnown(page: TiffPage): boolean {
  const { values, bits, samples, planes, compression, photometric, segment } = page;
  const colors = COLORS[photometric];
  const isEven = (values.get(TIFF_TAG.bits) ?? []).every((value) => value === bits);
  const isUnsigned = (values.get(TIFF_TAG.sampleFormat) ?? []).every((format) => format === UNSIGNED);
  if (colors === undefined || samples < colors || !isEven || !isUnsigned) return false;
  if (!COMPRESSIONS.has(compression) || segment.width === 0 || segment.height === 0) return false;
  // Tiles are as wide as whole bytes (TIFF 6.0, section 15).
  if (segment.isTile && segment.width % 8 !== 0) return false;
  if (FAXES.has(compression) && (bits !== 1 || samples !== 1 || photometric > 1)) return false;
  if (compression === JPEG) return bits === 8 && planes === 1 && photometric !== PHOTOMETRIC.palette;
  if (photometric === PHOTOMETRIC.ycbcr) return false;
  if (photometric === PHOTOMETRIC.palette)
    return samples === 1 && bits <= 8 && values.get(TIFF_TAG.palette)?.length === 3 * 2 ** bits;
  if (planes > 1 && bits < 8) return false;
  return bits === 8 || bits === 16 || (samples === 1 && [1, 2, 4].includes(bits));
}

/** Returns undefined where one of them is missing, or does not lie in the file. */
export function segmentsOf(file: Buffer, page: TiffPage): Segment[] | undefined {
  const { values, segment, planes } = page;
  const offsets = values.get(segment.isTile ? TIFF_TAG.tileOffsets : TIFF_TAG.stripOffsets) ?? [];
  const sizes = values.get(segment.isTile ? TIFF_TAG.tileBytes : TIFF_TAG.stripBytes) ?? [];
  const columns = Math.ceil(page.width / segment.width);
  const rows = Math.ceil(page.height / segment.height);
  if (offsets.length < columns * rows * planes) return undefined;
  const segments: Segment[] = [];
  for (let index = 0; index < columns * rows * planes; index += 1) {
    const place = index % (columns * rows);
    const y = Math.floor(place / columns) * segment.height;
    // Tiles go over the edge of the picture, strips do not.
    const height = segment.isTile ? segment.height : Math.min(segment.height, page.height - y);
    const offset = offsets[index]!;
    const whole = Math.ceil((segment.width * page.bits * page.samplesTogether) / 8) * height;
    const sizeBytes = page.compression === COMPRESSION.none ? whole : sizes[index];
    if (sizeBytes === undefined || offset + sizeBytes > file.length) return undefined;
    const data = file.subarray(offset, offset + sizeBytes);
    const plane = Math.floor(index / (columns * rows));
    segments.push({ data, plane, x: (place % columns) * segment.width, y, width: segment.width, height });
  }
  return segments;
}

// A marker is two bytes; these begin and end every JPEG.
const MARKER_BYTES = 2;
/** Says that three components are red, green and blue; a JPEG alone would be taken for YCbCr. */
const NOT_CONVERTED = Buffer.from('ffee000e41646f626500640000000000', 'hex');

/** Makes a JPEG of a strip that stands for itself, with the tables that the page keeps for all of them. */
function wholeJpeg(page: TiffPage, data: Buffer): Buffer {
  const tables = Buffer.from(page.values.get(TIFF_TAG.jpegTables) ?? []);
  const start = data.subarray(0, MARKER_BYTES);
  const colors = page.photometric === PHOTOMETRIC.rgb ? [NOT_CONVERTED] : [];
  const shared = tables.length > 2 * MARKER_BYTES ? [tables.subarray(MARKER_BYTES, -MARKER_BYTES)] : [];
  return Buffer.concat([start, ...colors, ...shared, data.subarray(MARKER_BYTES)]);
}

/** PDF readers decode the page themselves; undefined where the JPEG is not the picture that the page describes. */
export function jpegInTiff(page: TiffPage, data: Buffer): PictureStream | undefined {
  const whole = wholeJpeg(page, data);
  const header: JpegHeader | undefined = jpegHeaderOf(whole);
  if (!header || header.width !== page.width || header.height !== page.height) return undefined;
  if (header.components !== page.samples) return undefined;
  const isInverted = header.isInverted || page.photometric === PHOTOMETRIC.whiteIsZero;
  return jpegStream({ ...header, isInverted }, whole);
}

/** Returns undefined where a piece is damaged. */
export async function tiffPicture(
  file: Buffer,
  page: TiffPage,
  segments: readonly Segment[],
): Promise<PagePicture | undefined> {
  const { layout, compression } = page;
  if (page.bits < 8 || page.photometric === PHOTOMETRIC.palette) {
    const samples = await samplesOf(file, page, segments);
    return samples && { ...layout, stream: await fewBits(page, samples) };
  }
  const pixels = await pixelsOf(file, page, segments);
  return pixels && encodePicture(pixels, layout, compression === COMPRESSION.jpeg ? 'photograph' : 'drawing');
}

async function pixelsOf(
  file: Buffer,
  page: TiffPage,
  segments: readonly Segment[],
): Promise<PictureSamples | undefined> {
  const samples = await samplesOf(file, page, segments);
  return samples && fitted(colors(page, samples), page.layout);
}

async function samplesOf(
  file: Buffer,
  page: TiffPage,
  segments: readonly Segment[],
): Promise<Buffer | undefined> {
  const decode = await decoderOf(file, page);
  const planes = Array.from({ length: page.planes }, () => Buffer.alloc(page.rowBytes * page.height));
  let litterBytes = 0;
  for (const segment of segments) {
    const pixels = await tryDecode(() => decode(segment));
    if (!pixels) return undefined;
    place(pixels, segment, page, planes[segment.plane]!);
    litterBytes += pixels.length;
    if (litterBytes < MUCH_LITTER) continue;
    litterBytes = 0;
    await giveMemoryBack();
  }
  return page.planes === 1 ? planes[0]! : interleaved(planes, page.bits / 8);
}

/** Gives the rows of a strip or tile, each beginning with a whole byte; throws at what is damaged. */
type Decoder = (segment: Segment) => Uint8Array;

async function decoderOf(file: Buffer, page: TiffPage): Promise<Decoder> {
  if (page.compression === COMPRESSION.jpeg) return jpegDecoder(page);
  const { decodeImage } = (await import('utif2')).default;
  const { compression, values } = page;
  const isDeflate = compression === COMPRESSION.deflate || compression === COMPRESSION.oldDeflate;
  return (segment) => {
    const sizeBytes = Math.ceil((segment.width * page.bits * page.samplesTogether) / 8) * segment.height;
    const packed = isDeflate
      ? inflateSync(segment.data, { maxOutputLength: sizeBytes + SLACK_BYTES })
      : segment.data;
    const isWhole = isDeflate || compression === COMPRESSION.none;
    if (isWhole && packed.length < sizeBytes) throw new RangeError('Pixels are missing.');
    const data = isWhole ? packed.subarray(0, sizeBytes) : packed;
    // A file of its own for the library: the byte order of ours, and this piece alone.
    const alone = new Uint8Array(HEAD_BYTES + data.length);
    alone.set(file.subarray(0, HEAD_BYTES));
    alone.set(data, HEAD_BYTES);
    const directory: Record<string, number[]> = {
      t256: [segment.width],
      t257: [segment.height],
      t258: Array(page.samplesTogether).fill(page.bits),
      t259: [isWhole ? COMPRESSION.none : compression],
      t262: [page.photometric],
      t273: [HEAD_BYTES],
      t277: [page.samplesTogether],
      t278: [segment.height],
      t279: [data.length],
    };
    for (const tag of [TIFF_TAG.fillOrder, TIFF_TAG.faxOptions, TIFF_TAG.predictor]) {
      const value = values.get(tag);
      if (value) directory[`t${tag}`] = [...value];
    }
    decodeImage(alone.buffer, directory as never);
    return (directory as unknown as { data: Uint8Array }).data;
  };
}

// Decoders leave several times what they give behind.
const MUCH_LITTER = 16 * 1024 * 1024;
const HEAD_BYTES = 8;
// The last strip of some programs has the rows of a whole one.
const SLACK_BYTES = 64 * 1024 * 1024;

async function jpegDecoder(page: TiffPage): Promise<Decoder> {
  const { decode } = (await import('jpeg-js')).default;
  return ({ data, width, height }) => {
    const jpeg = decode(wholeJpeg(page, data), {
      useTArray: true,
      formatAsRGBA: page.samples === 4,
      colorTransform: page.photometric === PHOTOMETRIC.ycbcr,
      tolerantDecoding: false,
      maxMemoryUsageInMB: 160,
    });
    if (jpeg.width !== width || jpeg.height < height)
      throw new RangeError('Another size than the page says.');
    return page.samples === 1 ? firstOfThree(jpeg.data) : jpeg.data;
  };
}

/** jpeg-js gives gray three times over. */
function firstOfThree(data: Uint8Array): Uint8Array {
  const gray = new Uint8Array(data.length / 3);
  for (let at = 0; at < gray.length; at += 1) gray[at] = data[at * 3]!;
  return gray;
}

function place(pixels: Uint8Array, segment: Segment, page: TiffPage, plane: Buffer): void {
  const bitsPerPixel = page.bits * page.samplesTogether;
  const fromRow = Math.ceil((segment.width * bitsPerPixel) / 8);
  const left = (segment.x * bitsPerPixel) / 8;
  const bytes = Math.min(fromRow, page.rowBytes - left);
  const rows = Math.min(segment.height, page.height - segment.y);
  for (let y = 0; y < rows; y += 1)
    plane.set(pixels.subarray(y * fromRow, y * fromRow + bytes), (segment.y + y) * page.rowBytes + left);
}

/** Puts samples of `step` bytes from their planes side by side. */
function interleaved(planes: readonly Buffer[], step: number): Buffer {
  const all = Buffer.alloc(planes.length * planes[0]!.length);
  for (const [number, plane] of planes.entries())
    for (let from = 0, to = number * step; from < plane.length; from += step, to += planes.length * step)
      for (let byte = 0; byte < step; byte += 1) all[to + byte] = plane[from + byte]!;
  return all;
}

/** Reads samples of 8 bits, lays alpha on white paper, and drops everything else beside the colors. */
function colors(page: TiffPage, data: Uint8Array): PictureSamples {
  const { width, height, samples, photometric } = page;
  const colorCount = colorsOf(page) as PictureSamples['samples'];
  const step = page.bits / 8;
  // utif2 gives 16 bits with the lower byte first, whatever the file has.
  const high = step - 1;
  const alphaKind =
    samples > colorCount && colorCount !== 4 ? (page.values.get(TIFF_TAG.extraSamples)?.[0] ?? 0) : 0;
  const isInverted = photometric === PHOTOMETRIC.whiteIsZero;
  if (step === 1 && samples === colorCount && !isInverted)
    return { width, height, samples: colorCount, data };
  const out = new Uint8Array(width * height * colorCount);
  for (let from = 0, to = 0; to < out.length; from += samples * step) {
    const alpha = alphaKind === 0 ? 255 : data[from + colorCount * step + high]!;
    for (let sample = 0; sample < colorCount; sample += 1) {
      const value = data[from + sample * step + high]!;
      const shown = isInverted ? 255 - value : value;
      out[to++] =
        alphaKind === PREMULTIPLIED
          ? Math.min(255, shown + 255 - alpha)
          : alpha === 255
            ? shown
            : over(shown, alpha);
    }
  }
  return { width, height, samples: colorCount, data: out };
}

const PREMULTIPLIED = 1;

/** PDF has up to eight bits a pixel like TIFF: gray levels, or numbers of colors. */
function fewBits({ width, height, bits, photometric, values }: TiffPage, data: Uint8Array) {
  const isPalette = photometric === PHOTOMETRIC.palette;
  const isInverted = photometric === PHOTOMETRIC.whiteIsZero;
  const colors = isPalette ? indexed(paletteOf(values.get(TIFF_TAG.palette)!)) : GRAY;
  return deflateStream({ width, height, bits, colors, isInverted }, data);
}

/** The map has all reds, then all greens, then all blues, of 16 bits each. */
function paletteOf(map: readonly number[]): Uint8Array {
  const count = map.length / 3;
  return Uint8Array.from({ length: map.length }, (_, at) => map[(at % 3) * count + Math.floor(at / 3)]! >> 8);
}
