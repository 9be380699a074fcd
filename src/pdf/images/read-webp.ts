// Reads a WebP (RFC 9649) with libwebp: its picture, or the first one of an animation. It must never hand over a picture
// whose size was not checked: what is decoded is a file of its own, with nothing in it but that picture.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  onePicture,
  type PictureLayout,
  type PictureLimits,
  type PicturesReading,
  refuseTooLarge,
  tryDecode,
  UNREADABLE,
} from './picture.ts';
import { encodePicture, fitted, onWhite, type PictureSamples } from './pixels.ts';
import { readExif } from './tiff-directory.ts';

type Chunk = { name: string; data: Buffer };

/** `alpha` goes with a picture that is packed with loss; one without loss has its own. */
type WebpPicture = { width: number; height: number; bits: Chunk; alpha: Chunk | undefined };

const FRAME_HEADER_BYTES = 16;
const HAS_ALPHA = 0x10;
const LOSSLESS_MARK = 0x2f;
const EXIF_MARK = 'Exif\0\0';

export async function readWebp(file: Buffer, { decodedPixels }: PictureLimits): Promise<PicturesReading> {
  const chunks = chunksOf(file.subarray(12));
  const picture = chunks && pictureIn(chunks);
  if (!picture) return UNREADABLE;
  const { width, height } = picture;
  const refused = refuseTooLarge('image_pixels', width * height, decodedPixels);
  if (refused) return refused;
  const layout: PictureLayout = { width, height, ...exifOf(chunks) };
  const pixels = await pixelsOf(picture, layout);
  if (!pixels) return UNREADABLE;
  return onePicture(
    await encodePicture(pixels, layout, picture.bits.name === 'VP8 ' ? 'photograph' : 'drawing'),
  );
}

async function pixelsOf(picture: WebpPicture, layout: PictureLayout): Promise<PictureSamples | undefined> {
  const { width, height } = picture;
  const decode = await libwebp();
  const rgba = await tryDecode(() => decode(fileOf(picture)));
  if (rgba?.width !== width || rgba.height !== height) return undefined;
  const data = new Uint8Array(rgba.data.buffer, rgba.data.byteOffset, rgba.data.length);
  return fitted(onWhite(data, width, height), layout);
}

/** Splits the file into chunks. Returns undefined where one of them is truncated. */
function chunksOf(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return undefined;
    chunks.push({ name: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) });
    at = end + (end & 1);
  }
  return chunks;
}

function pictureIn(chunks: readonly Chunk[]): WebpPicture | undefined {
  const find = (name: string) => chunks.find((chunk) => chunk.name === name);
  const frame = find('ANMF');
  if (frame) {
    const inside = chunksOf(frame.data.subarray(FRAME_HEADER_BYTES));
    return inside?.some(({ name }) => name === 'ANMF') ? undefined : inside && pictureIn(inside);
  }
  const bits = find('VP8 ') ?? find('VP8L');
  const size = bits && sizeOf(bits);
  return size && { ...size, bits, alpha: bits.name === 'VP8 ' ? find('ALPH') : undefined };
}

/** The pixels themselves say how many they are, and that is what is decoded (RFC 6386, 9.1, and RFC 9649, 3.4). */
function sizeOf({ name, data }: Chunk): { width: number; height: number } | undefined {
  if (data.length < 10) return undefined;
  if (name === 'VP8 ') {
    const [width, height] = [data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff];
    return width > 0 && height > 0 ? { width, height } : undefined;
  }
  if (data[0] !== LOSSLESS_MARK) return undefined;
  const packed = data.readUInt32LE(1);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

function fileOf({ width, height, bits, alpha }: WebpPicture): ArrayBuffer {
  const extended = Buffer.alloc(10);
  extended[0] = HAS_ALPHA;
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const chunks = alpha ? [{ name: 'VP8X', data: extended }, alpha, bits] : [bits];
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks.flatMap(written)]);
  const file = Buffer.concat(written({ name: 'RIFF', data: body }));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
}

function written({ name, data }: Chunk): Buffer[] {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return [head, data, Buffer.alloc(data.length & 1)];
}

function exifOf(chunks: readonly Chunk[]) {
  const data = chunks.find(({ name }) => name === 'EXIF')?.data ?? Buffer.alloc(0);
  const isMarked = data.toString('latin1', 0, EXIF_MARK.length) === EXIF_MARK;
  return readExif(isMarked ? data.subarray(EXIF_MARK.length) : data);
}

type Decoded = { width: number; height: number; data: Uint8ClampedArray };

/** The library makes it of pixels. Browsers have it, Node does not. */
class ImageData implements Decoded {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/** Makes a fresh instance for each file, which nothing holds on to: WebAssembly never gives memory back while it is in use. */
async function libwebp(): Promise<(file: ArrayBuffer) => Decoded | null> {
  Object.assign(globalThis, { ImageData });
  const { default: instance } = await import('@jsquash/webp/codec/dec/webp_dec.js');
  const path = createRequire(import.meta.url).resolve('@jsquash/webp/codec/dec/webp_dec.wasm');
  const compiled = await WebAssembly.compile(readFileSync(path));
  const { decode } = await new Promise<Libwebp>((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => {
      WebAssembly.instantiate(compiled, imports).then(done, reject);
      return {};
    };
    (instance as unknown as LibwebpFactory)({ noInitialRun: true, instantiateWasm }).then(resolve, reject);
  });
  return decode;
}

type Libwebp = { decode(file: ArrayBuffer): Decoded | null };
type LibwebpFactory = (options: object) => Promise<Libwebp>;
