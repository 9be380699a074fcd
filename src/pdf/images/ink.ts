// Extracts the ink of a signature from a picture: the pixels that are darker than the paper, on transparent ground. The result is
// encoded anew. It must never keep data of the original file.

import { DOCUMENT_LIMITS } from '../limits.ts';
import { type Pixels, pixelsOfPage } from '../pdfium/render.ts';
import type { TooComplex } from '../too-complex.ts';
import type { ImageType } from './image-to-pdf.ts';
import { imageToPdf } from './image-to-pdf.ts';
import type { NotRead } from './picture.ts';
import { encodePng } from './write-png.ts';

/** `blank`: there is no ink on it. */
export type Ink = { ok: true; png: Uint8Array } | { ok: false; reason: 'blank' } | NotRead | TooComplex;

/** The first picture of the file, trimmed to its ink, as a PNG whose paper is transparent. */
export async function extractInk(bytes: Uint8Array, type: ImageType): Promise<Ink> {
  const converted = await imageToPdf(bytes, type);
  if (!converted.ok) return converted;
  const { inkDpi, inkPixels, inkBytes } = DOCUMENT_LIMITS;
  for (let maxPixels: number = inkPixels; ; maxPixels = Math.ceil(maxPixels / 2)) {
    const drawn = await pixelsOfPage(converted.pdf, 0, { dpi: inkDpi, maxPixels });
    if (!drawn.ok) return drawn;
    const ink = trimmed(withoutPaper(drawn.pixels));
    if (!ink) return { ok: false, reason: 'blank' };
    const png = await encodePng(ink.rgbx, ink.width, ink.height, { hasAlpha: true });
    // A picture with much noise packs badly; a smaller one has less of it.
    if (png.length <= inkBytes) return { ok: true, png };
  }
}

/** Fainter marks are the grain of the paper, or the packing of a photograph. */
const FAINTEST = 32;
/** A picture as dark as this has no paper that could be told from the ink. */
const DARKEST_PAPER = 80;

/** Turns each pixel into ink of its color, the more opaque the darker it is than the paper. */
function withoutPaper({ rgbx, width, height }: Pixels): Pixels {
  const paper = brightnessOfPaper(rgbx);
  const rgba = new Uint8Array(rgbx.length);
  for (let at = 0; at < rgbx.length; at += 4) {
    const [red, green, blue] = [0, 1, 2].map((sample) => Math.min(255, (rgbx[at + sample]! * 255) / paper));
    const alpha = Math.round(255 - Math.min(red!, green!, blue!));
    if (alpha < FAINTEST) continue;
    for (const [sample, value] of [red!, green!, blue!].entries())
      rgba[at + sample] = Math.max(0, Math.round(255 - ((255 - value) * 255) / alpha));
    rgba[at + 3] = alpha;
  }
  return { rgbx: rgba, width, height };
}

/** The brightness of most of the picture, because a signature covers little of it. */
function brightnessOfPaper(rgbx: Uint8Array): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < rgbx.length; at += 4) counts[Math.min(rgbx[at]!, rgbx[at + 1]!, rgbx[at + 2]!)]! += 1;
  const half = rgbx.length / 8;
  for (let level = 0, seen = 0; level < 256; level += 1) {
    seen += counts[level]!;
    if (seen >= half) return level < DARKEST_PAPER ? 255 : level;
  }
  return 255;
}

/** Crops the picture to its opaque pixels; undefined where it has none. */
function trimmed({ rgbx, width, height }: Pixels): Pixels | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      if (rgbx[(y * width + x) * 4 + 3] === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  if (right < left) return undefined;
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const cut = new Uint8Array(size.width * size.height * 4);
  for (let y = 0; y < size.height; y += 1) {
    const from = ((top + y) * width + left) * 4;
    cut.set(rgbx.subarray(from, from + size.width * 4), y * size.width * 4);
  }
  return { rgbx: cut, ...size };
}
