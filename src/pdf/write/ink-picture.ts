// Embeds the ink of a signature into a PDF: its colors, and a mask of its transparency (ISO 32000-1,
// 11.6.5.3). It must never unpack more pixels than a signature has.
import { deflateSync } from 'node:zlib';
import type { PDFContext, PDFRef } from '@cantoo/pdf-lib';
import type { Size } from '../geometry.ts';
import { pngHeaderOf, rgbaOfPng } from '../images/read-png.ts';
import { STAMP_LIMITS } from '../limits.ts';
import { isHand } from './missing.ts';
import type { StampField } from './plan.ts';

export type InkPicture = Size & { ref: PDFRef };

const HEAD = 'data:image/png;base64,';

export const isInk = ({ type, value }: Pick<StampField, 'type' | 'value'>): boolean =>
  isHand(type) && value.startsWith('data:');

/** Returns undefined for what is not a picture that can be read. */
export async function embedInk(value: string, context: PDFContext): Promise<InkPicture | undefined> {
  if (!value.startsWith(HEAD)) return undefined;
  const file = Buffer.from(value.slice(HEAD.length), 'base64');
  const header = pngHeaderOf(file);
  if (!header || header.width * header.height > STAMP_LIMITS.inkPixels) return undefined;
  const rgba = await rgbaOfPng(file);
  return rgba && pictureOf(rgba, header, context);
}

function pictureOf(rgba: Uint8Array, { width, height }: Size, context: PDFContext): InkPicture {
  const count = width * height;
  const [colors, alpha] = [new Uint8Array(count * 3), new Uint8Array(count)];
  for (let pixel = 0; pixel < count; pixel += 1) {
    alpha[pixel] = rgba[pixel * 4 + 3]!;
    // The color of a transparent pixel is irrelevant, and packs best when it is always the same.
    if (alpha[pixel] === 0) continue;
    colors.set(rgba.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  }
  const picture = (samples: Uint8Array, entries: Record<string, string | PDFRef>) =>
    context.register(
      context.stream(deflateSync(samples), {
        Type: 'XObject',
        Subtype: 'Image',
        Width: width,
        Height: height,
        BitsPerComponent: 8,
        Filter: 'FlateDecode',
        ...entries,
      }),
    );
  const mask = picture(alpha, { ColorSpace: 'DeviceGray' });
  return { ref: picture(colors, { ColorSpace: 'DeviceRGB', SMask: mask }), width, height };
}
