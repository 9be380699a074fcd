import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { imageToPdf } from '../../../src/pdf/images/image-to-pdf.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import {
  cmykPhotograph,
  exifOf,
  type PngPlan,
  photograph,
  photographWithExif,
  pngFile,
  pngOf,
} from '../../support/documents/pictures.ts';
import { colorName, quarters, readPixels, shown } from '../../support/documents/pixels.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const limits = {
  imagePixels: 4_000_000,
  decodedPixels: 2_000_000,
  pngPixels: 2_000_000,
  pixelBytes: 16_000_000,
  imagePages: 5,
};
const upright = ['red', 'green', 'blue', 'yellow'];

async function converted(bytes: Uint8Array, kind: 'png' | 'jpeg') {
  const result = await imageToPdf(bytes, kind, limits);
  if (!result.ok) throw new Error(result.reason);
  // The returned size of the page is the one that another reader finds in the file.
  expect(await inspectPdf(result.pdf, { maxPages: 9 })).toEqual({
    ok: true,
    pages: result.pages,
    remarks: [],
  });
  return { ...result, page: result.pages[0]! };
}

const RGB: Record<string, number[]> = {
  red: [1, 0, 0],
  green: [0, 1, 0],
  blue: [0, 0, 1],
  yellow: [1, 1, 0],
};

/** 26 × 18 pixels in four quarters, in any coding that has colors. */
function quartered(plan: Partial<PngPlan> & { samples?: (name: string) => number[] } = {}): PngPlan {
  const { bits = 8, samples = (name) => RGB[name]!.map((value) => value * (2 ** bits - 1)), ...rest } = plan;
  const nameAt = (x: number, y: number) => upright[(x < 13 ? 0 : 1) + (y < 9 ? 0 : 2)]!;
  return { width: 26, height: 18, bits, colorType: 2, pixel: (x, y) => samples(nameAt(x, y)), ...rest };
}

const alphaOf = (name: string, most: number) => (name === 'yellow' ? 0 : most);
const palette: [string, Buffer] = [
  'PLTE',
  Buffer.from(upright.flatMap((name) => RGB[name]!.map((v) => v * 255))),
];

describe('PNG', () => {
  const opaque: [string, PngPlan][] = [
    ['RGB', quartered()],
    ['RGB of 16 bits', quartered({ bits: 16 })],
    ['RGB, interlaced', quartered({ isInterlaced: true })],
    ['a palette', quartered({ colorType: 3, chunks: [palette], samples: (name) => [upright.indexOf(name)] })],
    [
      'a palette of 2 bits',
      quartered({ colorType: 3, bits: 2, chunks: [palette], samples: (name) => [upright.indexOf(name)] }),
    ],
    [
      'a palette of 2 bits, interlaced',
      quartered({
        colorType: 3,
        bits: 2,
        isInterlaced: true,
        chunks: [palette],
        samples: (name) => [upright.indexOf(name)],
      }),
    ],
  ];
  test.each(sampleOf(opaque, 2))('%s', async (_, plan) => {
    const png = pngOf(plan);
    expect(quarters(readPixels(png))).toEqual(upright);
    const { pdf } = await converted(png, 'png');
    expect(quarters(await shown(pdf))).toEqual(upright);
  });

  const clear: [string, PngPlan][] = [
    [
      'RGB and alpha',
      quartered({
        colorType: 6,
        samples: (name) => [...RGB[name]!.map((v) => v * 255), alphaOf(name, 255)],
      }),
    ],
    [
      'RGB and alpha of 16 bits, interlaced',
      quartered({
        colorType: 6,
        bits: 16,
        isInterlaced: true,
        samples: (name) => [...RGB[name]!.map((v) => v * 65_535), alphaOf(name, 65_535)],
      }),
    ],
    ['RGB with a colour key', quartered({ chunks: [['tRNS', Buffer.from([0, 255, 0, 255, 0, 0])]] })],
    [
      'a palette with alpha',
      quartered({
        colorType: 3,
        bits: 4,
        chunks: [palette, ['tRNS', Buffer.from([255, 255, 255, 0])]],
        samples: (name) => [upright.indexOf(name)],
      }),
    ],
  ];
  test.each(clear)('%s: what is transparent shows the paper', async (_, plan) => {
    const { pdf } = await converted(pngOf(plan), 'png');
    expect(quarters(await shown(pdf))).toEqual(['red', 'green', 'blue', 'white']);
  });

  test.each([1, 2, 4, 8, 16])('gray of %i bits', async (bits) => {
    const most = 2 ** bits - 1;
    const plan = quartered({ colorType: 0, bits, samples: (name) => [name === 'red' ? most : 0] });
    for (const isInterlaced of [false, true]) {
      const picture = await shown((await converted(pngOf({ ...plan, isInterlaced }), 'png')).pdf);
      expect([picture.at(0.25, 0.25), picture.at(0.75, 0.75)]).toEqual([
        [255, 255, 255, 255],
        [0, 0, 0, 255],
      ]);
    }
  });

  test('half transparent gray is half as dark', async () => {
    const plan = quartered({ colorType: 4, samples: () => [0, 128] });
    const [value] = (await shown((await converted(pngOf(plan), 'png')).pdf)).at(0.5, 0.5);
    expect(value).toBeGreaterThan(120);
    expect(value).toBeLessThan(135);
  });

  test('every pixel lies where it did, interlaced or not', async () => {
    const [width, height] = [37, 29];
    const noise = (x: number, y: number) => ((x * 73_856_093) ^ (y * 19_349_663)) >>> 5;
    const pixel = (x: number, y: number) => [0, 8, 16].map((shift) => (noise(x, y) >> shift) & 0xff);
    const inOrder = (at: (x: number, y: number) => number[]) =>
      Array.from({ length: width * height }, (_, index) =>
        at(index % width, Math.floor(index / width)).slice(0, 3),
      );
    for (const isInterlaced of [false, true]) {
      const png = pngOf({ width, height, bits: 8, colorType: 2, isInterlaced, pixel });
      const picture = await shown((await converted(png, 'png')).pdf, 0, 96);
      expect([picture.width, picture.height]).toEqual([width, height]);
      expect(inOrder(picture.at)).toEqual(inOrder(pixel));
    }
  });

  test.each([
    ['cut off', pngOf(quartered()).subarray(0, -20)],
    ['pixels missing', pngFile(quartered(), deflateSync(Buffer.alloc(100)))],
    ['pixels that are no data', pngFile(quartered(), Buffer.from('nonsense'))],
    ['a filter that does not exist', pngFile(quartered(), deflateSync(Buffer.alloc(18 * (1 + 26 * 3), 9)))],
    ['a palette picture without a palette', pngOf(quartered({ colorType: 3, samples: () => [0] }))],
    ['a coding that does not exist', pngOf(quartered({ bits: 4 }))],
    ['nothing after the signature', pngOf(quartered()).subarray(0, 8)],
    ['no PNG', photograph()],
  ])('is refused as unreadable: %s', async (_, bytes) => {
    expect(await imageToPdf(bytes, 'png', limits)).toEqual({ ok: false, reason: 'unreadable' });
  });
});

