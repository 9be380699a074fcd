import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { contentPdf, pagesPdf, pdfOf } from '../../support/documents/pdf.ts';
import { pngOfPage } from '../../support/documents/pixels.ts';
import { sampleOf } from '../../support/tier.ts';

const limits = { maxPages: 50 };
const contract = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));
const a4 = { width: 595.28, height: 841.89, rotation: 0 };
const unreadable = { ok: false, reason: 'unreadable' };

function edited(pdf: Buffer, from: string | RegExp, to: string): Buffer {
  const text = pdf.toString('latin1');
  if (text.search(from) === -1) throw new Error(`Nothing to edit: ${from}`);
  return Buffer.from(text.replace(from, to), 'latin1');
}

const afterLastObject = contract.lastIndexOf('endobj') + 'endobj'.length;

describe('recovered', () => {
  test.each(
    sampleOf(
      [
        ['no cross-reference table, no trailer, no end', contract.subarray(0, afterLastObject)],
        ['cut off inside the cross-reference table', contract.subarray(0, afterLastObject + 40)],
        ['a wrong startxref', edited(contract, /startxref\s+\d+/, 'startxref\n7')],
        ['no startxref', edited(contract, /startxref[\s\S]*$/, '')],
        ['every offset wrong', edited(contract, '%PDF-1.7\n', '%PDF-1.7\n% moved by some bytes\n')],
        ['garbage before it', Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), contract])],
        ['garbage after it', Buffer.concat([contract, Buffer.alloc(5000, 'garbage ')])],
        ['zeros after it', Buffer.concat([contract, Buffer.alloc(5000)])],
      ],
      4,
    ),
  )('%s is recovered', async (_, bytes) => {
    const inspected = await inspectPdf(bytes, limits);
    if (!inspected.ok) throw new Error(inspected.reason);
    expect(inspected.pages).toEqual([a4, a4, a4]);
    // Whatever is kept can be shown, and it is the same page.
    const picture = await pngOfPage(inspected.repaired ?? bytes, 2, { dpi: 40, maxPixels: 1_000_000 });
    const sound = await pngOfPage(contract, 2, { dpi: 40, maxPixels: 1_000_000 });
    expect(Buffer.compare(picture, sound)).toBe(0);
  });

  test('only a rewritten copy helps: it is given, it carries inherited boxes, and it is the same each time', async () => {
    const whole = pagesPdf(['', '/Rotate 0'], '/MediaBox[0 0 300 500]/Rotate 90');
    const bytes = whole.subarray(0, whole.lastIndexOf('endobj') + 6);
    const inspected = await inspectPdf(bytes, limits);
    const pages = [
      { width: 500, height: 300, rotation: 90 },
      { width: 300, height: 500, rotation: 0 },
    ];
    expect(inspected).toMatchObject({ ok: true, pages, repaired: expect.any(Uint8Array) });
    if (!inspected.ok) return;
    expect(await inspectPdf(inspected.repaired!, limits)).toEqual({ ok: true, pages, remarks: [] });
    expect(await inspectPdf(bytes, limits)).toEqual(inspected);
  });

  test('a whole file is not rewritten', async () => {
    expect(await inspectPdf(contract, limits)).toEqual({ ok: true, pages: [a4, a4, a4], remarks: [] });
  });
});

