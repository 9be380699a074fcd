// Reads a PNG (ISO/IEC 15948) far enough to put it into a PDF: as it is where PDF knows the same coding, otherwise
// unpacked into colour and alpha. It must never allocate for pixels before their number was checked.
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { type Density, type Orientation, plausible, readExif } from './exif.ts';
import { DOCUMENT_LIMITS } from './limits.ts';

const inflateAsync = promisify(inflate);

/** What the header says. `colourType`: 0 gray, 2 RGB, 3 palette, 4 gray + alpha, 6 RGB + alpha. */
export type PngHeader = {
  width: number;
  height: number;
  bits: number;
  colourType: number;
  isInterlaced: boolean;
};

/** The parts of the file that show: everything else in a PNG is text, times and colour hints. */
export type PngParts = {
  header: PngHeader;
  palette: Buffer | undefined;
  transparency: Buffer | undefined;
  density: Density | undefined;
  orientation: Orientation;
  packedPixels: Buffer;
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
const INCHES_PER_METRE = 1 / 0.0254;

/** Samples per pixel as stored: alpha counts, a palette index is one. */
export function samplesOf({ colourType }: PngHeader): number {
  return SAMPLES[colourType]!;
}

/** Finds the parts of the file without unpacking anything, or undefined when it is no whole PNG. */
export function readPngParts(bytes: Buffer): PngParts | undefined {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const found = new Map<string, Buffer>();
  const pixels: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return undefined;
    const data = bytes.subarray(at + 8, end);
    if (type === 'IDAT') pixels.push(data);
    else if (!found.has(type)) found.set(type, data);
    if (type === 'IEND') break;
    at = end + 4;
  }
  const header = readHeader(found.get('IHDR'));
  const palette = found.get('PLTE');
  if (!header || !found.has('IEND') || pixels.length === 0) return undefined;
  if (header.colourType === 3 && (!palette || palette.length < 3 || palette.length > 768)) return undefined;
  return {
    header,
    palette,
    transparency: found.get('tRNS'),
    density: readDensity(found.get('pHYs')),
    orientation: readExif(found.get('eXIf') ?? Buffer.alloc(0)).orientation,
    packedPixels: Buffer.concat(pixels),
  };
}

/** The header alone, to be checked against a limit before the rest is read. */
export function readPngHeader(bytes: Buffer): PngHeader | undefined {
  return bytes.subarray(0, 8).equals(SIGNATURE) ? readHeader(bytes.subarray(16, 29)) : undefined;
}

/** How much memory the pixels take once they are unpacked. */
export function unpackedBytesOf(header: PngHeader): number {
  return Math.ceil((header.width * header.bits * samplesOf(header)) / 8) * header.height;
}

/** The pixels row by row, unfiltered and not interlaced any more, each row padded to whole bytes; undefined if damaged. */
export async function unpackPixels({ header, packedPixels }: PngParts): Promise<Buffer | undefined> {
  const filtered = await inflateRows(header, packedPixels);
  if (!filtered) return undefined;
  const bitsPerPixel = header.bits * samplesOf(header);
  const picture = Buffer.alloc(Math.ceil((header.width * bitsPerPixel) / 8) * header.height);
  let at = 0;
  for (const pass of passesOf(header)) {
    const sizeBytes = filteredSize(pass, bitsPerPixel);
    const rows = unfilter(filtered.subarray(at, at + sizeBytes), pass, bitsPerPixel);
    if (!rows) return undefined;
    at += sizeBytes;
    if (!header.isInterlaced) return rows;
    spread(rows, pass, picture, header.width, bitsPerPixel);
  }
  return picture;
}

/** Whether the packed pixels hold what the header promises, in filters that exist. */
export async function areRowsWhole({ header, packedPixels }: PngParts): Promise<boolean> {
  const filtered = await inflateRows(header, packedPixels);
  if (!filtered) return false;
  const stride = 1 + Math.ceil((header.width * header.bits * samplesOf(header)) / 8);
  for (let at = 0; at < filtered.length; at += stride) if (filtered[at]! > 4) return false;
  return true;
}

async function inflateRows(header: PngHeader, packedPixels: Buffer): Promise<Buffer | undefined> {
  const bitsPerPixel = header.bits * samplesOf(header);
  const sizeBytes = passesOf(header).reduce((sum, pass) => sum + filteredSize(pass, bitsPerPixel), 0);
  const inflated = await inflateAsync(packedPixels, {
    maxOutputLength: sizeBytes + DOCUMENT_LIMITS.pngSlackBytes,
  }).catch(() => undefined);
  return inflated && inflated.length >= sizeBytes ? inflated.subarray(0, sizeBytes) : undefined;
}