describe('JPEG', () => {
  test('goes in as it is', async () => {
    const { pdf, page } = await converted(photograph(), 'jpeg');
    expect(page).toEqual({ width: 48, height: 32, rotation: 0 });
    expect(Buffer.from(pdf).includes(photograph())).toBe(true);
    expect(quarters(await shown(pdf))).toEqual(upright);
  });

  test('CMYK as Adobe writes it', async () => {
    const { pdf } = await converted(cmykPhotograph(), 'jpeg');
    const picture = await shown(pdf);
    const [red, green, blue] = picture.at(0.25, 0.25);
    expect(red! > 180 && green! < 90 && blue! < 90).toBe(true);
  });

  test.each([
    [1, 'upright', ['red', 'green', 'blue', 'yellow']],
    [2, 'mirrored', ['green', 'red', 'yellow', 'blue']],
    [3, 'upside down', ['yellow', 'blue', 'green', 'red']],
    [4, 'mirrored upside down', ['blue', 'yellow', 'red', 'green']],
    [5, 'mirrored, turned left', ['red', 'blue', 'green', 'yellow']],
    [6, 'turned left', ['blue', 'red', 'yellow', 'green']],
    [7, 'mirrored, turned right', ['yellow', 'green', 'blue', 'red']],
    [8, 'turned right', ['green', 'yellow', 'red', 'blue']],
    [9, 'a number that means nothing', ['red', 'green', 'blue', 'yellow']],
  ])('EXIF orientation %i (%s) is shown upright', async (orientation, _, colors) => {
    const { pdf, page } = await converted(photographWithExif(orientation), 'jpeg');
    const isTurned = orientation >= 5 && orientation <= 8;
    expect(page).toEqual({ width: isTurned ? 24 : 36, height: isTurned ? 36 : 24, rotation: 0 });
    expect(quarters(await shown(pdf))).toEqual(colors);
  });

  test.each([
    ['cut off before its end', photograph().subarray(0, -2)],
    ['cut off in its header', photograph().subarray(0, 60)],
    ['its first bytes alone', photograph().subarray(0, 3)],
    [
      'arithmetic coding',
      Buffer.from(photograph().toString('latin1').replace('\xff\xc0', '\xff\xc9'), 'latin1'),
    ],
    ['no JPEG', Buffer.from('no JPEG at all, only words')],
  ])('is refused as unreadable: %s', async (_, bytes) => {
    expect(await imageToPdf(bytes, 'jpeg', limits)).toEqual({ ok: false, reason: 'unreadable' });
  });
});

