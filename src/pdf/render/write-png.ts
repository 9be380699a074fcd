// Writes pixels as a PNG file (ISO/IEC 15948): the pages a signer sees in the browser. It must never read one.
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflateAsync = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOR_TYPE = { 1: 0, 3: 2, 4: 6 };
// Filter 0 ("none"): measured on pages of text, the other filters make the file a quarter larger.
const FILTER_NONE = 0;
const LEVEL = 4;

/**
 * Encodes a picture, in gray when it has no color, which halves the file of a page of black text.
 * `rgbx` has four bytes per pixel, row after row; the fourth is ignored unless `hasAlpha` is true.
 */
export async function encodePng(
  rgbx: Uint8Array,
  width: number,
  height: number,
  { hasAlpha = false } = {},
): Promise<Uint8Array> {
  const samples = hasAlpha ? 4 : hasNoColor(rgbx) ? 1 : 3;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8); // bits per sample
  header.writeUInt8(COLOR_TYPE[samples], 9);
  const rows = filteredRows(rgbx, width, height, samples);
  const pixels = await deflateAsync(rows, { level: LEVEL });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function hasNoColor(rgbx: Uint8Array): boolean {
  for (let at = 0; at < rgbx.length; at += 4) {
    if (rgbx[at] !== rgbx[at + 1] || rgbx[at] !== rgbx[at + 2]) return false;
  }
  return true;
}

/** Each row after one byte that names its filter, with the first `samples` of the four bytes of every pixel. */
function filteredRows(rgbx: Uint8Array, width: number, height: number, samples: 1 | 3 | 4): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * samples));
  for (let y = 0, from = 0, to = 0; y < height; y += 1) {
    rows[to++] = FILTER_NONE;
    for (const end = from + width * 4; from < end; from += 4) {
      for (let sample = 0; sample < samples; sample += 1) rows[to++] = rgbx[from + sample]!;
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), framed.length - 4);
  return framed;
}
