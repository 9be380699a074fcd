// Defines the result of every reader of this folder: a picture for a page, or the reason why there is none.
import type { PictureStream } from './pictures-pdf.ts';

/** Where row 0 and column 0 of the stored picture belong (TIFF 6.0, tag 274). 1 is upright; 6 is a phone held upright. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Pixels per inch in each direction. */
export type Density = { x: number; y: number };

/** How a picture lies on its page. `width` and `height` are those of the file, before anything was scaled or turned. */
export type PictureLayout = {
  width: number;
  height: number;
  orientation: Orientation;
  density: Density | undefined;
};

export type PagePicture = PictureLayout & { stream: PictureStream };

/** Every picture of a file that is to be a page, in order. */
export type PicturesReading = { ok: true; pictures: PagePicture[] } | NotRead;

/** `unknown_coding`: nothing is wrong with the file, but neither we nor a library can decode it. */
export type NotRead =
  | { ok: false; reason: 'unreadable' | 'unknown_coding' }
  | { ok: false; reason: 'too_many_pages'; pageCount: number }
  | { ok: false; reason: 'too_complex'; limit: 'jpeg_scans' }
  | TooLarge;

/** Told from the header alone: pixels, or bytes of them once unpacked. */
export type TooLarge = {
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

export const one = (picture: PagePicture): PicturesReading => ({ ok: true, pictures: [picture] });

/** The refusal of a picture that has more than it may have; undefined for all others. */
export function refuseTooLarge(limit: PictureLimit, actual: number, allowed: number): TooLarge | undefined {
  return actual > allowed ? { ok: false, reason: 'too_large', limit, actual, allowed } : undefined;
}

/**
 * What a library makes of the file; undefined where it throws. Libraries throw all kinds of errors at damaged files, and
 * nothing else is done inside of `decode`.
 */
export async function tryDecode<T>(decode: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await decode();
  } catch {
    return undefined;
  }
}
