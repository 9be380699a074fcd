// WebP, GIF, BMP and TIFF as pages, and what is refused of them before anything is decoded.
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type ImageType, imageToPdf } from '../../../src/pdf/images/image-to-pdf.ts';
import { DOCUMENT_LIMITS } from '../../../src/pdf/limits.ts';
import {
  bmp,
  chunk,
  fax,
  gif,
  HEIGHT,
  lossyWebp,
  pixelsOfWebp,
  rgb,
  type Tags,
  tiff,
  WIDTH,
  webp,
  webpOf,
} from '../../support/documents/picture-kinds.ts';
import { exifOf } from '../../support/documents/pictures.ts';
import { colorName, quarters, shown } from '../../support/documents/pixels.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const upright = ['red', 'green', 'blue', 'yellow'];
const limits = { ...DOCUMENT_LIMITS, imagePixels: 1_000_000, decodedPixels: 1_000_000, imagePages: 3 };

async function converted(bytes: Buffer, type: ImageType) {
  const created = await imageToPdf(bytes, type, limits);
  if (!created.ok) throw new Error(created.reason);
  return created;
}

const withExif = (orientation: number) =>
  webpOf(pixelsOfWebp(webp()), chunk('EXIF', Buffer.concat([Buffer.from('Exif\0\0'), exifOf(orientation)])));

/** An animation of two pictures. */
const moving = () =>
  webpOf(
    chunk('VP8X', Buffer.from([2, 0, 0, 0, WIDTH - 1, 0, 0, HEIGHT - 1, 0, 0])),
    chunk('ANIM', Buffer.alloc(6)),
    chunk('ANMF', Buffer.concat([Buffer.alloc(16), pixelsOfWebp(webp())])),
    chunk('ANMF', Buffer.concat([Buffer.alloc(16), pixelsOfWebp(lossyWebp())])),
  );

const planes = () => {
  const pixels = rgb();
  const plane = (sample: number) => pixels.filter((_, at) => at % 3 === sample);
  return Buffer.concat([plane(0), plane(1), plane(2)]);
};
const SIZE = WIDTH * HEIGHT;

