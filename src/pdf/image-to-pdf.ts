// Makes a one-page PDF of a photograph or a scan. It must never decode more pixels than the caller allows, and never
// lose quality: JPEG data goes in as it is, PNG without loss.
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { searchable } from './bytes.ts';
import type { Density, Orientation } from './exif.ts';
import { hasEndlessScans } from './jpeg-scans.ts';
import { DOCUMENT_LIMITS } from './limits.ts';
import { onePagePdf, type PictureStream } from './one-page-pdf.ts';
import { type PageBox, roundedPoints } from './page-box.ts';
import { readJpeg } from './read-jpeg.ts';
import {
  areRowsWhole,
  type PngParts,
  readPngHeader,
  readPngParts,
  samplesOf,
  unpackedBytesOf,
  unpackPixels,
} from './read-png.ts';

const deflateAsync = promisify(deflate);

/** What a picture became. `too_large` is told from the header alone: pixels, or bytes of them once unpacked. */
export type ImagePdf =
  | { ok: true; pdf: Uint8Array; page: PageBox }
  | { ok: false; reason: 'unreadable' }
  | ImageTooLarge
  | { ok: false; reason: 'too_complex'; limit: 'jpeg_scans' };
export type ImageTooLarge = {
  ok: false;
  reason: 'too_large';
  limit: ImageLimit;
  actual: number;
  allowed: number;
};
export type ImageLimit = 'image_pixels' | 'image_bytes';

/** Pixels of any picture, and bytes of those of a PNG, which is unpacked to become a page. */
export type ImageLimits = { imagePixels: number; pngBytes: number };

const POINTS_PER_INCH = 72;
const SCREEN_DENSITY: Density = { x: 96, y: 96 };
// A4 in whole points, upright; a wide picture may lie on its side.
const MOST = { short: 595, long: 842 };
const LEAST_POINTS = 1;

/**
 * One page, exactly as large as the picture: at the density the file states, else 96 pixels per inch, made smaller to
 * fit A4 but never larger. EXIF orientation is honoured. The same bytes in give the same bytes out.
 */
export async function imageToPdf(
  bytes: Uint8Array,
  kind: 'png' | 'jpeg',
  limits: ImageLimits = DOCUMENT_LIMITS,
): Promise<ImagePdf> {
  const file = searchable(bytes);
  return kind === 'png' ? pngToPdf(file, limits) : jpegToPdf(file, limits);
}

function jpegToPdf(file: Buffer, { imagePixels }: ImageLimits): ImagePdf {
  const facts = readJpeg(file);
  if (!facts) return { ok: false, reason: 'unreadable' };
  const { width, height, components, isInverted, orientation, density } = facts;
  if (width * height > imagePixels) return tooLarge('image_pixels', width * height, imagePixels);
  if (hasEndlessScans(file)) return { ok: false, reason: 'too_complex', limit: 'jpeg_scans' };
  const page = pageFor(width, height, density, orientation);
  const colours = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }[components];
  const decode = isInverted ? '/Decode[1 0 1 0 1 0 1 0]' : '';
  const picture = {
    entries: `${imageEntries(width, height, colours, 8)}${decode}/Filter/DCTDecode`,
    data: file,
  };
  return { ok: true, page, pdf: onePagePdf({ page, picture, matrix: placement(orientation, page) }) };
}

async function pngToPdf(file: Buffer, { imagePixels, pngBytes }: ImageLimits): Promise<ImagePdf> {
  const header = readPngHeader(file);
  if (!header) return { ok: false, reason: 'unreadable' };
  const pixels = header.width * header.height;
  if (pixels > imagePixels) return tooLarge('image_pixels', pixels, imagePixels);
  const sizeBytes = unpackedBytesOf(header);
  if (sizeBytes > pngBytes) return tooLarge('image_bytes', sizeBytes, pngBytes);
  const parts = readPngParts(file);
  const streams = parts && (isNativeToPdf(parts) ? await nativeStreams(parts) : await unpackedStreams(parts));
  if (!streams) return { ok: false, reason: 'unreadable' };
  const page = pageFor(header.width, header.height, parts.density, parts.orientation);
  return {
    ok: true,
    page,
    pdf: onePagePdf({ page, ...streams, matrix: placement(parts.orientation, page) }),
  };
}

function tooLarge(limit: ImageLimit, actual: number, allowed: number): ImageTooLarge {
  return { ok: false, reason: 'too_large', limit, actual, allowed };
}

type Streams = { picture: PictureStream; mask?: PictureStream };

/** PDF has PNG's own filters (ISO 32000-1, 7.4.4.4), but no interlacing, and keeps alpha in a picture of its own. */
function isNativeToPdf({ header, transparency }: PngParts): boolean {
  const hasAlpha = header.colourType >= 4 || (header.colourType === 3 && transparency !== undefined);
  return !header.isInterlaced && !hasAlpha;
}

