// Reads the header of a JPEG far enough to place it on a page undecoded. It must never decode it.
import { hasEndlessScans } from '../read/complexity/streams.ts';
import type { PictureStream } from './picture.ts';
import {
  CMYK,
  type Density,
  GRAY,
  onePicture,
  type PictureLayout,
  type PictureLimits,
  type PicturesReading,
  pictureEntries,
  plausible,
  RGB,
  refuseTooLarge,
  UNREADABLE,
} from './picture.ts';
import { readExif } from './tiff-directory.ts';

/** `isInverted` marks CMYK as Adobe's programs write it, where 255 is no ink. */
export type JpegHeader = PictureLayout & { components: 1 | 3 | 4; isInverted: boolean };

const SOI = 0xd8;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP14 = 0xee;
const EOI_BYTES = Buffer.from([0xff, 0xd9]);
// Baseline, extended and progressive Huffman coding: what the DCTDecode filter of PDF knows (ISO 32000-1, 7.4.8).
const USABLE_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const OTHER_FRAMES = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const CM_PER_INCH = 2.54;

/** Keeps the JPEG as it is: PDF readers decode the same data. */
export async function readJpeg(file: Buffer, { imagePixels }: PictureLimits): Promise<PicturesReading> {
  const header = jpegHeaderOf(file);
  if (!header) return UNREADABLE;
  const refused = refuseTooLarge('image_pixels', header.width * header.height, imagePixels);
  if (refused) return refused;
  if (hasEndlessScans(file)) return { ok: false, reason: 'too_complex', limit: 'jpeg_scans' };
  const { width, height, orientation, density } = header;
  return onePicture({ width, height, orientation, density, stream: jpegStream(header, file) });
}

/** @param data of the JPEG with this header */
export function jpegStream(
  { width, height, components, isInverted }: JpegHeader,
  data: Buffer,
): PictureStream {
  const colors = { 1: GRAY, 3: RGB, 4: CMYK }[components];
  const picture = { width, height, bits: 8, colors, isInverted };
  return { entries: `${pictureEntries(picture, components)}/Filter/DCTDecode`, data };
}

/** Returns undefined for a file that is no JPEG, is truncated, or has a coding that PDF readers do not support. */
export function jpegHeaderOf(bytes: Buffer): JpegHeader | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined;
  let frame: Pick<JpegHeader, 'width' | 'height' | 'components'> | undefined;
  let jfifDensity: Density | undefined;
  let exif = readExif(Buffer.alloc(0));
  let isAdobe = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1; // padding before a marker
      continue;
    }
    const body = bytes.subarray(at + 4, at + 2 + bytes.readUInt16BE(at + 2));
    if (OTHER_FRAMES.has(marker)) return undefined;
    if (USABLE_FRAMES.has(marker)) frame = readFrame(body);
    if (marker === APP0 && startsWith(body, 'JFIF\0')) jfifDensity = readJfifDensity(body);
    if (marker === APP1 && startsWith(body, 'Exif\0\0')) exif = readExif(body.subarray(6));
    if (marker === APP14 && startsWith(body, 'Adobe')) isAdobe = true;
    if (marker === SOS) {
      if (!frame || !bytes.includes(EOI_BYTES, at)) return undefined;
      const { orientation, density } = exif;
      return {
        ...frame,
        isInverted: isAdobe && frame.components === 4,
        orientation,
        density: jfifDensity ?? density,
      };
    }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

function readFrame(body: Buffer): Pick<JpegHeader, 'width' | 'height' | 'components'> | undefined {
  if (body.length < 6 || body[0] !== 8) return undefined; // bits per sample
  const [height, width, components] = [body.readUInt16BE(1), body.readUInt16BE(3), body[5]];
  if (width === 0 || height === 0) return undefined;
  return components === 1 || components === 3 || components === 4 ? { width, height, components } : undefined;
}

function readJfifDensity(body: Buffer): Density | undefined {
  if (body.length < 12) return undefined;
  const unit = body[7];
  if (unit !== 1 && unit !== 2) return undefined;
  const perInch = unit === 2 ? CM_PER_INCH : 1;
  return plausible({ x: body.readUInt16BE(8) * perInch, y: body.readUInt16BE(10) * perInch });
}

function startsWith(body: Buffer, text: string): boolean {
  return body.toString('latin1', 0, text.length) === text;
}