describe('refused', () => {
  test.each([
    ['cut off: its end is missing', contract.subarray(0, contract.length >> 1), 'incomplete'],
    [
      'rebuilt, and the content of a page is not there',
      edited(edited(contentPdf('0 0 10 10 re f'), '4 0 obj', '9 0 obj'), /startxref\s+\d+/, 'startxref\n7'),
      'incomplete',
    ],
    ['whole, and without pages', pagesPdf([]), 'no_pages'],
    [
      'whole, and its only page lies outside of its boxes',
      pagesPdf(['/MediaBox[0 0 100 100]/CropBox[200 200 300 300]']),
      'unreadable',
    ],
  ])('is refused by its reason: %s', async (_, bytes, reason) => {
    expect(await inspectPdf(bytes, limits)).toEqual({ ok: false, reason });
  });

  const random = Buffer.from(
    Array.from({ length: 50_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) & 0xff),
  );
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['one byte', Buffer.from('%')],
    ['bytes without meaning', random],
    ['a header and bytes without meaning', Buffer.concat([Buffer.from('%PDF-1.7\n'), random])],
    ['a header and words', Buffer.from('%PDF-1.7\nThis is no document. 1 0 obj, as they say.')],
    ['another kind of file', Buffer.from('{"this": "is JSON"}')],
    ['the first half of a document', contract.subarray(0, contract.length >> 1)],
    [
      'a page that is named and not there',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 2/Kids[3 0 R 9 0 R]>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 10 10]>>',
      ]),
    ],
    [
      'a damaged file whose page has lost its content',
      edited(contentPdf('0 0 10 10 re f'), /4 0 obj[\s\S]*$/, ''),
    ],
    [
      'the same, where PDFium would show an empty page',
      edited(edited(contentPdf('0 0 10 10 re f'), '4 0 obj', '9 0 obj'), /startxref\s+\d+/, 'startxref\n7'),
    ],
    [
      'a page of which nothing would be visible',
      pagesPdf(['/MediaBox[0 0 100 100]/CropBox[200 200 300 300]']),
    ],
    [
      'a page tree that contains itself',
      pdfOf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Count 1/Kids[3 0 R]>>',
        '<</Type/Pages/Parent 2 0 R/Count 1/Kids[2 0 R]>>',
      ]),
    ],
    ['a catalog without pages', pdfOf(['<</Type/Catalog>>'])],
  ])('%s is refused', async (_, bytes) => {
    const refusal = await inspectPdf(bytes, limits);
    expect(refusal.ok ? refusal : refusal.reason).toMatch(/^(unreadable|incomplete|no_pages)$/);
  });

  // Each took from ten seconds to hours before it was recognised, at sizes far below the limit for a file.
  test.each(
    sampleOf(
      [
        ['objects without an end', `${'1 0 obj <<'.repeat(250_000)}`],
        ['objects whose end is far away', `${'1 0 obj <</A '.repeat(200_000)} endobj`],
        ['texts without an end', `${'1 0 obj (('.repeat(250_000)}`],
        ['streams without an end', `${'1 0 obj <<>> stream\n'.repeat(120_000)}`],
        [
          'streams whose end is far away',
          `${'1 0 obj <</Length 5>>stream\n'.repeat(80_000)}endstream endobj`,
        ],
        [
          'streams that had their end before',
          `${'endstream'.repeat(80_000)}${'1 0 obj <<>> stream\n'.repeat(80_000)}`,
        ],
      ],
      6,
    ),
  )('bait of megabytes of %s is refused', async (_, content) => {
    const refusal = await inspectPdf(Buffer.from(`%PDF-1.7\n${content}`, 'latin1'), limits);
    expect(refusal.ok ? refusal : refusal.reason).toMatch(/^(incomplete|too_complex)$/);
  });

  test('a page tree of which every node names itself twice is no work for ever', async () => {
    const kids = (number: number) => `<</Type/Pages/Parent 2 0 R/Count 4/Kids[${number} 0 R ${number} 0 R]>>`;
    const pdf = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', kids(3), kids(2)]);
    expect(await inspectPdf(pdf, limits)).toEqual(unreadable);
  });

  test('a page tree a thousand levels deep', async () => {
    const levels = Array.from(
      { length: 3000 },
      (_, level) => `<</Type/Pages/Count 1/Kids[${level + 3} 0 R]>>`,
    );
    const pdf = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', ...levels, '<</Type/Page/MediaBox[0 0 10 10]>>']);
    expect(await inspectPdf(pdf, limits)).toEqual({ ok: false, reason: 'too_complex', limit: 'page_tree' });
  });
});
