// Assembles a page of a TIFF from its strips or tiles. utif2, jpeg-js and zlib unpack them piece by piece; the color space of the
// samples is passed on to the PDF, which supports most of them.
import { inflateSync } from 'node:zlib';
import { giveMemoryBack } from './memory.ts';
import { type PagePicture, tryDecode } from './picture.ts';
import { deflateStream, GRAY, indexed } from './picture-stream.ts';
import { encodePicture, fitted, over, type PictureSamples } from './pixels.ts';
import { colorsOf, type Segment, type TiffPage, wholeJpeg } from './tiff-page.ts';
import { COMPRESSION, PHOTOMETRIC, TIFF_TAG } from './tiff-tags.ts';

/** Undefined where a piece is damaged. */
export async function tiffPicture(
  file: Buffer,
  page: TiffPage,
  segments: readonly Segment[],
): Promise<PagePicture | undefined> {
  const { layout, compression } = page;
  if (page.bits < 8 || page.photometric === PHOTOMETRIC.palette) {
    const samples = await samplesOf(file, page, segments);
    return samples && { ...layout, stream: await fewBits(page, samples) };
  }
  const pixels = await pixelsOf(file, page, segments);
  return pixels && encodePicture(pixels, layout, compression === COMPRESSION.jpeg ? 'photograph' : 'drawing');
}

async function pixelsOf(
  file: Buffer,
  page: TiffPage,
  segments: readonly Segment[],
): Promise<PictureSamples | undefined> {
  const samples = await samplesOf(file, page, segments);
  return samples && fitted(colors(page, samples), page.layout);
}

/** All samples of the page, row by row. */
async function samplesOf(
  file: Buffer,
  page: TiffPage,
  segments: readonly Segment[],
): Promise<Buffer | undefined> {
  const decode = await decoderOf(file, page);
  const planes = Array.from({ length: page.planes }, () => Buffer.alloc(page.rowBytes * page.height));
  let litterBytes = 0;
  for (const segment of segments) {
    const pixels = await tryDecode(() => decode(segment));
    if (!pixels) return undefined;
    place(pixels, segment, page, planes[segment.plane]!);
    litterBytes += pixels.length;
    if (litterBytes < MUCH_LITTER) continue;
    litterBytes = 0;
    await giveMemoryBack();
  }
  return page.planes === 1 ? planes[0]! : interleaved(planes, page.bits / 8);
}

/** Gives the rows of a strip or tile, each beginning with a whole byte; throws at what is damaged. */
type Decoder = (segment: Segment) => Uint8Array;

async function decoderOf(file: Buffer, page: TiffPage): Promise<Decoder> {
  if (page.compression === COMPRESSION.jpeg) return jpegDecoder(page);
  const { decodeImage } = (await import('utif2')).default;
  const { compression, values } = page;
  const isDeflate = compression === COMPRESSION.deflate || compression === COMPRESSION.oldDeflate;
  return (segment) => {
    const sizeBytes = Math.ceil((segment.width * page.bits * page.samplesTogether) / 8) * segment.height;
    const packed = isDeflate
      ? inflateSync(segment.data, { maxOutputLength: sizeBytes + SLACK_BYTES })
      : segment.data;
    const isWhole = isDeflate || compression === COMPRESSION.none;
    if (isWhole && packed.length < sizeBytes) throw new RangeError('Pixels are missing.');
    const data = isWhole ? packed.subarray(0, sizeBytes) : packed;
    // A file of its own for the library: the byte order of ours, and this piece alone.
    const alone = new Uint8Array(HEAD_BYTES + data.length);
    alone.set(file.subarray(0, HEAD_BYTES));
    alone.set(data, HEAD_BYTES);
    const directory: Record<string, number[]> = {
      t256: [segment.width],
      t257: [segment.height],
      t258: Array(page.samplesTogether).fill(page.bits),
      t259: [isWhole ? COMPRESSION.none : compression],
      t262: [page.photometric],
      t273: [HEAD_BYTES],
      t277: [page.samplesTogether],
      t278: [segment.height],
      t279: [data.length],
    };
    for (const tag of [TIFF_TAG.fillOrder, TIFF_TAG.faxOptions, TIFF_TAG.predictor]) {
      const value = values.get(tag);
      if (value) directory[`t${tag}`] = [...value];
    }
    decodeImage(alone.buffer, directory as never);
    return (directory as unknown as { data: Uint8Array }).data;
  };
}

