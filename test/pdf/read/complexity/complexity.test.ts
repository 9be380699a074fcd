// What is refused before a library sees it, and what lies just below each limit and is not.
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { imageToPdf } from '../../../../src/pdf/images/image-to-pdf.ts';
import { DOCUMENT_LIMITS } from '../../../../src/pdf/limits.ts';
import { type Complexity, complexityOf } from '../../../../src/pdf/read/complexity/complexity.ts';
import { inspectPdf } from '../../../../src/pdf/render/inspect.ts';
import {
  deepPng,
  deflatedCopies,
  HOSTILE,
  progressiveJpeg,
} from '../../../support/documents/hostile/index.mjs';
import { compressedPdf, contentPdf, pagesPdf, pdfOf } from '../../../support/documents/pdf.ts';
import { SLOW, sampleOf } from '../../../support/tier.ts';

const MIB = 1024 * 1024;
const { nesting, objects, pageTreeDepth, jpegScans, filters } = DOCUMENT_LIMITS;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const stream = (entries: string, data: Buffer | string): string =>
  `<<${entries}/Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`;
const limitOf = (pdf: Uint8Array) => complexityOf(pdf)?.limit;

/** A page that shows `contents`, one stream after the other; each is an object in full. */
const showing = (contents: string[], others: string[] = [], page = ''): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595 842]>>',
    `<</Type/Page/Parent 2 0 R/Contents[${contents.map((_, index) => `${index + 4} 0 R`).join(' ')}]${page}>>`,
    ...contents,
    ...others,
  ]);

/** 1 MiB that packs to about an eightieth. */
const drawing = Buffer.concat([
  Buffer.from(randomBytes(6500).toString('hex')),
  Buffer.alloc(MIB - 13_000, ' '),
]);
const flate = (chunk: Buffer, mib: number) => stream('/Filter/FlateDecode', deflatedCopies(chunk, mib));
const wrongEnd = (packed: Buffer) => packed.fill(7, packed.length - 4);
const blanks = Buffer.alloc(MIB, ' ');
/** A file that is small enough is not unpacked at all. */
const padding = stream('', ' '.repeat(DOCUMENT_LIMITS.harmlessFileBytes));

describe('the hostile files', () => {
  /** Making them takes seconds. */
  const LARGE = new Set([
    'a million pages',
    'deep page tree',
    'brackets in an object stream',
    'one page a million times',
    'many streams',
  ]);
  const pdfs = HOSTILE.filter(({ kind, name }) => kind === 'pdf' && (SLOW || !LARGE.has(name)));
  test.each(
    sampleOf(
      pdfs.filter(({ limit }) => limit),
      8,
    ),
  )('$name passes the limit $limit', async ({ bytes, limit }) => {
    expect(bytes.length).toBeLessThanOrEqual(10 * MIB);
    expect(await inspectPdf(bytes, { maxPages: 1000 })).toMatchObject({ reason: 'too_complex', limit });
  });

  test.each(
    sampleOf(
      pdfs.filter(({ limit, name }) => !limit && (SLOW || name !== 'deep form')),
      7,
    ),
  )('$name passes no limit of its bytes', ({ bytes }) => {
    expect(complexityOf(bytes)).toBeUndefined();
  });

  test.each(HOSTILE.filter(({ kind, limit }) => kind !== 'pdf' && kind !== 'docx' && limit !== undefined))(
    '$name is no page',
    async ({ kind, bytes, limit }) => {
      expect(await imageToPdf(bytes, kind as 'png' | 'jpeg')).toMatchObject({ ok: false, limit });
    },
  );
});

