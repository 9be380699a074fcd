// Reads directories of TIFF 6.0: what a TIFF file says of each of its pages, and what EXIF says of a photograph, which is
// such a directory inside of a JPEG, PNG or WebP. It must never trust an offset or a count, and never read the
// place or the author of a photograph.
import { type Density, type Orientation, plausible } from './picture.ts';

export const TIFF_TAG = {
  subfileType: 254,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  densityX: 282,
  densityY: 283,
  planar: 284,
  faxOptions: 292,
  densityUnit: 296,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
} as const;

export const TIFF_TAGS: ReadonlySet<number> = new Set(Object.values(TIFF_TAG));

export const COMPRESSION = {
  none: 1,
  faxRuns: 2,
  fax3: 3,
  fax4: 4,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
} as const;

/** They say what the samples mean. */
export const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, ycbcr: 6 } as const;

/** It has the tags that are asked for. Ratios are numbers; what is damaged or of another type is absent. */
export type TiffValues = ReadonlyMap<number, readonly number[]>;

/** `next` is where the next directory begins; 0 after the last. */
type TiffDirectory = { values: TiffValues; next: number };

type Exif = { orientation: Orientation; density: Density | undefined };

/** `remaining` is how many values may still be read: those of a sound file are fewer than its bytes. */
type TiffBlock = {
  bytes: Buffer;
  isLittle: boolean;
  first: number;
  remaining: number;
};

const TAG = { orientation: 0x0112, densityX: 0x011a, densityY: 0x011b, densityUnit: 0x0128 };
const EXIF_TAGS = new Set(Object.values(TAG));
const CENTIMETRE = 3;
const NO_UNIT = 1;
const CM_PER_INCH = 2.54;
const ENTRY_BYTES = 12;
// Bytes of a value, by its type: BYTE, SHORT, LONG, RATIONAL, UNDEFINED (TIFF 6.0, section 2).
const TYPE_BYTES: Record<number, number | undefined> = { 1: 1, 3: 2, 4: 4, 5: 8, 7: 1 };

/** Returns undefined for what does not begin as TIFF does. */
export function openTiff(bytes: Buffer): TiffBlock | undefined {
  const mark = bytes.toString('latin1', 0, 4);
  if (bytes.length < 8 || (mark !== 'II*\0' && mark !== 'MM\0*')) return undefined;
  const isLittle = mark.startsWith('II');
  const first = isLittle ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
  return { bytes, isLittle, first, remaining: bytes.length };
}

/** Returns undefined for a directory that is not whole. */
export function readDirectory(
  block: TiffBlock,
  at: number,
  tags: ReadonlySet<number>,
): TiffDirectory | undefined {
  if (at + 2 > block.bytes.length) return undefined;
  const end = at + 2 + number(block, at, 2) * ENTRY_BYTES;
  if (end > block.bytes.length) return undefined;
  const values = new Map<number, readonly number[]>();
  for (let entry = at + 2; entry < end; entry += ENTRY_BYTES) {
    const tag = number(block, entry, 2);
    const numbers = tags.has(tag) && !values.has(tag) ? readValues(block, entry) : undefined;
    if (numbers) values.set(tag, numbers);
  }
  return { values, next: end + 4 <= block.bytes.length ? number(block, end, 4) : 0 };
}

function readValues(block: TiffBlock, entry: number): number[] | undefined {
  const size = TYPE_BYTES[number(block, entry + 2, 2)];
  const count = number(block, entry + 4, 4);
  if (size === undefined || count === 0 || count > block.remaining) return undefined;
  const at = count * size <= 4 ? entry + 8 : number(block, entry + 8, 4);
  if (at + count * size > block.bytes.length) return undefined;
  block.remaining -= count;
  return Array.from({ length: count }, (_, index) => {
    const place = at + index * size;
    return size === 8 ? number(block, place, 4) / number(block, place + 4, 4) : number(block, place, size);
  });
}

function number({ bytes, isLittle }: TiffBlock, at: number, size: number): number {
  return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}

/** Reads the content of a JPEG's APP1 segment after `Exif\0\0`. Whatever is damaged counts as absent. */
export function readExif(bytes: Buffer): Exif {
  const block = openTiff(bytes);
  const directory = block && readDirectory(block, block.first, EXIF_TAGS);
  return directory
    ? { orientation: orientationOf(directory.values), density: densityOf(directory.values) }
    : { orientation: 1, density: undefined };
}

export function orientationOf(values: TiffValues): Orientation {
  const orientation = values.get(TAG.orientation)?.[0] ?? 1;
  return orientation >= 1 && orientation <= 8 ? (orientation as Orientation) : 1;
}

export function densityOf(values: TiffValues): Density | undefined {
  const unit = values.get(TAG.densityUnit)?.[0];
  const x = values.get(TAG.densityX)?.[0];
  if (x === undefined || unit === NO_UNIT) return undefined;
  const perInch = unit === CENTIMETRE ? CM_PER_INCH : 1;
  return plausible({ x: x * perInch, y: (values.get(TAG.densityY)?.[0] ?? x) * perInch });
}