// Decoders leave several times what they give behind.
const MUCH_LITTER = 16 * 1024 * 1024;
const HEAD_BYTES = 8;
// The last strip of some programs has the rows of a whole one.
const SLACK_BYTES = 64 * 1024 * 1024;

async function jpegDecoder(page: TiffPage): Promise<Decoder> {
  const { decode } = (await import('jpeg-js')).default;
  return ({ data, width, height }) => {
    const jpeg = decode(wholeJpeg(page, data), {
      useTArray: true,
      formatAsRGBA: page.samples === 4,
      colorTransform: page.photometric === PHOTOMETRIC.ycbcr,
      tolerantDecoding: false,
      maxMemoryUsageInMB: 160,
    });
    if (jpeg.width !== width || jpeg.height < height)
      throw new RangeError('Another size than the page says.');
    return page.samples === 1 ? firstOfThree(jpeg.data) : jpeg.data;
  };
}

/** jpeg-js gives gray three times over. */
function firstOfThree(data: Uint8Array): Uint8Array {
  const gray = new Uint8Array(data.length / 3);
  for (let at = 0; at < gray.length; at += 1) gray[at] = data[at * 3]!;
  return gray;
}

function place(pixels: Uint8Array, segment: Segment, page: TiffPage, plane: Buffer): void {
  const bitsPerPixel = page.bits * page.samplesTogether;
  const fromRow = Math.ceil((segment.width * bitsPerPixel) / 8);
  const left = (segment.x * bitsPerPixel) / 8;
  const bytes = Math.min(fromRow, page.rowBytes - left);
  const rows = Math.min(segment.height, page.height - segment.y);
  for (let y = 0; y < rows; y += 1)
    plane.set(pixels.subarray(y * fromRow, y * fromRow + bytes), (segment.y + y) * page.rowBytes + left);
}

/** Samples of `step` bytes from their planes, side by side. */
function interleaved(planes: readonly Buffer[], step: number): Buffer {
  const all = Buffer.alloc(planes.length * planes[0]!.length);
  for (const [number, plane] of planes.entries())
    for (let from = 0, to = number * step; from < plane.length; from += step, to += planes.length * step)
      for (let byte = 0; byte < step; byte += 1) all[to + byte] = plane[from + byte]!;
  return all;
}

/** Samples of 8 bits, alpha laid on white paper, and nothing else beside the colors. */
function colors(page: TiffPage, data: Uint8Array): PictureSamples {
  const { width, height, samples, photometric } = page;
  const kept = colorsOf(page) as PictureSamples['samples'];
  const step = page.bits / 8;
  // utif2 gives 16 bits with the lower byte first, whatever the file has.
  const high = step - 1;
  const alphaKind = samples > kept && kept !== 4 ? (page.values.get(TIFF_TAG.extraSamples)?.[0] ?? 0) : 0;
  const isInverted = photometric === PHOTOMETRIC.whiteIsZero;
  if (step === 1 && samples === kept && !isInverted) return { width, height, samples: kept, data };
  const out = new Uint8Array(width * height * kept);
  for (let from = 0, to = 0; to < out.length; from += samples * step) {
    const alpha = alphaKind === 0 ? 255 : data[from + kept * step + high]!;
    for (let sample = 0; sample < kept; sample += 1) {
      const value = data[from + sample * step + high]!;
      const shown = isInverted ? 255 - value : value;
      out[to++] =
        alphaKind === PREMULTIPLIED
          ? Math.min(255, shown + 255 - alpha)
          : alpha === 255
            ? shown
            : over(shown, alpha);
    }
  }
  return { width, height, samples: kept, data: out };
}

const PREMULTIPLIED = 1;

/** Up to eight bits a pixel, as PDF has them: gray levels, or numbers of colors. */
function fewBits({ width, height, bits, photometric, values }: TiffPage, data: Uint8Array) {
  const isPalette = photometric === PHOTOMETRIC.palette;
  const isInverted = photometric === PHOTOMETRIC.whiteIsZero;
  const colors = isPalette ? indexed(paletteOf(values.get(TIFF_TAG.palette)!)) : GRAY;
  return deflateStream({ width, height, bits, colors, isInverted }, data);
}

/** All reds, then all greens, then all blues, of 16 bits each. */
function paletteOf(map: readonly number[]): Uint8Array {
  const count = map.length / 3;
  return Uint8Array.from({ length: map.length }, (_, at) => map[(at % 3) * count + Math.floor(at / 3)]! >> 8);
}
