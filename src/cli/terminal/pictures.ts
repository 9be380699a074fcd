// Shows pictures in a terminal that is known to support them. It recognizes the terminal by the environment, and never queries
// it, because its answer could appear as typed text.

import { inflateSync } from 'node:zlib';
import type { Variables } from '../../config/environment.ts';
import { safeText } from './safe-text.ts';
import type { Sink } from './streams.ts';

export type PictureViewer = {
  /** @param png as this program draws them */
  show(png: Uint8Array, caption: string): void;
};

export type PictureProtocol = 'kitty' | 'iterm' | 'sixel';

/** Konsole shows pictures by kitty's protocol since this version. */
const KONSOLE = 220400;

/** Chooses the protocol. Undefined for a terminal that is not known to show pictures; tmux and screen do not pass them on. */
export function pictureProtocolOf(variables: Variables): PictureProtocol | undefined {
  const { TERM = '', TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID, KONSOLE_VERSION, TMUX, STY } = variables;
  if (TMUX || STY || /^(tmux|screen|dumb)/.test(TERM)) return undefined;
  if (KITTY_WINDOW_ID || TERM === 'xterm-kitty' || TERM === 'xterm-ghostty') return 'kitty';
  if (TERM_PROGRAM === 'ghostty' || Number(KONSOLE_VERSION) >= KONSOLE) return 'kitty';
  if (TERM_PROGRAM === 'iTerm.app' || LC_TERMINAL === 'iTerm2') return 'iterm';
  if (TERM_PROGRAM === 'WezTerm' || TERM_PROGRAM === 'mintty') return 'iterm';
  return /^(foot|mlterm)(-|$)/.test(TERM) || TERM.includes('sixel') ? 'sixel' : undefined;
}

export function pictureViewer(protocol: PictureProtocol, out: Sink): PictureViewer {
  const drawn = { kitty, iterm, sixel: (png: Uint8Array) => sixelOf(png, SIXEL_WIDTH) }[protocol];
  return {
    show(png, caption) {
      const columns = Math.min(out.columns ?? WIDEST, WIDEST);
      out.write(`${safeText(caption)}\n`);
      out.write(`${drawn(png, columns)}\n`);
    },
  };
}

/** The width in columns. A wider page would be higher than any window. */
const WIDEST = 80;
/** Eighty columns of eight pixels. */
const SIXEL_WIDTH = 640;
/** The length of one piece in characters: the most that the protocol allows. */
const KITTY_PIECE = 4096;

/** Writes a picture for kitty. `q=2` suppresses the answer of the terminal, which would appear on the next command line. */
function kitty(png: Uint8Array, columns: number): string {
  const data = Buffer.from(png).toString('base64');
  const pieces = data.match(new RegExp(`.{1,${KITTY_PIECE}}`, 'g')) ?? [''];
  return pieces
    .map((piece, index) => {
      const isLast = index === pieces.length - 1;
      const head = index === 0 ? `a=T,f=100,q=2,c=${columns},` : '';
      return `\u001b_G${head}m=${isLast ? 0 : 1};${piece}\u001b\\`;
    })
    .join('');
}

function iterm(png: Uint8Array, columns: number): string {
  const size = `size=${png.length};width=${columns};preserveAspectRatio=1`;
  return `\u001b]1337;File=inline=1;${size}:${Buffer.from(png).toString('base64')}\u0007`;
}

type Pixels = { width: number; height: number; at(x: number, y: number): number };

/** Six shades of red, green and blue each: more colors than a page of text has. */
const SHADES = 6;
const MOST = 255;

/** Writes a picture, scaled down by a whole factor so that it is at most `widest` wide. */
function sixelOf(png: Uint8Array, widest: number): string {
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
