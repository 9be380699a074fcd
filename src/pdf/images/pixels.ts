// Processes decoded pixels of eight bits per sample: blends them with white, scales them down to what a page can use, and encodes
// them for a PDF. It must never depend on the kind of file that they are from.

import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PictureStream } from './picture.ts';
import {
  CMYK,
  deflateStream,
  GRAY,
  neededSize,
  type PagePicture,
  type PictureLayout,
  pictureEntries,
  RGB,
} from './picture.ts';

/** The `samples` of each pixel are gray, red green blue, or cyan magenta yellow black with 0 for no ink. */
export type PictureSamples = { width: number; height: number; samples: 1 | 3 | 4; data: Uint8Array };

/** Packing a photograph without loss makes it ten times as large, and no better. */
type Kind = 'drawing' | 'photograph';

// At this quality a photograph that is packed for the second time shows no difference at the size of its page.
const JPEG_QUALITY = 90;

// Collecting takes some ten milliseconds.
const MANY_PIXELS = 4_000_000;

/** Lays pixels of red, green, blue and alpha on white paper. The bytes that are given are used again. */
export const onWhite = (rgba: Uint8Array, width: number, height: number): PictureSamples =>
  alphaOnWhite(rgba, width, height, 4, 1);

/** Colors have one or three samples before the alpha, of one or two bytes each, the higher one first. */
export function alphaOnWhite(
  data: Uint8Array,
  width: number,
  height: number,
  samples: number,
  sampleBytes: number,
): PictureSamples {
  const colors = samples - 1;
  const end = width * height * samples * sampleBytes;
  for (let from = 0, to = 0; from < end; from += samples * sampleBytes) {
    const alpha = data[from + colors * sampleBytes]!;
    for (let sample = 0; sample < colors; sample += 1) {
      const value = data[from + sample * sampleBytes]!;
      data[to++] = alpha === 255 ? value : over(value, alpha);
    }
  }
  return { width, height, samples: colors as 1 | 3, data: data.subarray(0, width * height * colors) };
}

export const over = (sample: number, alpha: number): number =>
  Math.round((sample * alpha + 255 * (255 - alpha)) / 255);

/** The page of the picture needs no more pixels. */
export const fitted = (pixels: PictureSamples, layout: PictureLayout): PictureSamples =>
  scaledDown(pixels, neededSize(layout));

/** Encodes the picture for a PDF, in gray where it has no color. The caller must not refer to larger pixels any more. */
export async function encodePicture(
  pixels: PictureSamples,
  layout: PictureLayout,
  kind: Kind,
): Promise<PagePicture> {
  if (layout.width * layout.height > MANY_PIXELS) await giveMemoryBack();
  const plain = pixels.samples === 3 && hasNoColor(pixels.data) ? grayOf(pixels) : pixels;
  const stream = kind === 'photograph' ? await jpegOf(plain) : await losslessOf(plain);
  return { ...layout, stream };
}

function losslessOf({ width, height, samples, data }: PictureSamples): Promise<PictureStream> {
  return deflateStream({ width, height, bits: 8, colors: colorsOf(samples) }, data);
}

const colorsOf = (samples: PictureSamples['samples']): string => ({ 1: GRAY, 3: RGB, 4: CMYK })[samples];

async function jpegOf(pixels: PictureSamples): Promise<PictureStream> {
  const { width, height, samples, data } = pixels;
  if (samples === 4) return losslessOf(pixels);
  const { encode } = (await import('jpeg-js')).default;
  const rgba = Buffer.alloc(width * height * 4, 255);
  for (let from = 0, to = 0; to < rgba.length; from += samples, to += 4) {
    rgba[to] = data[from]!;
    rgba[to + 1] = data[samples === 1 ? from : from + 1]!;
    rgba[to + 2] = data[samples === 1 ? from : from + 2]!;
  }
  const entries = `${pictureEntries({ width, height, bits: 8, colors: RGB })}/Filter/DCTDecode`;
  return { entries, data: encode({ width, height, data: rgba }, JPEG_QUALITY).data };
}

function hasNoColor(rgb: Uint8Array): boolean {
  for (let at = 0; at < rgb.length; at += 3)
    if (rgb[at] !== rgb[at + 1] || rgb[at] !== rgb[at + 2]) return false;
  return true;
}

function grayOf({ width, height, data }: PictureSamples): PictureSamples {
  const gray = new Uint8Array(width * height);
  for (let to = 0; to < gray.length; to += 1) gray[to] = data[to * 3]!;
  return { width, height, samples: 1, data: gray };
}

/** Each new pixel is the mean of those it stands for, the ones at its edges by their share. Never makes larger. */
function scaledDown(
  pixels: PictureSamples,
  { width, height }: { width: number; height: number },
): PictureSamples {
  if (width >= pixels.width && height >= pixels.height) return pixels;
  const { samples, data } = pixels;
  const columns = sharesOf(pixels.width, width);
  const rows = sharesOf(pixels.height, height);
  const scaled = new Uint8Array(width * height * samples);
  const sums = new Float64Array(width * samples);
  for (let y = 0; y < height; y += 1) {
    sums.fill(0);
    const { first, shares } = rows[y]!;
    for (const [index, share] of shares.entries())
      addRow(sums, data, (first + index) * pixels.width * samples, columns, samples, share);
    for (let at = 0; at < sums.length; at += 1) scaled[y * sums.length + at] = Math.round(sums[at]!);
  }
  return { width, height, samples, data: scaled };
}

type Shares = { first: number; shares: number[] };

/** Lists for each new pixel of a line the first old one it stands for, and how much of it each of them is. */
function sharesOf(from: number, to: number): Shares[] {
  const step = from / to;
  return Array.from({ length: to }, (_, index) => {
    const [begin, end] = [index * step, Math.min(from, (index + 1) * step)];
    const first = Math.floor(begin);
    const shares: number[] = [];
    for (let at = first; at < end; at += 1) shares.push((Math.min(end, at + 1) - Math.max(begin, at)) / step);
    return { first, shares };
  });
}

function addRow(
  sums: Float64Array,
  data: Uint8Array,
  rowAt: number,
  columns: readonly Shares[],
  samples: number,
  rowShare: number,
): void {
  for (let x = 0; x < columns.length; x += 1) {
    const { first, shares } = columns[x]!;
    for (let index = 0; index < shares.length; index += 1) {
      const share = shares[index]! * rowShare;
      const from = rowAt + (first + index) * samples;
      for (let sample = 0; sample < samples; sample += 1)
        sums[x * samples + sample] = sums[x * samples + sample]! + data[from + sample]! * share;
    }
  }
}

let collect: (() => void) | undefined;

/** Collects garbage, so that memory that the caller does not use afterwards is free. */
export async function giveMemoryBack(): Promise<void> {
  // The functions that called this one must have left the stack: they hold what they were given.
  await setImmediate();
  collect ??= collector();
  collect();
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
