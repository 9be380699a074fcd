// Pictures in WebP, GIF, BMP and TIFF for tests, whose four quarters are red, green, blue and yellow: 26 × 18 pixels.

/** Without loss, made with `cwebp -lossless`. */
const WEBP = 'UklGRiYAAABXRUJQVlA4TBoAAAAvGUAEABASEP6f1lR1/ue//xNAXfoP7NZ/AA==';
/** The same with loss: `cwebp -q 100`. */
const LOSSY_WEBP =
  'UklGRtwAAABXRUJQVlA4INAAAACQBACdASoaABIAAAAAJZgBzgH8AvQ4QC4AP6BegHoAdIsRYB+RxoZ9z2lyqYAA/v/+wNmWv/y6//+9M//nM/P/wNf/22//9IPl/8AjgWz/+O//3V//qEf/0dkK/7Nf//Fur2GE2aJOzDNj+xQDFT//+WIf9N/0etftF03/6VWP/vAb36nFFf/BA+Xj/zFd6o/3WDfOJ7mvWu9nL///xPT/tKnuyeP3WD3/6Lv/qLfda9qQ121v3T3rw//PsLXws8h32fiD+/VBQ4dATybTQAAA';
/** Made with ImageMagick. */
const GIF =
  'R0lGODlhGgASAPEAAP8AAAD/AP//AAAA/yH5BAAAAAAAIf8LSW1hZ2VNYWdpY2sNZ2FtbWE9MC40NTQ1NQAsAAAAABoAEgAAAj+EjxfLzQmNmytCOm3CTiPeeApYiQBZimhgnugAx3Is1PZtzzqM9/Wu8/WAMyGOKDPekDTljzlwPplSATQqLQAAOw==';
/** A page of a TIFF in LZW, made by hand: clear, eight bits of black, end. */
export const lzw = (): TiffPlan => ({
  tags: { 256: 1, 257: 1, 258: 8, 259: 5, 262: 1, 277: 1, 278: 1, 279: 4 },
  data: Buffer.from([0x80, 0x00, 0x20, 0x20]),
});

/** Black is red and yellow after dithering: 26 × 18 in Group 4, made with ImageMagick. */
const FAX =
  '26a086d18f263987088e847040844668b19744742b231c2051108272871191d17447dac4a1d8d0ec8ec8f0e23fffffff00100100';

export const webp = (): Buffer => Buffer.from(WEBP, 'base64');
export const lossyWebp = (): Buffer => Buffer.from(LOSSY_WEBP, 'base64');
export const gif = (): Buffer => Buffer.from(GIF, 'base64');
export const fax = (): Buffer => Buffer.from(FAX, 'hex');

export const WIDTH = 26;
export const HEIGHT = 18;
const COLORS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
];

/** Returns which of the four colors is at this position. */
export const colorAt = (x: number, y: number): number => (x < WIDTH / 2 ? 0 : 1) + (y < HEIGHT / 2 ? 0 : 2);

/** Red, green and blue of every pixel. */
export function rgb(): Buffer {
  const pixels: number[] = [];
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1) pixels.push(...COLORS[colorAt(x, y)]!);
  return Buffer.from(pixels);
}

/** A chunk of RIFF. */
export function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

/** A WebP of these chunks. */
export const webpOf = (...chunks: Buffer[]): Buffer =>
  chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

/** The one chunk of a plain WebP. */
export const pixelsOfWebp = (file: Buffer): Buffer => file.subarray(12);

/** A BMP of 24 bits a pixel, the last row first; `height` and `width` are what its header says. */
export function bmp({ width = WIDTH, height = HEIGHT, bits = 24, pixels = bgrRows() } = {}): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  return Buffer.concat([head, pixels]);
}

function bgrRows(): Buffer {
  const row = Math.ceil((WIDTH * 3) / 4) * 4;
  const rows = Buffer.alloc(row * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1)
    for (let x = 0; x < WIDTH; x += 1)
      rows.set([...COLORS[colorAt(x, y)]!].reverse(), (HEIGHT - 1 - y) * row + x * 3);
  return rows;
}

/** Entries of a directory: SHORTs and LONGs, by the size of their values. */
export type Tags = Record<number, number | readonly number[]>;
export type TiffPlan = { tags?: Tags; data?: Buffer };

/** The tags of a page of red, green and blue; `data` is one strip. */
const rgbTags = (data: Buffer): Tags => ({
  256: WIDTH,
  257: HEIGHT,
  258: [8, 8, 8],
  259: 1,
  262: 2,
  273: 0,
  277: 3,
  278: HEIGHT,
  279: data.length,
});

/** A TIFF of these pages, the lower byte first. Directories come after the data of their page. */
export function tiff(...pages: TiffPlan[]): Buffer {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let length = 8;
  const add = (part: Buffer) => {
    const at = length;
    parts.push(part, Buffer.alloc(part.length & 1));
    length += part.length + (part.length & 1);
    return at;
  };
  let pointer = { part: parts[0]!, at: 4 };
  for (const { tags = {}, data = rgb() } of pages) {
    const dataAt = add(data);
    const entries = Object.entries({ ...rgbTags(data), ...tags }).map(([tag, value]) => {
      const values = typeof value === 'number' ? [value] : value;
      return { tag: Number(tag), values: Number(tag) === 273 && values[0] === 0 ? [dataAt] : values };
    });
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length, 0);
    for (const [index, { tag, values }] of entries.entries()) {
      const at = 2 + index * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(4, at + 2);
      directory.writeUInt32LE(values.length, at + 4);
      const longs = Buffer.alloc(values.length * 4);
      for (const [place, value] of values.entries()) longs.writeUInt32LE(value, place * 4);
      directory.writeUInt32LE(values.length === 1 ? values[0]! : add(longs), at + 8);
    }
    pointer.part.writeUInt32LE(add(directory), pointer.at);
    pointer = { part: directory, at: directory.length - 4 };
  }
  return Buffer.concat(parts);
}
