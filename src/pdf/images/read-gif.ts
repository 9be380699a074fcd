// Reads the first picture of a GIF (version 89a). It is our own because the available packages loop endlessly, or
// exhaust the memory, on some damaged files (decision 0013). It must never make room for pixels before their number was checked.
import {
  onePicture,
  type PictureLayout,
  type PictureLimits,
  type PicturesReading,
  refuseTooLarge,
  UNREADABLE,
} from './picture.ts';
import { encodePicture, fitted, onWhite, type PictureSamples } from './pixels.ts';

/** It has a place on the screen that the file describes. */
type GifFrame = {
  screen: { width: number; height: number };
  left: number;
  top: number;
  width: number;
  height: number;
  isInterlaced: boolean;
  palette: Buffer;
  clear: number | undefined;
  codeBits: number;
  codes: Buffer;
};

const HEADER_BYTES = 13;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const PICTURE = 0x2c;
const PICTURE_BYTES = 10;
const HAS_PALETTE = 0x80;
const IS_INTERLACED = 0x40;
const HAS_CLEAR = 1;

export async function readGif(file: Buffer, { decodedPixels }: PictureLimits): Promise<PicturesReading> {
  const frame = firstFrame(file);
  if (!frame) return UNREADABLE;
  const { width, height } = frame.screen;
  // The picture may be larger than the screen it is drawn on.
  const most = Math.max(width * height, frame.width * frame.height);
  const refused = refuseTooLarge('image_pixels', most, decodedPixels);
  if (refused) return refused;
  const layout = { width, height, orientation: 1, density: undefined } as const;
  const pixels = pixelsOf(frame, layout);
  return pixels ? onePicture(await encodePicture(pixels, layout, 'drawing')) : UNREADABLE;
}

function firstFrame(file: Buffer): GifFrame | undefined {
  if (file.length < HEADER_BYTES) return undefined;
  const screen = { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  const shared = paletteAt(file, HEADER_BYTES, file[10]!);
  let clear: number | undefined;
  for (let at = HEADER_BYTES + shared.length; at + PICTURE_BYTES <= file.length; ) {
    if (file[at] === PICTURE) return frameAt(file, at, { screen, shared, clear });
    if (file[at] !== EXTENSION) return undefined;
    if (file[at + 1] === CONTROL) clear = file[at + 3]! & HAS_CLEAR ? file[at + 6] : undefined;
    const blocks = blocksAt(file, at + 2);
    if (!blocks) return undefined;
    at = blocks.end;
  }
  return undefined;
}

type Before = Pick<GifFrame, 'screen' | 'clear'> & { shared: Buffer };

function frameAt(file: Buffer, at: number, { screen, shared, clear }: Before): GifFrame | undefined {
  const [left, top] = [file.readUInt16LE(at + 1), file.readUInt16LE(at + 3)];
  const [width, height] = [file.readUInt16LE(at + 5), file.readUInt16LE(at + 7)];
  const flags = file[at + 9]!;
  const localPalette = paletteAt(file, at + PICTURE_BYTES, flags);
  const codesAt = at + PICTURE_BYTES + localPalette.length;
  const codes = blocksAt(file, codesAt + 1);
  if (!codes || width === 0 || height === 0 || screen.width === 0 || screen.height === 0) return undefined;
  return {
    ...{ screen, left, top, width, height, clear },
    isInterlaced: (flags & IS_INTERLACED) !== 0,
    palette: localPalette.length > 0 ? localPalette : shared,
    codeBits: file[codesAt]!,
    codes: codes.data,
  };
}

function paletteAt(file: Buffer, at: number, flags: number): Buffer {
  return file.subarray(at, flags & HAS_PALETTE ? at + 3 * 2 ** ((flags & 7) + 1) : at);
}

/** Joins pieces of up to 255 bytes, to the empty one that ends them. Returns undefined where that is missing. */
function blocksAt(file: Buffer, start: number): { data: Buffer; end: number } | undefined {
  const pieces: Buffer[] = [];
  for (let at = start; at < file.length; at += file[at]! + 1) {
    if (file[at] === 0) return { data: Buffer.concat(pieces), end: at + 1 };
    pieces.push(file.subarray(at + 1, at + 1 + file[at]!));
  }
  return undefined;
}

function pixelsOf(frame: GifFrame, layout: PictureLayout): PictureSamples | undefined {
  const { screen, left, top, width, height, palette, clear } = frame;
  const indexes = unpackGif(frame.codes, frame.codeBits, width * height);
  if (!indexes) return undefined;
  const rgba = Buffer.alloc(screen.width * screen.height * 4);
  const rows = frame.isInterlaced ? interlacedRows(height) : undefined;
  for (let row = 0; row < height; row += 1) {
    const y = top + (rows?.[row] ?? row);
    if (y >= screen.height) continue;
    for (let x = 0; x < width && left + x < screen.width; x += 1) {
      const index = indexes[row * width + x]!;
      const to = (y * screen.width + left + x) * 4;
      if (index !== clear) {
        palette.copy(rgba, to, index * 3, index * 3 + 3);
        rgba[to + 3] = 255;
      }
    }
  }
  return fitted(onWhite(rgba, screen.width, screen.height), layout);
}

/** Lists where the rows belong that are stored one after another: every eighth, those between them, and so on. */
function interlacedRows(height: number): number[] {
  const rows: number[] = [];
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const)
    for (let y = first; y < height; y += step) rows.push(y);
  return rows;
}

const MOST_CODES = 4096;
const MOST_BITS = 12;

/**
 * Unpacks the palette index of each of `count` pixels. Returns undefined where pixels are missing, or a code is not defined yet: only with
 * such codes could a row refer to itself.
 */
function unpackGif(codes: Uint8Array, rootBits: number, count: number): Uint8Array | undefined {
  if (rootBits < 1 || rootBits > 8) return undefined;
  const pixels = new Uint8Array(count);
  const clear = 1 << rootBits;
  // Of each row but those of one pixel: the row before its last pixel, that pixel, and its length.
  const before = new Uint16Array(MOST_CODES);
  const last = new Uint8Array(MOST_CODES);
  const lengths = new Uint16Array(MOST_CODES).fill(1);
  for (let color = 0; color < clear; color += 1) last[color] = color;
  let [next, bits, previous, first, at, to, have, held] = [clear + 2, rootBits + 1, -1, 0, 0, 0, 0, 0];
  while (to < count) {
    for (; have < bits; have += 8) {
      if (at >= codes.length) return undefined;
      held |= codes[at++]! << have;
    }
    const code = held & ((1 << bits) - 1);
    held >>>= bits;
    have -= bits;
    if (code === clear) {
      [next, bits, previous] = [clear + 2, rootBits + 1, -1];
      continue;
    }
    const isNew = code === next && previous !== -1;
    if (code === clear + 1 || (code >= next && !isNew) || (previous === -1 && code > clear)) return undefined;
    // The row that this code makes known: the one before it, and the first pixel of this one.
    const prefixCode = isNew ? previous : code;
    const end = to + lengths[prefixCode]!;
    let row = prefixCode;
    for (let place = end - 1; place >= to; place -= 1, row = before[row]!) {
      first = last[row]!;
      if (place < count) pixels[place] = first;
    }
    if (isNew && end < count) pixels[end] = first;
    if (previous !== -1 && next < MOST_CODES) {
      before[next] = previous;
      last[next] = first;
      lengths[next] = lengths[previous]! + 1;
      next += 1;
      if (next === 1 << bits && bits < MOST_BITS) bits += 1;
    }
    to = isNew ? end + 1 : end;
    previous = code;
  }
  return pixels;
}