describe('the page', () => {
  const blank = (width: number, height: number, chunks: [string, Buffer][] = []) =>
    pngFile(
      { width, height, bits: 1, colorType: 0, chunks },
      deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8)))),
    );

  test.each([
    ['96 pixels are an inch', blank(96, 48), 72, 36],
    ['a small picture stays small', blank(8, 8), 6, 6],
    ['a tall picture fits A4', blank(1000, 2000), 421, 842],
    ['a wide picture fits A4 on its side', blank(2000, 1000), 842, 421],
    ['the narrow side decides', blank(1200, 1200), 595, 595],
    ['a line is still a page', blank(2000, 1), 842, 1],
  ])('%s', async (_, png, width, height) => {
    expect((await converted(png, 'png')).page).toEqual({ width, height, rotation: 0 });
  });

  test('the density of the file counts', async () => {
    const perMetre = Buffer.alloc(9);
    perMetre.writeUInt32BE(11_811, 0); // 300 per inch
    perMetre.writeUInt32BE(5906, 4); // 150 per inch
    perMetre[8] = 1;
    const png = (await converted(blank(300, 300, [['pHYs', perMetre]]), 'png')).page;
    expect([png.width, png.height].map(Math.round)).toEqual([72, 144]);
    const jpeg = (await converted(photographWithExif(6, 40), 'jpeg')).page; // 40 per cm
    expect([jpeg.width, jpeg.height]).toEqual([22.677, 34.016]);
  });

  test('a phone of 48 or 200 megapixels makes a page', async () => {
    for (const [width, height] of [
      [8000, 6000],
      [16_320, 12_240],
    ]) {
      const jpeg = photograph();
      const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      jpeg.writeUInt16BE(height!, frame + 5);
      jpeg.writeUInt16BE(width!, frame + 7);
      const { pdf, ...details } = await imageToPdf(jpeg, 'jpeg').then((created) =>
        created.ok ? created : Promise.reject(created),
      );
      expect(details).toEqual({ ok: true, pages: [{ width: 793.333, height: 595, rotation: 0 }] });
      expect(await inspectPdf(pdf, { maxPages: 1 })).toEqual({ ...details, remarks: [] });
    }
  });

  test.each([
    ['a fax has twice as many across', [204, 98], [16.941, 23.51]],
    ['eight times as many were not meant', [600, 72], [36, 24]],
    ['and neither were these', [98, 300], [36, 24]],
  ])('densities of a JPEG that differ: %s', async (_, [x, y], [width, height]) => {
    const jpeg = photograph();
    jpeg.writeUInt16BE(x!, 14);
    jpeg.writeUInt16BE(y!, 16);
    expect((await converted(jpeg, 'jpeg')).page).toEqual({ width, height, rotation: 0 });
  });

  test.each([
    [6, ['blue', 'red', 'yellow', 'green']],
    [3, ['yellow', 'blue', 'green', 'red']],
    [9, upright],
  ])('a PNG with EXIF orientation %i is shown upright', async (orientation, colors) => {
    for (const isInterlaced of [false, true]) {
      const exif = exifOf(orientation);
      const { pdf, page } = await converted(
        pngOf(quartered({ chunks: [['eXIf', exif]], isInterlaced })),
        'png',
      );
      expect(quarters(await shown(pdf))).toEqual(colors);
      expect(page.width > page.height).toBe(orientation !== 6);
    }
  });

  test('the same bytes in give the same bytes out', async () => {
    for (const [bytes, kind] of [
      [photograph(), 'jpeg'],
      [pngOf(quartered({ isInterlaced: true })), 'png'],
    ] as const) {
      const first = await converted(bytes, kind);
      expect(await converted(Buffer.from(bytes), kind)).toEqual(first);
    }
  });
});

describe('bombs', () => {
  test('a header that claims 60000 × 60000 pixels is believed and refused', async () => {
    const plan = { width: 60_000, height: 60_000, bits: 8, colorType: 6 };
    const png = pngFile(plan, deflateSync(Buffer.alloc(10)));
    const tooLarge = {
      reason: 'too_large',
      limit: 'image_pixels',
      actual: 3_600_000_000,
      allowed: 4_000_000,
    };
    expect(await imageToPdf(png, 'png', limits)).toMatchObject(tooLarge);
    const jpeg = photograph();
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(60_000, frame + 5);
    jpeg.writeUInt16BE(60_000, frame + 7);
    expect(await imageToPdf(jpeg, 'jpeg', limits)).toMatchObject(tooLarge);
  });

  test.skipIf(!SLOW)('pixels that unpack to more than the header says are not unpacked', async () => {
    const png = pngFile(quartered(), deflateSync(Buffer.alloc(50_000_000)));
    expect(await imageToPdf(png, 'png', limits)).toEqual({ ok: false, reason: 'unreadable' });
  });

  test('the limit itself is allowed', async () => {
    const bytes = pngOf(quartered());
    expect(await imageToPdf(bytes, 'png', { ...limits, imagePixels: 26 * 18 })).toMatchObject({ ok: true });
    expect(await imageToPdf(bytes, 'png', { ...limits, imagePixels: 26 * 18 - 1 })).toMatchObject({
      reason: 'too_large',
    });
    expect(colorName((await shown((await converted(bytes, 'png')).pdf)).at(0, 0))).toBe('red');
  });
});