describe('shown as it is', () => {
  test.each<[string, ImageType, Buffer]>(
    sampleOf(
      [
        ['a WebP without loss', 'webp', webp()],
        ['a WebP with loss', 'webp', lossyWebp()],
        ['the first picture of a WebP that moves', 'webp', moving()],
        ['a GIF', 'gif', gif()],
        ['a BMP', 'bmp', bmp()],
        ['a TIFF', 'tiff', tiff({})],
        [
          'a TIFF in strips',
          'tiff',
          tiff({ tags: { 278: 9, 273: [8, 8 + SIZE * 1.5], 279: [SIZE * 1.5, SIZE * 1.5] } }),
        ],
        ['a TIFF in Deflate', 'tiff', tiff({ tags: { 259: 8 }, data: deflateSync(rgb()) })],
        [
          'a TIFF in planes',
          'tiff',
          tiff({
            tags: { 284: 2, 273: [8, 8 + SIZE, 8 + 2 * SIZE], 279: [SIZE, SIZE, SIZE] },
            data: planes(),
          }),
        ],
      ],
      5,
    ),
  )('%s', async (_, type, bytes) => {
    const { pdf, pages } = await converted(bytes, type);
    expect(pages).toEqual([{ width: WIDTH * 0.75, height: HEIGHT * 0.75, rotation: 0 }]);
    expect(quarters(await shown(pdf, 0, 96))).toEqual(upright);
    expect(await converted(Buffer.from(bytes), type)).toEqual({ ok: true, pdf, pages });
  });

  test('a WebP that lies on its side', async () => {
    const { pdf } = await converted(withExif(6), 'webp');
    expect(quarters(await shown(pdf, 0, 96))).toEqual(['blue', 'red', 'yellow', 'green']);
  });

  test('every page of a TIFF, each upright and of its own density, without the small copies', async () => {
    const bytes = tiff({ tags: { 274: 3 } }, { tags: { 254: 1 } }, { tags: { 282: 1 } });
    const { pdf, pages } = await converted(bytes, 'tiff');
    expect(pages).toHaveLength(2);
    expect(quarters(await shown(pdf, 0, 96))).toEqual([...upright].reverse());
    expect(quarters(await shown(pdf, 1, 96))).toEqual(upright);
  });

  test.each([
    ['white is zero', 0, [255, 0]],
    ['black is zero', 1, [0, 255]],
  ])('an unchanged fax: %s', async (_, photometric, [paper, ink]) => {
    const tags = { 258: 1, 259: 4, 262: photometric, 277: 1, 279: fax().length };
    const { pdf } = await converted(tiff({ tags, data: fax() }), 'tiff');
    expect(Buffer.from(pdf).includes(fax())).toBe(true);
    const picture = await shown(pdf, 0, 96);
    // Green is light and blue is dark.
    expect([picture.at(20, 4)[0], picture.at(6, 13)[0]]).toEqual([paper, ink]);
  });

  test('no more pixels than a page has use for', async () => {
    const [width, height] = [3000, 300];
    const pixels = Buffer.alloc(width * height * 3, 0);
    for (let at = 0; at < pixels.length; at += 3) if ((at / 3) % width < 1500) pixels.fill(255, at, at + 3);
    const tags = { 256: width, 257: height, 278: height, 279: pixels.length, 282: 600, 283: 600, 296: 2 };
    const { pdf, pages } = await converted(tiff({ tags, data: pixels }), 'tiff');
    expect(pages).toEqual([{ width: 360, height: 36, rotation: 0 }]);
    // Gray, because it has no color, and at 300 pixels per inch.
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Width 1500/Height 150/ColorSpace/DeviceGray');
    const picture = await shown(pdf);
    expect([colorName(picture.at(0.25, 0.5)), picture.at(0.75, 0.5)[0]]).toEqual(['white', 0]);
  });

  test('half clear is half as dark', async () => {
    const pixels = Buffer.alloc(SIZE * 4);
    for (let at = 0; at < pixels.length; at += 4) pixels.set([0, 0, 0, 128], at);
    const tags = { 258: [8, 8, 8, 8], 277: 4, 279: pixels.length, 338: 2 };
    const { pdf } = await converted(tiff({ tags, data: pixels }), 'tiff');
    expect((await shown(pdf, 0, 96)).at(5, 5)[0]).toBe(127);
  });
});

/** A TIFF whose only directory is followed by itself. */
function circle(): Buffer {
  const bytes = tiff({});
  bytes.writeUInt32LE(bytes.readUInt32LE(4), bytes.length - 4);
  return bytes;
}

const wide: Tags = { 256: 60_000, 257: 60_000 };
const pages = (count: number) => tiff(...Array.from({ length: count }, () => ({})));
const frame = (width: number, height: number) => {
  const bytes = gif();
  const at = bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, WIDTH, 0, HEIGHT, 0]));
  bytes.writeUInt16LE(width, at + 5);
  bytes.writeUInt16LE(height, at + 7);
  return bytes;
};
const lossyOf = (width: number, height: number) => {
  const bytes = lossyWebp();
  bytes.writeUInt16LE(width, 26);
  bytes.writeUInt16LE(height, 28);
  return bytes;
};

