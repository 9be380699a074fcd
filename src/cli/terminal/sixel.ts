// Writes a picture as sixels (DEC STD 070): columns of six pixels, one color at a time. It reads only PNGs that this program
// draws.
import { inflateSync } from 'node:zlib';

type Pixels = { width: number; height: number; at(x: number, y: number): number };

/** Six shades of red, green and blue each: more colors than a page of text has. */
const SHADES = 6;
const MOST = 255;

/** Writes a picture, scaled down by a whole factor so that it is at most `widest` wide. */
export function sixelOf(png: Uint8Array, widest: number): string {
  const { width, height, at } = pixelsOf(png);
  const step = Math.max(1, Math.ceil(width / widest));
  const small: Pixels = {
    width: Math.floor(width / step) || 1,
    height: Math.floor(height / step) || 1,
    at: (x, y) => averaged(at, x * step, y * step, step),
  };
  const bands: string[] = [];
  for (let top = 0; top < small.height; top += 6) bands.push(bandOf(small, top));
  const raster = `"1;1;${small.width};${small.height}`;
  return `\u001bPq${raster}${palette()}${bands.join('-')}\u001b\\`;
}

/** Averages pixels, so that letters stay readable in a smaller picture. */
function averaged(at: Pixels['at'], left: number, top: number, step: number): number {
  const sums = [0, 0, 0];
  for (let y = top; y < top + step; y += 1)
    for (let x = left; x < left + step; x += 1) {
      const pixel = at(x, y);
      for (let part = 0; part < 3; part += 1)
        sums[part] = (sums[part] ?? 0) + ((pixel >> (16 - 8 * part)) & 0xff);
    }
  const [red, green, blue] = sums.map((sum) => Math.round((sum / (step * step) / MOST) * (SHADES - 1)));
  return ((red ?? 0) * SHADES + (green ?? 0)) * SHADES + (blue ?? 0);
}

const palette = (): string =>
  Array.from({ length: SHADES ** 3 }, (_, index) => {
    const parts = [Math.floor(index / SHADES ** 2), Math.floor(index / SHADES) % SHADES, index % SHADES];
    return `#${index};2;${parts.map((part) => Math.round((part / (SHADES - 1)) * 100)).join(';')}`;
  }).join('');

/** Writes six rows: for each color in them, which of the six pixels of every column have it. */
function bandOf({ width, height, at }: Pixels, top: number): string {
  const rows = new Map<number, Uint8Array>();
  for (let x = 0; x < width; x += 1)
    for (let bit = 0; bit < 6 && top + bit < height; bit += 1) {
      const color = at(x, top + bit);
      const bits = rows.get(color) ?? new Uint8Array(width);
      bits[x] = (bits[x] ?? 0) | (1 << bit);
      rows.set(color, bits);
    }
  return [...rows].map(([color, bits]) => `#${color}${runs(bits)}`).join('$');
}

function runs(bits: Uint8Array): string {
  let text = '';
  for (let from = 0, to = 0; from < bits.length; from = to) {
    while (to < bits.length && bits[to] === bits[from]) to += 1;
    const sign = String.fromCharCode(63 + (bits[from] ?? 0));
    text += to - from > 3 ? `!${to - from}${sign}` : sign.repeat(to - from);
  }
  return text;
}

/** Reads the pixels: 8 bits a sample, gray or color, not filtered (`src/pdf/render/render.ts` writes nothing else). */
function pixelsOf(png: Uint8Array): Pixels {
  const file = Buffer.from(png.buffer, png.byteOffset, png.length);
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const samples = file[25] === 0 ? 1 : 3;
  const data = file.indexOf('IDAT');
  const rows = inflateSync(file.subarray(data + 4, data + 4 + file.readUInt32BE(data - 4)));
  return {
    width,
    height,
    at(x, y) {
      const start = y * (1 + width * samples) + 1 + x * samples;
      const part = (index: number) => rows[start + (samples === 1 ? 0 : index)] ?? 0;
      return (part(0) << 16) | (part(1) << 8) | part(2);
    },
  };
}
