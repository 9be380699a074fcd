// Reads the first picture of a GIF with omggif. It must never make room for pixels before their number was checked.
import type { GifReader } from 'omggif';
import {
  decoded,
  type Layout,
  one,
  type PictureLimits,
  type Reading,
  tooLarge,
  UNREADABLE,
} from './picture.ts';
import { coded, fitted, onWhite, type Pixels } from './pixels.ts';

export async function readGif(file: Buffer, { decodedPixels }: PictureLimits): Promise<Reading> {
  const { GifReader: Reader } = (await import('omggif')).default;
  const gif = await decoded(() => {
    const reader = new Reader(file);
    return { reader, frame: reader.frameInfo(0) };
  });
  if (!gif) return UNREADABLE;
  const { reader, frame } = gif;
  const { width, height } = reader;
  if (width === 0 || height === 0) return UNREADABLE;
  // The picture may be larger than the screen it is drawn on, and is unpacked as a whole.
  const most = Math.max(width * height, frame.width * frame.height);
  const refused = tooLarge('image_pixels', most, decodedPixels);
  if (refused) return refused;
  const layout = { width, height, orientation: 1, density: undefined } as const;
  const pixels = await pixelsOf(reader, layout);
  return pixels ? one(await coded(pixels, layout, 'drawing')) : UNREADABLE;
}

async function pixelsOf(reader: GifReader, layout: Layout): Promise<Pixels | undefined> {
  const { width, height } = layout;
  const rgba = Buffer.alloc(width * height * 4);
  const isDone = await decoded(() => {
    reader.decodeAndBlitFrameRGBA(0, rgba);
    return true;
  });
  return isDone ? fitted(onWhite(rgba, width, height), layout) : undefined;
}
