// Encodes pixels as image streams of a PDF (ISO 32000-1, 8.9.5).
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { PictureStream } from './pictures-pdf.ts';

export type PictureEntries = {
  width: number;
  height: number;
  /** A name or an array, as it stands in the file. */
  colors: string;
  bits: number;
  /** Whether the least value of a sample means the most of it. */
  isInverted?: boolean | undefined;
};

export const GRAY = '/DeviceGray';
export const RGB = '/DeviceRGB';
export const CMYK = '/DeviceCMYK';

/** The color space of a palette with three bytes per color. */
export const indexed = (palette: Uint8Array): string =>
  `[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${Buffer.from(palette).toString('hex')}>]`;

/** @param samples of a pixel */
export function pictureEntries(
  { width, height, colors, bits, isInverted }: PictureEntries,
  samples = 1,
): string {
  const size = `/Width ${width}/Height ${height}`;
  const decode = isInverted ? `/Decode[${Array(samples).fill('1 0').join(' ')}]` : '';
  return `/Type/XObject/Subtype/Image${size}/ColorSpace${colors}/BitsPerComponent ${bits}${decode}`;
}

const deflateAsync = promisify(deflate);
// Of photographs the higher levels save a hundredth and take a seventh longer.
const LEVEL = 4;

/** Compresses pixels without loss. Rows of `data` begin at whole bytes. */
export async function deflateStream(picture: PictureEntries, data: Uint8Array): Promise<PictureStream> {
  const packed = await deflateAsync(data, { level: LEVEL });
  return { entries: `${pictureEntries(picture)}/Filter/FlateDecode`, data: packed };
}
