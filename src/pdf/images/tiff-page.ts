// Describes one page of a TIFF: its coding, and the positions of its strips or tiles. It must never decode anything.

import { type NotRead, type PictureLayout, UNKNOWN_CODING, UNREADABLE } from './picture.ts';
import type { PictureStream } from './pictures-pdf.ts';
import { type JpegFacts, jpegFactsOf, jpegStream } from './read-jpeg.ts';
import { densityOf, orientationOf, type TiffValues } from './tiff-directory.ts';
import { COMPRESSION, PHOTOMETRIC, TIFF_TAG } from './tiff-tags.ts';

export type TiffPage = {
  values: TiffValues;
  layout: PictureLayout;
  width: number;
  height: number;
  /** Of each sample. */
  bits: 1 | 2 | 4 | 8 | 16;
  samples: number;
  /** Of one plane: `samples`, or 1 where each sample has a plane of its own. */
  samplesTogether: number;
  planes: number;
  compression: number;
  photometric: number;
  /** Of a strip or tile; the last strip may have fewer rows. */
  segment: { width: number; height: number; isTile: boolean };
  rowBytes: number;
};

/** A strip or a tile: its bytes, and the place of its pixels. */
export type Segment = { data: Buffer; plane: number; x: number; y: number; width: number; height: number };

export const JPEG = COMPRESSION.jpeg;
const SEPARATE_PLANES = 2;
const UNSIGNED = 1;

const COMPRESSIONS: ReadonlySet<number> = new Set(Object.values(COMPRESSION));
const FAXES: ReadonlySet<number> = new Set([COMPRESSION.faxRuns, COMPRESSION.fax3, COMPRESSION.fax4]);
/** Samples that are color; others are alpha, or mean nothing to us. */
const COLORS: Record<number, number | undefined> = {
  [PHOTOMETRIC.whiteIsZero]: 1,
  [PHOTOMETRIC.blackIsZero]: 1,
  [PHOTOMETRIC.rgb]: 3,
  [PHOTOMETRIC.palette]: 1,
  [PHOTOMETRIC.cmyk]: 4,
  [PHOTOMETRIC.ycbcr]: 3,
};

export const colorsOf = ({ photometric }: TiffPage): number => COLORS[photometric]!;

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

/** Undefined where one of them is missing, or does not lie in the file. */
export function segmentsOf(file: Buffer, page: TiffPage): Segment[] | undefined {
  const { values, segment, planes } = page;
  const offsets = values.get(segment.isTile ? TIFF_TAG.tileOffsets : TIFF_TAG.stripOffsets) ?? [];
  const sizes = values.get(segment.isTile ? TIFF_TAG.tileBytes : TIFF_TAG.stripBytes) ?? [];
  const columns = Math.ceil(page.width / segment.width);
  const rows = Math.ceil(page.height / segment.height);
  if (offsets.length < columns * rows * planes) return undefined;
  const found: Segment[] = [];
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
    found.push({ data, plane, x: (place % columns) * segment.width, y, width: segment.width, height });
  }
  return found;
}

// A marker is two bytes; these begin and end every JPEG.
const MARKER_BYTES = 2;
/** Says that three components are red, green and blue; a JPEG alone would be taken for YCbCr. */
const NOT_CONVERTED = Buffer.from('ffee000e41646f626500640000000000', 'hex');

/** A strip as a JPEG that stands for itself, with the tables that the page keeps for all of them. */
export function wholeJpeg(page: TiffPage, data: Buffer): Buffer {
  const tables = Buffer.from(page.values.get(TIFF_TAG.jpegTables) ?? []);
  const start = data.subarray(0, MARKER_BYTES);
  const colors = page.photometric === PHOTOMETRIC.rgb ? [NOT_CONVERTED] : [];
  const shared = tables.length > 2 * MARKER_BYTES ? [tables.subarray(MARKER_BYTES, -MARKER_BYTES)] : [];
  return Buffer.concat([start, ...colors, ...shared, data.subarray(MARKER_BYTES)]);
}

/** The page as PDF readers decode it themselves; undefined where the JPEG is not the picture that the page describes. */
export function jpegInTiff(page: TiffPage, data: Buffer): PictureStream | undefined {
  const whole = wholeJpeg(page, data);
  const facts: JpegFacts | undefined = jpegFactsOf(whole);
  if (!facts || facts.width !== page.width || facts.height !== page.height) return undefined;
  if (facts.components !== page.samples) return undefined;
  const isInverted = facts.isInverted || page.photometric === PHOTOMETRIC.whiteIsZero;
  return jpegStream({ ...facts, isInverted }, whole);
}
