// Defines the result of every reader of this folder: a picture for a page, or the reason why there is none.

import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { type PageBox, roundedPoints } from '../geometry.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';

/** It says where row 0 and column 0 of the stored picture belong (TIFF 6.0, tag 274). 1 is upright; 6 is a phone held upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** It counts pixels per inch in each direction. */
export type Density = { x: number; y: number };

/** `width` and `height` are those of the file, before anything was scaled or turned. */
export type PictureLayout = {
  width: number;
  height: number;
  orientation: Orientation;
  density: Density | undefined;
};

/** `entries` are those of the dictionary, without /Length. */
export type PictureStream = { entries: string; data: Uint8Array };

export type PagePicture = PictureLayout & { stream: PictureStream };

/** The pictures of a file are in the order of its pages. */
export type PicturesReading = { ok: true; pictures: PagePicture[] } | NotRead;

/** With `unknown_coding` nothing is wrong with the file, but neither we nor a library can decode it. */
export type NotRead =
  | { ok: false; reason: 'unreadable' | 'unknown_coding' }
  | { ok: false; reason: 'too_many_pages'; pageCount: number }
  | { ok: false; reason: 'too_complex'; limit: 'jpeg_scans' }
  | TooLarge;

/** The header alone tells the pixels, or their bytes once unpacked. */
type TooLarge = {
  ok: false;
  reason: 'too_large';
  limit: PictureLimit;
  actual: number;
  allowed: number;
};
export type PictureLimit = 'image_pixels' | 'image_bytes';

/** `decodedPixels` and `pngPixels` are of pictures that a library unpacks, `imagePixels` of those that go into the PDF as they are. */
export type PictureLimits = {
  imagePixels: number;
  decodedPixels: number;
  pngPixels: number;
  pixelBytes: number;
  imagePages: number;
};

export const UNREADABLE = { ok: false, reason: 'unreadable' } as const;
export const UNKNOWN_CODING = { ok: false, reason: 'unknown_coding' } as const;

export const onePicture = (picture: PagePicture): PicturesReading => ({ ok: true, pictures: [picture] });

/** Refuses a picture that has more than it may have; undefined for all others. */
export function refuseTooLarge(limit: PictureLimit, actual: number, allowed: number): TooLarge | undefined {
  return actual > allowed ? { ok: false, reason: 'too_large', limit, actual, allowed } : undefined;
}

/**
 * Returns undefined where a library throws. Libraries throw all kinds of errors at damaged files, and nothing else is done inside of
 * `decode`.
 */
export async function tryDecode<T>(decode: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await decode();
  } catch {
    return undefined;
  }
}

const POINTS_PER_INCH = 72;
const SCREEN_DENSITY: Density = { x: 96, y: 96 };
// A4 in whole points, upright; a wide picture may lie on its side.
const MOST = { short: 595, long: 842 };
const LEAST_POINTS = 1;

/** Returns the density if a scanner, camera or screen could have it, otherwise undefined: then the file states it by mistake. */
export function plausible(density: Density): Density | undefined {
  const { densityMin, densityMax, densityRatio } = DOCUMENT_LIMITS;
  const least = Math.min(density.x, density.y);
  const most = Math.max(density.x, density.y);
  return least >= densityMin && most <= densityMax && most <= least * densityRatio ? density : undefined;
}

/** A page is as large as the picture: at the density it states, else 96 pixels per inch, made smaller to fit A4 but never larger. */
export function pageBoxOf({ width, height, density = SCREEN_DENSITY, orientation }: PictureLayout): PageBox {
  const stored = { x: (width / density.x) * POINTS_PER_INCH, y: (height / density.y) * POINTS_PER_INCH };
  const shown = isOnItsSide(orientation) ? { x: stored.y, y: stored.x } : stored;
  const most = shown.x > shown.y ? { x: MOST.long, y: MOST.short } : { x: MOST.short, y: MOST.long };
  const scale = Math.min(1, most.x / shown.x, most.y / shown.y);
  return {
    width: roundedPoints(Math.max(LEAST_POINTS, shown.x * scale)),
    height: roundedPoints(Math.max(LEAST_POINTS, shown.y * scale)),
    rotation: 0,
  };
}

/** Tells how many pixels of the stored picture its page needs: the picture's own, unless they are far more. */
export function neededSize(layout: PictureLayout): { width: number; height: number } {
  const page = pageBoxOf(layout);
  const [across, down] = isOnItsSide(layout.orientation)
    ? [page.height, page.width]
    : [page.width, page.height];
  return { width: needed(layout.width, across), height: needed(layout.height, down) };
}

function needed(pixels: number, points: number): number {
  const enough = Math.ceil((points / POINTS_PER_INCH) * DOCUMENT_LIMITS.neededDensity);
  return pixels > enough * DOCUMENT_LIMITS.densityToSpare ? enough : pixels;
}

const isOnItsSide = (orientation: Orientation): boolean => orientation >= 5;

/** The matrix puts the stored picture upright onto the whole page, for each orientation. */
export function placement(orientation: Orientation, { width: w, height: h }: PageBox): readonly number[] {
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

type PictureEntries = {
  width: number;
  height: number;
  /** Colors are a name or an array, as they stand in the file. */
  colors: string;
  bits: number;
  /** The least value of a sample means the most of it. */
  isInverted?: boolean | undefined;
};

export const GRAY = '/DeviceGray';
export const RGB = '/DeviceRGB';
export const CMYK = '/DeviceCMYK';

/** The color space is that of a palette with three bytes per color. */
export const indexed = (palette: Uint8Array): string =>
  `[/Indexed/DeviceRGB ${palette.length / 3 - 1}<${Buffer.from(palette).toString('hex')}>]`;

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
