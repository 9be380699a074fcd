// Pictures of every coding that programs write, made by ImageMagick, libtiff and libwebp: drawn from our PDF, they are
// what ImageMagick shows of them, pixel by pixel.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool } from '../../../src/pdf/engine/pool.ts';
import { type ImageType, imageToPdf } from '../../../src/pdf/images/image-to-pdf.ts';
import { ENGINE_PROGRAM, sourceOf } from '../../support/documents/engine.ts';
import { shown } from '../../support/documents/pixels.ts';
import { SLOW, shareOf } from '../../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus } from '../../support/tools.ts';

const tools = ['identify', 'tiffcp', 'cwebp', 'exiftool'].map(needsCommand);
const missing = tools.find(({ skip }) => skip);
const WIDTH = 310;
const HEIGHT = 205;
const DENSITY = 96;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'esign-images-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, ...words: string[]): Buffer =>
  execFileSync(command, words, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** A photograph of sorts, with colors, words and a corner that tells which way is up. */
function makeSource(): void {
  run(
    'convert',
    ...['-size', `${WIDTH}x${HEIGHT}`, '-seed', '7', 'plasma:tomato-steelblue', '-fill', 'black', '-draw'],
    ...[
      'rectangle 0,0 60,20',
      '-fill',
      'white',
      '-draw',
      'rectangle 200,150 260,190',
      '-draw',
      'circle 90,120 90,90',
    ],
    ...['-alpha', 'off', '-depth', '8', '-density', `${DENSITY}`, '-units', 'PixelsPerInch', 'source.png'],
  );
}

/** Reads what ImageMagick shows of a page: red, green, blue, laid on white and upright. */
const wanted = (file: string, page = 0): Buffer =>
  run(
    'convert',
    ...[
      `${file}[${page}]`,
      '-auto-orient',
      '+repage',
      '-colorspace',
      'sRGB',
      '-background',
      'white',
      '-flatten',
    ],
    ...['-alpha', 'off', '-depth', '8', 'rgb:-'],
  );

/** Computes the mean difference of samples, 0 to 255. */
async function difference(file: string, type: ImageType, page = 0): Promise<number> {
  const created = await imageToPdf(readFileSync(join(folder, file)), type);
  if (!created.ok) throw new Error(`${file}: ${created.reason}`);
  const drawn = await shown(created.pdf, page, DENSITY);
  const expected = wanted(file, page);
  expect(expected.length, 'size').toBe(drawn.width * drawn.height * 3);
  let sum = 0;
  for (let y = 0; y < drawn.height; y += 1)
    for (let x = 0; x < drawn.width; x += 1) {
      const [pixel, at] = [drawn.at(x, y), (y * drawn.width + x) * 3];
      for (let sample = 0; sample < 3; sample += 1) sum += Math.abs(pixel[sample]! - expected[at + sample]!);
    }
  return sum / expected.length;
}

type Making = [name: string, file: string, ...commands: string[]];

const TIFFS: Making[] = [
  ['no compression', 'none.tif', 'convert source.png -compress None none.tif'],
  ['the higher byte first', 'msb.tif', 'convert source.png -endian MSB -compress LZW msb.tif'],
  ['LZW', 'lzw.tif', 'convert source.png -compress LZW lzw.tif'],
  ['Deflate', 'zip.tif', 'convert source.png -compress Zip zip.tif'],
  ['PackBits', 'runs.tif', 'convert source.png -compress RLE runs.tif'],
  [
    'LZW of differences',
    'lzw2.tif',
    'convert source.png -compress None n.tif',
    'tiffcp -c lzw:2 -r 16 n.tif lzw2.tif',
  ],
  ['Deflate of differences', 'zip2.tif', 'convert source.png n.tif', 'tiffcp -c zip:2 -r 7 n.tif zip2.tif'],
  ['16 bits', 'deep.tif', 'convert source.png -depth 16 -compress LZW deep.tif'],
  [
    '16 bits, the higher byte first',
    'deepmsb.tif',
    'convert source.png -depth 16 -endian MSB -compress Zip deepmsb.tif',
  ],
  [
    '16 bits, differences',
    'deep2.tif',
    'convert source.png -depth 16 n.tif',
    'tiffcp -c zip:2 n.tif deep2.tif',
  ],
  ['gray', 'gray.tif', 'convert source.png -colorspace Gray -depth 8 -compress LZW gray.tif'],
  [
    'gray of 16 bits',
    'gray16.tif',
    'convert source.png -colorspace Gray -depth 16 -compress None gray16.tif',
  ],
  ['gray of 4 bits', 'gray4.tif', 'convert source.png -colorspace Gray -depth 4 -compress LZW gray4.tif'],
  ['gray of 2 bits', 'gray2.tif', 'convert source.png -colorspace Gray -depth 2 -compress None gray2.tif'],
  [
    'white is zero',
    'white0.tif',
    'convert source.png -colorspace Gray -depth 8 -define quantum:polarity=min-is-white white0.tif',
  ],
  ['a palette', 'palette.tif', 'convert source.png -type Palette -colors 200 -compress LZW palette.tif'],
  [
    'a palette of 4 bits',
    'palette4.tif',
    'convert source.png -colors 16 -type Palette -depth 4 -compress None palette4.tif',
  ],
  ['alpha', 'alpha.tif', 'convert source.png -alpha set -channel A -fx i/w +channel -compress LZW alpha.tif'],
  [
    'alpha of gray',
    'grayalpha.tif',
    'convert source.png -colorspace Gray -alpha set -channel A -fx i/w +channel grayalpha.tif',
  ],
  [
    'alpha that was counted in',
    'associated.tif',
    'convert source.png -alpha set -channel A -fx i/w +channel -define tiff:alpha=associated associated.tif',
  ],
  ['CMYK', 'cmyk.tif', 'convert source.png -colorspace CMYK -depth 8 -compress LZW cmyk.tif'],
  [
    'planes',
    'planes.tif',
    'convert source.png -compress None n.tif',
    'tiffcp -p separate -c lzw -r 32 n.tif planes.tif',
  ],
  [
    'planes of 16 bits',
    'planes16.tif',
    'convert source.png -depth 16 -interlace Plane -compress Zip planes16.tif',
  ],
  ['tiles', 'tiles.tif', 'convert source.png n.tif', 'tiffcp -t -w 64 -l 48 -c lzw n.tif tiles.tif'],
  [
    'tiles of planes',
    'tileplanes.tif',
    'convert source.png n.tif',
    'tiffcp -t -w 64 -l 48 -p separate -c none n.tif tileplanes.tif',
  ],
  [
    'tiles of one bit',
    'bittiles.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -t -w 64 -l 48 -c lzw n.tif bittiles.tif',
  ],
  [
    'Group 4',
    'g4.tif',
    'convert source.png -monochrome -compress Group4 -define tiff:rows-per-strip=999 g4.tif',
  ],
  [
    'Group 4, black is zero',
    'g4b.tif',
    'convert source.png -monochrome -define quantum:polarity=min-is-black -compress Group4 g4b.tif',
  ],
  [
    'Group 4 in strips',
    'g4s.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g4 -r 16 n.tif g4s.tif',
  ],
  [
    'Group 4, the last bit first',
    'g4l.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g4 -f lsb2msb n.tif g4l.tif',
  ],
  [
    'Group 4 in strips, the last bit first',
    'g4ls.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g4 -r 16 -f lsb2msb n.tif g4ls.tif',
  ],
  [
    'Group 3',
    'g3.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g3:1d -r 999 n.tif g3.tif',
  ],
  [
    'Group 3 with whole bytes',
    'g3f.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g3:1d:fill -r 999 n.tif g3f.tif',
  ],
  [
    'Group 3 in two dimensions',
    'g32.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g3:2d -r 999 n.tif g32.tif',
  ],
  [
    'Group 3 in strips',
    'g3s.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g3:1d -r 16 n.tif g3s.tif',
  ],
  [
    'Group 3 in two dimensions, in strips',
    'g32s.tif',
    'convert source.png -monochrome -compress Group4 n.tif',
    'tiffcp -c g3:2d -r 16 n.tif g32s.tif',
  ],
  ['one bit, LZW', 'bit.tif', 'convert source.png -monochrome -compress LZW bit.tif'],
  ['one bit, PackBits', 'bitruns.tif', 'convert source.png -monochrome -compress RLE bitruns.tif'],
];

/** Coded with loss: decoding twice and encoding again gives small differences. */
const LOSSY: Making[] = [
  [
    'JPEG in one piece',
    'jpeg1.tif',
    'convert source.png n.tif',
    'tiffcp -c jpeg:90:r -r 999 n.tif jpeg1.tif',
  ],
  ['JPEG in strips', 'jpegs.tif', 'convert source.png n.tif', 'tiffcp -c jpeg:90:r -r 16 n.tif jpegs.tif'],
  ['JPEG of YCbCr', 'jpegy.tif', 'convert source.png -compress JPEG -quality 90 jpegy.tif'],
  [
    'JPEG of YCbCr in tiles',
    'jpegt.tif',
    'convert source.png n.tif',
    'tiffcp -t -w 64 -l 48 -c jpeg:90 n.tif jpegt.tif',
  ],
  [
    'JPEG of gray',
    'jpegg.tif',
    'convert source.png -colorspace Gray n.tif',
    'tiffcp -c jpeg:90 -r 999 n.tif jpegg.tif',
  ],
  [
    'JPEG of gray in strips',
    'jpeggs.tif',
    'convert source.png -colorspace Gray n.tif',
    'tiffcp -c jpeg:90 -r 16 n.tif jpeggs.tif',
  ],
];

const OTHERS: [type: ImageType, most: number, ...Making][] = [
  ['webp', 4, 'with loss', 'lossy.webp', 'cwebp -quiet -q 95 source.png -o lossy.webp'],
  [
    'webp',
    4,
    'with loss and alpha',
    'lossya.webp',
    'convert source.png -alpha set -channel A -fx i/w +channel a.png',
    'cwebp -quiet -q 95 a.png -o lossya.webp',
  ],
  ['webp', 0.6, 'without loss', 'whole.webp', 'cwebp -quiet -lossless source.png -o whole.webp'],
  [
    'webp',
    0.6,
    'without loss, with alpha',
    'wholea.webp',
    'convert source.png -alpha set -channel A -fx i/w +channel a.png',
    'cwebp -quiet -lossless a.png -o wholea.webp',
  ],
  ['gif', 0.6, 'plain', 'plain.gif', 'convert source.png plain.gif'],
  ['gif', 0.6, 'interlaced', 'inter.gif', 'convert source.png -interlace GIF inter.gif'],
  ['gif', 0.6, 'with something clear', 'clear.gif', 'convert source.png -transparent black clear.gif'],
  [
    'gif',
    0.6,
    'the first of several',
    'moving.gif',
    'convert -delay 5 source.png -negate source.png -reverse moving.gif',
  ],
  ['bmp', 0.6, '24 bits', 'b24.bmp', 'convert source.png -type TrueColor BMP3:b24.bmp'],
  ['bmp', 0.6, '24 bits of OS/2', 'b24os2.bmp', 'convert source.png -type TrueColor BMP2:b24os2.bmp'],
  ['bmp', 0.6, '8 bits', 'b8.bmp', 'convert source.png -type Palette -compress None BMP3:b8.bmp'],
  [
    'bmp',
    0.6,
    '8 bits in runs',
    'b8r.bmp',
    'convert source.png -colors 20 -type Palette -compress RLE BMP3:b8r.bmp',
  ],
  ['bmp', 0.6, '4 bits', 'b4.bmp', 'convert source.png -colors 16 -type Palette -compress None BMP3:b4.bmp'],
  ['bmp', 0.6, '1 bit', 'b1.bmp', 'convert source.png -monochrome BMP3:b1.bmp'],
  ['bmp', 0.6, '1 bit of OS/2', 'b1os2.bmp', 'convert source.png -monochrome BMP2:b1os2.bmp'],
  ['bmp', 0.6, '16 bits', 'b16.bmp', 'convert source.png -define bmp:subtype=RGB565 b16.bmp'],
  ['bmp', 0.6, '15 bits', 'b15.bmp', 'convert source.png -define bmp:subtype=RGB555 b15.bmp'],
  [
    'bmp',
    0.6,
    '32 bits with alpha',
    'b32.bmp',
    'convert source.png -alpha set -channel A -fx i/w +channel b32.bmp',
  ],
  [
    'jpeg',
    3,
    'baseline',
    'base.jpg',
    'convert source.png -density 96 -units PixelsPerInch -quality 95 base.jpg',
  ],
  [
    'jpeg',
    3,
    'progressive',
    'prog.jpg',
    'convert source.png -density 96 -units PixelsPerInch -quality 95 -interlace JPEG prog.jpg',
  ],
  [
    'jpeg',
    3,
    'gray',
    'gray.jpg',
    'convert source.png -colorspace Gray -density 96 -units PixelsPerInch -quality 95 gray.jpg',
  ],
  [
    'png',
    0.6,
    '16 bits with alpha, interlaced',
    'deep.png',
    'convert source.png -alpha set -channel A -fx i/w +channel -depth 16 -interlace PNG deep.png',
  ],
  ['png', 0.6, '16 bits', 'deep16.png', 'convert source.png -depth 16 deep16.png'],
  [
    'png',
    0.6,
    'a palette, interlaced',
    'pal.png',
    'convert source.png -colors 16 -interlace PNG PNG8:pal.png',
  ],
];

function make(commands: readonly string[]): void {
  for (const command of commands) {
    const [tool, ...words] = command.split(' ');
    run(tool!, ...words);
  }
}

describe.skipIf(!SLOW || missing !== undefined)(`against ImageMagick${missing?.why ?? ''}`, () => {
  beforeAll(makeSource);

  test.each(shareOf(TIFFS, 4))('TIFF: %s', async (_, file, ...commands) => {
    make(commands);
    // The colors of ink differ from program to program.
    expect(await difference(file, 'tiff')).toBeLessThan(file === 'cmyk.tif' ? 30 : 0.6);
  });

  test.each(shareOf(LOSSY, 4))('TIFF: %s', async (_, file, ...commands) => {
    make(commands);
    expect(await difference(file, 'tiff')).toBeLessThan(6);
  });

  test.each(shareOf(OTHERS, 4))('%s, at most %d: %s', async (type, most, _, file, ...commands) => {
    make(commands);
    expect(await difference(file, type)).toBeLessThan(most);
  });

  test('every page of a TIFF', async () => {
    make([
      'convert source.png ( source.png -negate ) ( source.png -flop -monochrome ) -compress LZW pages.tif',
    ]);
    for (const page of [0, 1, 2]) expect(await difference('pages.tif', 'tiff', page)).toBeLessThan(0.6);
  });

  test.each(shareOf([1, 2, 3, 4, 5, 6, 7, 8], 4))('orientation %i', async (orientation) => {
    const word = `-Orientation#=${orientation}`;
    make([
      `convert source.png -compress LZW turned.tif`,
      `exiftool -q -overwrite_original ${word} turned.tif`,
      `convert source.png -density 96 -units PixelsPerInch -quality 95 turned.jpg`,
      `exiftool -q -overwrite_original ${word} turned.jpg`,
    ]);
    expect(await difference('turned.tif', 'tiff')).toBeLessThan(0.6);
    expect(await difference('turned.jpg', 'jpeg')).toBeLessThan(4);
  });

  test('orientation of a WebP', async () => {
    make([
      'cwebp -quiet -lossless source.png -o turned.webp',
      'exiftool -q -overwrite_original -Orientation#=6 turned.webp',
    ]);
    const created = await imageToPdf(readFileSync(join(folder, 'turned.webp')), 'webp');
    // exiftool writes down 72 pixels per inch.
    expect(created).toMatchObject({ ok: true, pages: [{ width: HEIGHT, height: WIDTH }] });
  });
});

describe.skipIf(!SLOW || missing !== undefined)(`the largest that are taken${missing?.why ?? ''}`, () => {
  // How long a machine takes that has other work to do is not asked here.
  const engine = createPool({ program: ENGINE_PROGRAM, timeMs: 300_000 });
  afterAll(() => engine.close());

  const largest: [string, ImageType, string, ...string[]][] = [
    [
      'a WebP of 20 megapixels',
      'webp',
      'large.webp',
      'convert -size 5000x4000 plasma: l.png',
      'cwebp -quiet -q 60 l.png -o large.webp',
    ],
    [
      'a capture of an 8K screen',
      'png',
      'large.png',
      'convert -size 7680x4320 gradient:red-blue -alpha set -channel A -evaluate set 80% -depth 8 large.png',
    ],
    [
      'an interlaced PNG of 9 megapixels',
      'png',
      'inter.png',
      'convert -size 3000x3000 gradient:red-blue -alpha set -channel A -evaluate set 80% -depth 8 -interlace PNG inter.png',
    ],
    [
      'a scan of A4 at 600 dpi in strips',
      'tiff',
      'large.tif',
      'convert -size 4960x7016 plasma: -density 600 -units PixelsPerInch -depth 8 n.tif',
      'tiffcp -c jpeg:75 -r 64 n.tif large.tif',
    ],
    ['a GIF of 20 megapixels', 'gif', 'large.gif', 'convert -size 5000x4000 gradient:red-blue large.gif'],
  ];
  test.each(shareOf(largest, 6))(
    '%s fits into the memory of a child',
    async (_, type, file, ...commands) => {
      make(commands);
      const path = join(folder, file);
      const created = await engine.toPdf(sourceOf(readFileSync(path), path), type, 'a company');
      expect(created).toMatchObject({ ok: true });
    },
    400_000,
  );
});

const corpus = needsCorpus();

describe.skipIf(corpus.skip)(`real pictures${corpus.why}`, () => {
  test.each<[string, ImageType]>([
    ['image.jpg', 'jpeg'],
    ['image.png', 'png'],
    ['page-0-Im1.jpg', 'jpeg'],
    ['page-0-X0.png', 'png'],
    ['smile.jpg', 'jpeg'],
    ['smile.png', 'png'],
    ['smile.tiff', 'tiff'],
  ])('%s', async (name, type) => {
    const created = await imageToPdf(readFileSync(join(CORPUS, 'py-pdf-sample-files', name)), type);
    expect(created).toMatchObject({ ok: true });
  });
});