describe('streams', () => {
  const lzwOfBlanks = (codes: number) => {
    const bits = [256, ...times(codes, (index) => (index === 0 ? 32 : 257 + index))].map((code, index) =>
      code.toString(2).padStart(index < 255 ? 9 : index < 767 ? 10 : index < 1791 ? 11 : 12, '0'),
    );
    return Buffer.from(
      bits
        .join('')
        .match(/.{8}/g)!
        .map((byte) => Number.parseInt(byte, 2)),
    );
  };

  test.each<[string, Complexity | undefined, () => Buffer]>(
    sampleOf(
      [
        ['60 MB at a usual ratio', undefined, () => showing([flate(drawing, 60)])],
        ['65 MB at a usual ratio', { limit: 'stream_bytes', page: 1 }, () => showing([flate(drawing, 65)])],
        ['15 MB of blanks', undefined, () => showing([flate(blanks, 15), padding])],
        ['17 MB of blanks', { limit: 'stream_bytes', page: 1 }, () => showing([flate(blanks, 17), padding])],
        ['17 MB of blanks in a small file', undefined, () => showing([flate(blanks, 17)])],
        ['7 MB of LZW', undefined, () => showing([stream('/Filter/LZWDecode', lzwOfBlanks(3800))])],
        [
          'nine filters',
          { limit: 'filters', page: 1 },
          () => showing([stream(`/Filter[${'/AHx '.repeat(filters + 1)}]`, '3e')]),
        ],
        ['six filters', undefined, () => showing([stream(`/Filter[${'/AHx '.repeat(filters)}]`, '3e')])],
      ],
      4,
    ),
  )('%s', (_, expected, pdf) => {
    expect(complexityOf(pdf())).toEqual(expected);
  });

  test.skipIf(!SLOW).each<[string, number, Complexity | undefined]>([
    ['four times 60 MB', 4, undefined],
    ['five times 60 MB', 5, { limit: 'unpacked_bytes', page: 1 }],
  ])('%s', (_, count, expected) => {
    expect(complexityOf(showing(times(count, () => flate(drawing, 60))))).toEqual(expected);
  });

  test.skipIf(!SLOW)('five times 60 MB with wrong checksums', () => {
    const packed = () => wrongEnd(deflatedCopies(drawing, 60));
    const pdf = showing(times(5, () => stream('/Filter/FlateDecode', packed())));
    expect(complexityOf(pdf)).toEqual({ limit: 'unpacked_bytes', page: 1 });
  });

  const bomb = deflatedCopies(blanks, 70);
  const half = bomb.length >> 1;
  const broken = Buffer.concat([bomb.subarray(0, half), Buffer.from('endstream'), bomb.subarray(half)]);
  test.each(
    sampleOf(
      [
        [
          'filter as an object of its own',
          showing([stream('/Filter 5 0 R', bomb), '[/FlateDecode]', padding]),
        ],
        ['filter in an escaped name', showing([stream('/F#69lter/Fla#74eDecode', bomb), padding])],
        ['a wrong checksum', showing([stream('/Filter/FlateDecode', bomb.subarray(0, -4)), padding])],
        [
          'a length that is too small',
          showing([stream('/Filter/FlateDecode', bomb), padding]).subarray(0, -9),
        ],
        ['the word in a text before it', showing([stream('/X(>stream )/Filter/FlateDecode', bomb), padding])],
        [
          'a comment behind the keyword',
          edited(showing([stream('/Filter/Fl', bomb), padding]), 'stream\n', 'stream  \r\n'),
        ],
        [
          'inside the data of another',
          showing([stream('', `9 0 obj ${stream('/Filter/Fl', bomb)} endobj`), padding]),
        ],
        ['in text first', showing([stream('/Filter[/AHx/Fl]', bomb.toString('hex')), padding])],
        [
          'a picture that is content too',
          showing([stream('/Subtype/Image/Width 1/Height 1/Filter/Fl', bomb), padding]),
        ],
        [
          'a wrong cross-reference table',
          edited(showing([stream('/Filter/Fl', bomb), padding]), /\nxref[\s\S]*$/, ''),
        ],
      ],
      5,
    ),
  )('are found with %s', (_, pdf) => {
    expect(limitOf(pdf)).toBe('stream_bytes');
  });

  test('damaged data counts nothing', () => {
    expect(
      complexityOf(showing([stream('/Filter/FlateDecode', broken.fill(7, 100)), padding])),
    ).toBeUndefined();
  });

  test.skipIf(!SLOW)('dictionaries and data that overlap again and again have no end', () => {
    const far = `${'<</Filter/DCT/Length 900000>>stream\nendstream\n'.repeat(40_000)}${'endstream'.repeat(200_000)}`;
    expect(limitOf(Buffer.from(`%PDF-1.7\n${far}`))).toBe('streams');
  });
});

