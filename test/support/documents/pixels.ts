// Reads pictures with a PNG reader that is not ours, so that our writer and our reader cannot agree on a mistake.
import { PNG } from 'pngjs';
import { renderPage } from '../../../src/pdf/render/render.ts';

export type Picture = {
  width: number;
  height: number;
  at: (x: number, y: number) => number[];
  /** Four bytes a pixel, row after row. */
  rgba: Uint8Array;
};

/** Reads a picture; `at(x, y)` returns red, green, blue, alpha of a pixel; x and y below 1 are fractions of the size. */
export function readPixels(png: Uint8Array): Picture {
  const { width, height, data: rgba } = PNG.sync.read(Buffer.from(png));
  const whole = (value: number, size: number) => (value < 1 ? Math.floor(value * size) : value);
  return {
    width,
    height,
    rgba,
    at: (x, y) => {
      const start = (whole(y, height) * width + whole(x, width)) * 4;
      return [...rgba.subarray(start, start + 4)];
    },
  };
}

/** The picture of a page that can be drawn. */
export async function pngOfPage(...asked: Parameters<typeof renderPage>): Promise<Uint8Array> {
  const rendered = await renderPage(...asked);
  if (!rendered.ok) throw new Error(`too complex: ${rendered.limit}`);
  return rendered.png;
}

/** The page as a reader shows it, one pixel a point by default. */
export async function shown(pdf: Uint8Array, pageIndex = 0, dpi = 72): Promise<Picture> {
  return readPixels(await pngOfPage(pdf, pageIndex, { dpi, maxPixels: 4_000_000 }));
}

export const darknessOf = ({ rgba }: Picture, pixel: number): number =>
  765 - rgba[pixel * 4]! - rgba[pixel * 4 + 1]! - rgba[pixel * 4 + 2]!;

/**
 * How much of the ink of two pictures of one size stands elsewhere, from 0 to 1. Two programs draw edges in different grays, so the mean of a
 * few pixels is compared.
 */
export function inkDifference(one: Picture, other: Picture, block = 3): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let [ink, apart] = [0, 0];
  for (let top = 0; top < one.height; top += block)
    for (let left = 0; left < one.width; left += block) {
      let [a, b] = [0, 0];
      for (let y = top; y < Math.min(top + block, one.height); y += 1)
        for (let x = left; x < Math.min(left + block, one.width); x += 1) {
          a += darknessOf(one, y * one.width + x);
          b += darknessOf(other, y * one.width + x);
        }
      ink += Math.max(a, b);
      apart += Math.abs(a - b);
    }
  return ink === 0 ? 0 : apart / ink;
}

const NAMED = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  white: [255, 255, 255],
};

/** Whether red, green and blue of a pixel are all above this. Makes no array: loops over whole pages call it. */
export function isLight({ width, rgba }: Picture, x: number, y: number, above: number): boolean {
  const start = (y * width + x) * 4;
  return rgba[start]! > above && rgba[start + 1]! > above && rgba[start + 2]! > above;
}

/** The nearest of the five colors that our pictures use. */
export function colorName(rgba: number[]): string {
  const distance = (rgb: number[]) =>
    rgb.reduce((sum, value, index) => sum + Math.abs(value - rgba[index]!), 0);
  const [name, rgb] = Object.entries(NAMED).sort((a, b) => distance(a[1]) - distance(b[1]))[0]!;
  return distance(rgb) < 60 ? name : `rgb(${rgba.join()})`;
}

/** The colors in the four quarters: top left, top right, bottom left, bottom right. */
export function quarters(picture: Picture): string[] {
  const places: [number, number][] = [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ];
  return places.map(([x, y]) => colorName(picture.at(x, y)));
}