function readHeader(data: Buffer | undefined): PngHeader | undefined {
  if (data?.length !== 13) return undefined;
  const [width, height, bits, colourType] = [data.readUInt32BE(0), data.readUInt32BE(4), data[8]!, data[9]!];
  const [compression, filter, interlace] = [data[10], data[11], data[12]!];
  if (width === 0 || height === 0 || !BITS[colourType]?.includes(bits)) return undefined;
  if (compression !== 0 || filter !== 0 || interlace > 1) return undefined;
  return { width, height, bits, colourType, isInterlaced: interlace === 1 };
}

function readDensity(data: Buffer | undefined): Density | undefined {
  if (data?.length !== 9 || data[8] !== 1) return undefined;
  return plausible({
    x: data.readUInt32BE(0) / INCHES_PER_METRE,
    y: data.readUInt32BE(4) / INCHES_PER_METRE,
  });
}

type Pass = { width: number; height: number; left: number; top: number; stepX: number; stepY: number };

// Adam7: where each pass begins and how far apart its pixels are (left, top, stepX, stepY).
const ADAM7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function passesOf({ width, height, isInterlaced }: PngHeader): Pass[] {
  if (!isInterlaced) return [{ width, height, left: 0, top: 0, stepX: 1, stepY: 1 }];
  return ADAM7.map(([left, top, stepX, stepY]) => ({
    width: Math.ceil((width - left) / stepX),
    height: Math.ceil((height - top) / stepY),
    left,
    top,
    stepX,
    stepY,
  })).filter((pass) => pass.width > 0 && pass.height > 0);
}

function filteredSize({ width, height }: Pass, bitsPerPixel: number): number {
  return (1 + Math.ceil((width * bitsPerPixel) / 8)) * height;
}

/** Undoes the filters of PNG 9.2; undefined for one that does not exist. */
function unfilter(filtered: Buffer, { width, height }: Pass, bitsPerPixel: number): Buffer | undefined {
  const rowBytes = Math.ceil((width * bitsPerPixel) / 8);
  const back = Math.max(1, bitsPerPixel >> 3);
  const rows = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (rowBytes + 1)]!;
    if (filter > 4) return undefined;
    const [from, to] = [y * (rowBytes + 1) + 1, y * rowBytes];
    for (let x = 0; x < rowBytes; x += 1) {
      const left = x < back ? 0 : rows[to + x - back]!;
      const up = y === 0 ? 0 : rows[to + x - rowBytes]!;
      const upLeft = x < back || y === 0 ? 0 : rows[to + x - rowBytes - back]!;
      rows[to + x] = filtered[from + x]! + prediction(filter, left, up, upLeft);
    }
  }
  return rows;
}

function prediction(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - upLeft;
  const [dLeft, dUp, dUpLeft] = [
    Math.abs(estimate - left),
    Math.abs(estimate - up),
    Math.abs(estimate - upLeft),
  ];
  if (dLeft <= dUp && dLeft <= dUpLeft) return left;
  return dUp <= dUpLeft ? up : upLeft;
}

/** Puts the pixels of one interlacing pass where they belong in the whole picture. */
function spread(rows: Buffer, pass: Pass, picture: Buffer, width: number, bitsPerPixel: number): void {
  const fromRow = Math.ceil((pass.width * bitsPerPixel) / 8);
  const toRow = Math.ceil((width * bitsPerPixel) / 8);
  for (let y = 0; y < pass.height; y += 1) {
    for (let x = 0; x < pass.width; x += 1) {
      const from = y * fromRow * 8 + x * bitsPerPixel;
      const to = (pass.top + y * pass.stepY) * toRow * 8 + (pass.left + x * pass.stepX) * bitsPerPixel;
      if (bitsPerPixel >= 8) {
        for (let byte = 0; byte < bitsPerPixel >> 3; byte += 1)
          picture[(to >> 3) + byte] = rows[(from >> 3) + byte]!;
      } else {
        const value = (rows[from >> 3]! >> (8 - bitsPerPixel - (from & 7))) & ((1 << bitsPerPixel) - 1);
        picture[to >> 3] = picture[to >> 3]! | (value << (8 - bitsPerPixel - (to & 7)));
      }
    }
  }
}