describe('objects', () => {
  const nested = (levels: number) =>
    pagesPdf([`/MediaBox[0 0 9 9]/X ${'['.repeat(levels)}${']'.repeat(levels)}`]);

  test('arrays in arrays', () => {
    // The page itself is one level.
    expect(limitOf(nested(nesting - 1))).toBeUndefined();
    expect(limitOf(nested(nesting))).toBe('nesting');
    expect(limitOf(pagesPdf([`/MediaBox[0 0 9 9]/X(${'['.repeat(9999)})`]))).toBeUndefined();
  });

  test('in an object stream too', () => {
    const objectsOf = (levels: number) => [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/MediaBox[0 0 9 9]/X ${'['.repeat(levels)}${']'.repeat(levels)}>>`,
    ];
    expect(limitOf(compressedPdf(objectsOf(nesting - 1)))).toBeUndefined();
    expect(limitOf(compressedPdf(objectsOf(nesting)))).toBe('nesting');
  });

  test.skipIf(!SLOW)('how many', () => {
    const most = Buffer.from(`%PDF-1.7\n${times(objects, (index) => `${index + 1} 0 obj 0\n`).join('')}`);
    if (SLOW) expect(limitOf(most)).toBeUndefined();
    expect(limitOf(Buffer.concat([most, Buffer.from(`${objects + 1} 0 obj 0\n`)]))).toBe('objects');
  });

  test.skipIf(!SLOW)('without an end, read from each place where one begins', () => {
    const kids = times(3000, (index) => `${index + 3} 0 R`).join(' ');
    const texts = times(3000, (index) => `${index + 3} 0 obj (${'x'.repeat(2000)}`).join('\n');
    const pdf = Buffer.from(
      `%PDF-1.7\n1 0 obj <</Pages 2 0 R>> endobj 2 0 obj <</Kids[${kids}]>> endobj ${texts}`,
    );
    expect(limitOf(pdf)).toBe('objects');
  });
});

describe('trees', () => {
  /** Each node names the next `width` times. */
  const doubling = (depth: number, entries: string, width = 2) =>
    times(depth, (level) => `<<${entries}/Kids[${`${level + 5} 0 R `.repeat(width)}]>>`);
  const page = '<</Type/Page/MediaBox[0 0 9 9]>>';

  test('pages', () => {
    const tree = (depth: number, width?: number) =>
      pdfOf(['<</Pages 4 0 R>>', '<<>>', '<<>>', ...doubling(depth, '/Type/Pages', width), page]);
    expect(limitOf(tree(15))).toBeUndefined();
    expect(limitOf(tree(17))).toBe('page_tree');
    expect(limitOf(tree(pageTreeDepth - 1, 1))).toBeUndefined();
    expect(limitOf(tree(pageTreeDepth, 1))).toBe('page_tree');
  });

  test('a tree that contains itself has an end: readers notice', () => {
    const pdf = pdfOf(['<</Pages 2 0 R>>', '<</Kids[3 0 R 3 0 R]>>', '<</Kids[2 0 R 2 0 R]>>']);
    expect(complexityOf(pdf)).toBeUndefined();
  });

  const form = (depth: number, more: string[] = [], fields = '[4 0 R]') =>
    pdfOf([
      `<</Pages 2 0 R/AcroForm<</Fields ${fields}>>>>`,
      '<</Kids[3 0 R]>>',
      page,
      ...doubling(depth, '/T(a)'),
      '<</FT/Tx>>',
      ...more,
    ]);

  test('fields of a form', () => {
    expect(limitOf(form(15))).toBeUndefined();
    expect(limitOf(form(17))).toBe('form_fields');
    expect(limitOf(form(15, ['[4 0 R 4 0 R 4 0 R 4 0 R]'], '20 0 R'))).toBe('form_fields');
  });

  test('fields that name each other twice', () => {
    const fields = ['<</Kids[5 0 R 5 0 R]>>', '<</Kids[4 0 R 4 0 R]>>'];
    const pdf = pdfOf(['<</Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>', '<</Kids[3 0 R]>>', page, ...fields]);
    expect(limitOf(pdf)).toBe('form_fields');
  });

  test('a form that was saved a hundred times is no larger for it', () => {
    const first = form(14);
    const body = first.subarray(0, first.indexOf('xref\n'));
    expect(complexityOf(Buffer.concat(times(100, () => body)))).toBeUndefined();
  });

  test('drawings of drawings', () => {
    const four = (level: number) =>
      stream(`/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F ${level + 6} 0 R>>>>`, '/F Do '.repeat(4));
    const last = stream('/Subtype/Form/BBox[0 0 9 9]', '0 0 9 9 re f');
    const nested = (depth: number) =>
      showing([stream('', '/F Do')], [...times(depth, four), last], '/Resources<</XObject<</F 5 0 R>>>>');
    expect(complexityOf(nested(8))).toBeUndefined();
    expect(complexityOf(nested(9))).toEqual({ limit: 'drawings', page: 1 });
  });
});

describe('drawing', () => {
  const tiled = (steps: string) =>
    pdfOf([
      '<</Pages 2 0 R>>',
      '<</Kids[3 0 R 4 0 R]/MediaBox[0 0 595 842]>>',
      '<</Type/Page>>',
      '<</Type/Page/Resources<</Pattern<</P 5 0 R>>>>>>',
      stream(`/PatternType 1/PaintType 1/BBox[0 0 9 9]${steps}`, ''),
    ]);

  test.each([
    ['/XStep .024/YStep .024', undefined],
    ['/XStep .022/YStep .022', { limit: 'tiles', page: 2 }],
    ['/XStep -.022/YStep .022', { limit: 'tiles', page: 2 }],
    ['/XStep 2.4/YStep 2.4/Matrix[0 .01 -.01 0 5 5]', undefined],
    ['/XStep 2.2/YStep 2.2/Matrix[0 .01 -.01 0 5 5]', { limit: 'tiles', page: 2 }],
  ])('a pattern with %s', (steps, expected) => {
    expect(complexityOf(tiled(steps))).toEqual(expected);
  });

  const picture = (entries: string, data: Buffer | string = '') =>
    showing(
      [stream('', '/I Do')],
      [stream(`/Subtype/Image${entries}`, data), '40000', stream('/N 1', '')],
      '/Resources<</XObject<</I 5 0 R>>>>',
    );

  test.each([
    ['a poster', '/Width 9933/Height 14043/BitsPerComponent 8/ColorSpace/DeviceRGB', undefined],
    [
      'a drawing in black and white',
      '/Width 39732/Height 56172/BitsPerComponent 1/ImageMask true',
      undefined,
    ],
    [
      '40,000 × 10,000 in gray',
      '/Width 6 0 R/Height 10000/BitsPerComponent 8/ColorSpace[/ICCBased 7 0 R]',
      undefined,
    ],
    [
      '40,000 × 10,000 in colour',
      '/Width 6 0 R/Height 10000/BitsPerComponent 8/ColorSpace/DeviceRGB',
      'picture_size',
    ],
    ['a mask that is none', '/Width 40000/Height 10000/ImageMask false', 'picture_size'],
    ['no colours and bits stated', '/Width 40000/Height 10000/Filter/JPXDecode', 'picture_size'],
  ])('a picture: %s', (_, entries, limit) => {
    expect(limitOf(picture(entries))).toBe(limit);
  });

  test.skipIf(!SLOW)('a blank scan packs to a thousandth, and is one', () => {
    const rows = deflateSync(Buffer.alloc(35 * MIB, 255));
    const scan = '/Width 5000/Height 7000/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode';
    expect(complexityOf(picture(scan, Buffer.concat([rows, randomBytes(70_000)])))).toBeUndefined();
  });

  test('scans of a JPEG', async () => {
    const [allowed, more] = [progressiveJpeg(jpegScans, 64), progressiveJpeg(jpegScans + 1, 64)];
    const inPdf = (jpeg: Buffer) => picture('/Width 64/Height 64/Filter/DCTDecode', jpeg);
    expect(complexityOf(inPdf(allowed))).toBeUndefined();
    expect(complexityOf(inPdf(more))).toEqual({ limit: 'jpeg_scans', page: 1 });
    expect(complexityOf(picture('/Filter[/Fl/DCT]', deflateSync(more)))).toEqual({
      limit: 'jpeg_scans',
      page: 1,
    });
    expect(await imageToPdf(allowed, 'jpeg')).toMatchObject({ ok: true });
    expect(await imageToPdf(more, 'jpeg')).toMatchObject({ ok: false, limit: 'jpeg_scans' });
  });

  test('pixels of a PNG that is deep', async () => {
    expect(await imageToPdf(deepPng(100, 50), 'png')).toMatchObject({ ok: true });
    const limits = { ...DOCUMENT_LIMITS, pixelBytes: 100 * 50 * 8 - 1 };
    const refused = { ok: false, reason: 'too_large', limit: 'image_bytes', actual: 40_000, allowed: 39_999 };
    expect(await imageToPdf(deepPng(100, 50), 'png', limits)).toEqual(refused);
  });
});

test('the bytes are left alone', () => {
  const pdf = contentPdf('0 0 10 10 re f');
  const copy = Buffer.from(pdf);
  expect(complexityOf(pdf)).toBeUndefined();
  expect(pdf.equals(copy)).toBe(true);
});

function edited(pdf: Buffer, from: string | RegExp, to: string): Buffer {
  return Buffer.from(pdf.toString('latin1').replace(from, to), 'latin1');
}