describe('refused', () => {
  test.each<[string, ImageType, Buffer, number]>([
    ['a TIFF', 'tiff', tiff({ tags: wide }), 3_600_000_000],
    ['a GIF whose picture is larger than its screen', 'gif', frame(60_000, 60_000), 3_600_000_000],
    ['a WebP', 'webp', lossyOf(16_000, 16_000), 256_000_000],
    ['a BMP', 'bmp', bmp({ width: 60_000, height: -60_000 }), 3_600_000_000],
  ])('%s with too many pixels, before it is decoded', async (_, type, bytes, actual) => {
    const refusal = { ok: false, reason: 'too_large', limit: 'image_pixels', actual, allowed: 1_000_000 };
    expect(await imageToPdf(bytes, type, limits)).toEqual(refusal);
  });

  test('a TIFF of more pages than a document may have', async () => {
    expect(await imageToPdf(pages(4), 'tiff', limits)).toEqual({
      ok: false,
      reason: 'too_many_pages',
      pageCount: 4,
    });
    expect(await imageToPdf(pages(3), 'tiff', limits)).toMatchObject({ ok: true });
  });

  test.each<[string, ImageType, Buffer]>([
    ['a TIFF that goes round in a circle', 'tiff', circle()],
    ['a TIFF whose strip ends after the file', 'tiff', tiff({ tags: { 259: 5, 279: 1_000_000 } })],
    ['a TIFF with too few strips', 'tiff', tiff({ tags: { 278: 1 } })],
    [
      'a TIFF whose strip is too short',
      'tiff',
      tiff({ tags: { 259: 8 }, data: deflateSync(rgb().subarray(9)) }),
    ],
    ['a TIFF that is damaged inside', 'tiff', tiff({ tags: { 259: 8 }, data: Buffer.alloc(99, 1) })],
    ['a TIFF without pages', 'tiff', tiff({ tags: { 254: 1 } })],
    ['half a TIFF', 'tiff', tiff({}).subarray(0, 1000)],
    ['a BMP without its last row', 'bmp', bmp().subarray(0, -80)],
    ['half a WebP', 'webp', lossyWebp().subarray(0, 150)],
    ['a WebP that is damaged inside', 'webp', Buffer.concat([webp().subarray(0, 25), Buffer.alloc(21, 255)])],
    [
      'a WebP in a WebP in a WebP',
      'webp',
      webpOf(chunk('ANMF', Buffer.concat([Buffer.alloc(16), chunk('ANMF', Buffer.alloc(16))]))),
    ],
    ['half a GIF', 'gif', gif().subarray(0, 100)],
    ['a GIF without a picture', 'gif', gif().subarray(0, 25)],
  ])('is refused as damaged: %s', async (_, type, bytes) => {
    expect(await imageToPdf(bytes, type, limits)).toEqual({ ok: false, reason: 'unreadable' });
  });

  test.each<[string, ImageType, Buffer]>([
    ['a TIFF of an unknown compression', 'tiff', tiff({ tags: { 259: 34_712 } })],
    ['a TIFF of fractions', 'tiff', tiff({ tags: { 258: [32, 32, 32], 339: 3 } })],
    ['a BMP of 2 bits', 'bmp', bmp({ bits: 2 })],
  ])('as a variant that is not supported: %s', async (_, type, bytes) => {
    expect(await imageToPdf(bytes, type, limits)).toEqual({ ok: false, reason: 'unknown_coding' });
  });

  test.skipIf(!SLOW)(
    'no value of a directory is believed: none of many random changes is anything but an answer',
    async () => {
      let seed = 1;
      const random = (below: number) => {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        return Math.floor((seed / 2 ** 32) * below);
      };
      const files: [ImageType, Buffer][] = [
        ['tiff', tiff({}, { tags: { 259: 4, 258: 1, 277: 1, 262: 0, 279: fax().length }, data: fax() })],
        ['tiff', tiff({ tags: { 278: 9, 259: 5, 273: [8, 400], 279: [392, 300] } })],
        ['gif', gif()],
        ['bmp', bmp()],
        ['webp', webp()],
      ];
      for (let round = 0; round < (SLOW ? 300 : 60); round += 1) {
        const [type, file] = files[round % files.length]!;
        const bytes = Buffer.from(file);
        for (let change = random(4); change >= 0; change -= 1) bytes[random(bytes.length)] = random(256);
        const created = await imageToPdf(bytes, type, limits);
        if (!created.ok)
          expect(['unreadable', 'unknown_coding', 'too_large', 'too_many_pages']).toContain(created.reason);
      }
    },
  );
});
