// Reads the first picture of a GIF with omggif. It must never make room for pixels before their number was checked.
import { decoded, one, type PictureLimits, type Reading, tooLarge, UNREADABLE } from './picture.ts';
import { onWhite, pictureOf } from './pixels.ts';

export async function readGif(file: Buffer, { decodedPixels }: PictureLimits): Promise<Reading> {
  const { GifReader } = (await import('omggif')).default;
  const gif = await decoded(() => {
    const reader = new GifReader(file);
    return { reader, frame: reader.frameInfo(0) };
  });
  if (!gif) return UNREADABLE;
  const { reader, frame } = gif;
  const { width, height } = reader;
  if (width === 0 || height === 0) return UNREADABLE;
  // The picture may be larger than the screen it is drawn on, and is unpacked as a whole.
  const pixels = Math.max(width * height, frame.width * frame.height);
  const refused = tooLarge('image_pixels', pixels, decodedPixels);
  if (refused) return refused;
  const rgba = Buffer.alloc(width * height * 4);
  const wasDecoded = await decoded(() => {
    reader.decodeAndBlitFrameRGBA(0, rgba);
    return true;
  });
  if (!wasDecoded) return UNREADABLE;
  const layout = { width, height, orientation: 1, density: undefined } as const;
  return one(await pictureOf(onWhite(rgba, width, height), layout, 'drawing'));
}