async function nativeStreams(parts: PngParts): Promise<Streams | undefined> {
  if (!(await areRowsWhole(parts))) return undefined;
  const { width, bits } = parts.header;
  const filter = `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${samplesOf(parts.header)}`;
  const entries = `${colourEntries(parts)}${filter}/BitsPerComponent ${bits}/Columns ${width}>>`;
  return { picture: { entries, data: parts.packedPixels } };
}

async function unpackedStreams(parts: PngParts): Promise<Streams | undefined> {
  const pixels = await unpackPixels(parts);
  if (!pixels) return undefined;
  const { width, height, bits, colourType } = parts.header;
  const { colour, alpha } =
    colourType >= 4 ? splitAlpha(pixels, parts) : { colour: pixels, alpha: paletteAlpha(pixels, parts) };
  const picture = { entries: `${colourEntries(parts)}/Filter/FlateDecode`, data: await deflateAsync(colour) };
  if (!alpha) return { picture };
  const entries = `${imageEntries(width, height, '/DeviceGray', colourType >= 4 ? bits : 8)}/Filter/FlateDecode`;
  return { picture, mask: { entries, data: await deflateAsync(alpha) } };
}

/** Separates the last sample of every pixel from the others. Samples here are one or two whole bytes. */
function splitAlpha(pixels: Buffer, { header }: PngParts): { colour: Buffer; alpha: Buffer } {
  const sampleBytes = header.bits >> 3;
  const colourBytes = (samplesOf(header) - 1) * sampleBytes;
  const count = header.width * header.height;
  const [colour, alpha] = [Buffer.alloc(count * colourBytes), Buffer.alloc(count * sampleBytes)];
  for (let pixel = 0, from = 0; pixel < count; pixel += 1) {
    for (let byte = 0; byte < colourBytes; byte += 1) colour[pixel * colourBytes + byte] = pixels[from++]!;
    for (let byte = 0; byte < sampleBytes; byte += 1) alpha[pixel * sampleBytes + byte] = pixels[from++]!;
  }
  return { colour, alpha };
}

/** One byte of alpha for each pixel of a palette picture; undefined for pictures whose palette has none. */
function paletteAlpha(pixels: Buffer, { header, transparency }: PngParts): Buffer | undefined {
  if (header.colourType !== 3 || !transparency) return undefined;
  const { width, height, bits } = header;
  const rowBytes = Math.ceil((width * bits) / 8);
  const alpha = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const byte = pixels[y * rowBytes + ((x * bits) >> 3)]!;
      const index = (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
      alpha[y * width + x] = transparency[index] ?? 255;
    }
  }
  return alpha;
}

function colourEntries({ header, palette, transparency }: PngParts): string {
  const { width, height, bits, colourType } = header;
  const isGray = colourType === 0 || colourType === 4;
  const last = Math.floor((palette?.length ?? 0) / 3) - 1;
  const colours =
    colourType === 3
      ? `[/Indexed/DeviceRGB ${last}<${palette!.toString('hex', 0, (last + 1) * 3)}>]`
      : isGray
        ? '/DeviceGray'
        : '/DeviceRGB';
  return `${imageEntries(width, height, colours, bits)}${colourKey(colourType, transparency)}`;
}

/** The one colour that PNG calls transparent is a colour key mask in PDF (ISO 32000-1, 8.9.6.4). */
function colourKey(colourType: number, transparency: Buffer | undefined): string {
  const samples = colourType === 0 ? 1 : 3;
  if ((colourType !== 0 && colourType !== 2) || transparency?.length !== samples * 2) return '';
  const values = Array.from({ length: samples }, (_, index) => transparency.readUInt16BE(index * 2));
  return `/Mask[${values.map((value) => `${value} ${value}`).join(' ')}]`;
}

function imageEntries(width: number, height: number, colours: string, bits: number): string {
  const size = `/Width ${width}/Height ${height}`;
  return `/Type/XObject/Subtype/Image${size}/ColorSpace${colours}/BitsPerComponent ${bits}`;
}

function pageFor(width: number, height: number, density = SCREEN_DENSITY, orientation: Orientation): PageBox {
  const stored = { x: (width / density.x) * POINTS_PER_INCH, y: (height / density.y) * POINTS_PER_INCH };
  const shown = orientation >= 5 ? { x: stored.y, y: stored.x } : stored;
  const most = shown.x > shown.y ? { x: MOST.long, y: MOST.short } : { x: MOST.short, y: MOST.long };
  const scale = Math.min(1, most.x / shown.x, most.y / shown.y);
  return {
    width: roundedPoints(Math.max(LEAST_POINTS, shown.x * scale)),
    height: roundedPoints(Math.max(LEAST_POINTS, shown.y * scale)),
    rotation: 0,
  };
}

/** The matrix that puts the stored picture upright onto the whole page, for each EXIF orientation. */
function placement(orientation: Orientation, { width: w, height: h }: PageBox): readonly number[] {
  const matrices: Record<Orientation, readonly number[]> = {
    1: [w, 0, 0, h, 0, 0],
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  };
  return matrices[orientation];
}
