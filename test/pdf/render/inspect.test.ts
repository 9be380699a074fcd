import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { engineMemoryBytes } from '../../../src/pdf/read/pdfium.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { compressedPdf, contentPdf, pagesPdf, pdfOf } from '../../support/documents/pdf.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const limits = { maxPages: 50 };
/** A page of 100 × 200 units of 2 points; `qpdf --object-streams=generate --encrypt '' owner 256` made it unsearchable. */
const OWNER_ENCRYPTED =
  'JVBERi0xLjcKJb/3ov4KMSAwIG9iago8PCAvRXh0ZW5zaW9ucyA8PCAvQURCRSA8PCAvQmFzZVZlcnNpb24gLzEuNyAvRXh0ZW5zaW9uTGV2ZWwgOCA+PiA+PiAvUGFnZXMgMyAwIFIgL1R5cGUgL0NhdGFsb2cgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL09ialN0bSAvTGVuZ3RoIDEyOCAvRmlsdGVyIC9GbGF0ZURlY29kZSAvTiAyIC9GaXJzdCA5ID4+CnN0cmVhbQolsf6o7gClMf9/BEnyMR0WfXsBY2pHedPYByEwoShhSfNCKvzE0sWet8QIyuQ6sHXC5Mh1cPIKWealXF4e3QSpeslmET9lelNZzWEowDCXz7w/J94J68xcXJksv0hRyIvyHdZA0y6QtOEiFcKs5WHXD0BDxwkoqDLF/SRM36E8T2VuZHN0cmVhbQplbmRvYmoKNSAwIG9iago8PCAvQ0YgPDwgL1N0ZENGIDw8IC9BdXRoRXZlbnQgL0RvY09wZW4gL0NGTSAvQUVTVjMgL0xlbmd0aCAzMiA+PiA+PiAvRmlsdGVyIC9TdGFuZGFyZCAvTGVuZ3RoIDI1NiAvTyA8YTY1ZjUxYzlhYjM5MDBlZTM4ZGJmMDQ4MTgxNzNmOGNhZThiNjQzYjVhOGNjYTkzMzg0OGU0N2ZlNDQwZjlkOWNjNmNhOTNhNzI0ZTQzOGI0MTMzNTc5NDBiNzZiNzUzPiAvT0UgPGIxMjRlMzlkNzdkZjg4MGNmMmU4ZWU5ODE3ZWI0NDNiY2EyMjRjYjYzYzU1MmRmNWJiMjQzODJjMjNkMzY1OGY+IC9QIC00IC9QZXJtcyA8MDBjMzg4YWZlZmE1NDZjMTRmY2RhY2M4OTIxYjUyMGE+IC9SIDYgL1N0bUYgL1N0ZENGIC9TdHJGIC9TdGRDRiAvVSA8MmEyYzZmNDU2MGI3YjBkMTc2ZGI3MzgzYmQ0YmU2MTAxMDA0YTkxZjhkODgzYzk0YjNmZDA1YjhiMDM3YzQ3YzYwZGVmZDBiNzhkZDEzYWE2MWUzZDcwY2M4OGEwM2NhPiAvVUUgPGRlYWZlNjFiMThiMGVkOTE1ZjYyOGMxOGZjMzBjNWI0OTU2NTFjZjkxZjNlZDliYzM1ODkxNzc0N2ZhOTg1YzU+IC9WIDUgPj4KZW5kb2JqCjYgMCBvYmoKPDwgL1R5cGUgL1hSZWYgL0xlbmd0aCAzNyAvRmlsdGVyIC9GbGF0ZURlY29kZSAvRGVjb2RlUGFybXMgPDwgL0NvbHVtbnMgNCAvUHJlZGljdG9yIDEyID4+IC9XIFsgMSAyIDEgXSAvUm9vdCAxIDAgUiAvU2l6ZSA3IC9JRCBbPDMxNDE1OTI2NTM1ODk3OTMyMzg0NjI2NDMzODMyNzk1PjwzMTQxNTkyNjUzNTg5NzkzMjM4NDYyNjQzMzgzMjc5NT5dIC9FbmNyeXB0IDUgMCBSID4+CnN0cmVhbQp4nGNiAAImRgZ+BiYGhmIQqwHEYmBk+s+Y/J+JgUmZAQAnZwObCmVuZHN0cmVhbQplbmRvYmoKc3RhcnR4cmVmCjkwNAolJUVPRgo=';

const box = (width: number, height: number, rotation = 0) => ({ width, height, rotation });

async function boxes(pdf: Uint8Array) {
  const inspected = await inspectPdf(pdf, limits);
  return inspected.ok ? inspected.pages : inspected;
}

describe('the size of a page is what a reader displays', () => {
  test.each(
    sampleOf(
      [
        ['a plain MediaBox', '/MediaBox[0 0 595.276 841.89]', box(595.276, 841.89)],
        ['a MediaBox that does not begin at zero', '/MediaBox[-30 -50 170 350]', box(200, 400)],
        ['a MediaBox with its corners swapped', '/MediaBox[100 200 0 0]', box(100, 200)],
        ['a CropBox', '/MediaBox[0 0 600 800]/CropBox[50 60 350 560]', box(300, 500)],
        ['a CropBox cut to the MediaBox', '/MediaBox[-10 -20 100 200]/CropBox[0 0 500 100]', box(100, 100)],
        ['a turn by 90', '/MediaBox[0 0 100 200]/Rotate 90', box(200, 100, 90)],
        ['a turn by 180', '/MediaBox[0 0 100 200]/Rotate 180', box(100, 200, 180)],
        ['a turn by 270', '/MediaBox[0 0 100 200]/Rotate 270', box(200, 100, 270)],
        ['a turn to the left', '/MediaBox[0 0 100 200]/Rotate -90', box(200, 100, 270)],
        ['more than a full turn', '/MediaBox[0 0 100 200]/Rotate 450', box(200, 100, 90)],
        [
          'a CropBox, then a turn',
          '/MediaBox[0 0 600 800]/CropBox[50 60 350 560]/Rotate 90',
          box(500, 300, 90),
        ],
        ['a UserUnit', '/MediaBox[0 0 100 200]/UserUnit 2.5', box(250, 500)],
        ['a UserUnit after a turn', '/MediaBox[0 0 100 200]/UserUnit 2/Rotate 270', box(400, 200, 270)],
        ['a UserUnit of one', '/MediaBox[0 0 100 200]/UserUnit 1.0', box(100, 200)],
        ['a UserUnit that is nonsense', '/MediaBox[0 0 100 200]/UserUnit -4', box(100, 200)],
        ['no box at all: Letter', '', box(612, 792)],
        ['a box that is no box: Letter', '/MediaBox[0 0 (wide) /high]', box(612, 792)],
        ['a very large page', '/MediaBox[0 0 2000000 1000000]', box(2_000_000, 1_000_000)],
      ],
      2,
    ),
  )('%s', async (_, entries, expected) => {
    expect(await boxes(pagesPdf([entries]))).toEqual([expected]);
  });

  test('what a page does not say it inherits, through every level', async () => {
    const pdf = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R]/MediaBox[0 0 300 500]/Rotate 90>>',
      '<</Type/Page/Parent 2 0 R>>',
      '<</Type/Pages/Parent 2 0 R/Count 2/Kids[5 0 R 6 0 R]/CropBox[0 0 100 120]>>',
      '<</Type/Page/Parent 4 0 R>>',
      '<</Type/Page/Parent 4 0 R/Rotate 0/MediaBox[0 0 80 500]>>',
    ]);
    expect(await boxes(pdf)).toEqual([box(500, 300, 90), box(120, 100, 90), box(80, 120)]);
  });

  test('UserUnit is found where the page lies compressed in an object stream, and not inherited', async () => {
    const pdf = compressedPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 100 200]/UserUnit 7>>',
      '<</Type/Page/Parent 2 0 R>>',
      '<</Type/Page/Parent 2 0 R/UserUnit 3>>',
    ]);
    expect(pdf.includes('/UserUnit')).toBe(false);
    expect(await boxes(pdf)).toEqual([box(100, 200), box(300, 600)]);
  });

  test('UserUnit may be an object of its own', async () => {
    const pdf = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[4 0 R]>>',
      '1.5',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]/UserUnit 3 0 R>>',
    ]);
    expect(await boxes(pdf)).toEqual([box(150, 300)]);
  });

  test('UserUnit is found behind the encryption of an owner', async () => {
    expect(await boxes(Buffer.from(OWNER_ENCRYPTED, 'base64'))).toEqual([box(200, 400)]);
  });
});

describe('how many pages', () => {
  test('the limit itself is allowed, one more is not', async () => {
    const page = '/MediaBox[0 0 10 20]';
    expect(await inspectPdf(pagesPdf([page, page, page]), { maxPages: 3 })).toMatchObject({ ok: true });
    const refusal = await inspectPdf(pagesPdf([page, page, page, page]), { maxPages: 3 });
    expect(refusal).toEqual({ ok: false, reason: 'too_many_pages', pageCount: 4 });
  });

  test('a document without pages', async () => {
    expect(await inspectPdf(pagesPdf([]), limits)).toEqual({ ok: false, reason: 'no_pages' });
  });

  test('a /Count that is too high is corrected in a rewritten copy', async () => {
    const inspected = await inspectPdf(
      pagesPdf(['/MediaBox[0 0 10 20]', '/MediaBox[0 0 30 40]'], '', 500_000),
      limits,
    );
    if (!inspected.ok) throw new Error(inspected.reason);
    expect(inspected.pages).toEqual([box(10, 20), box(30, 40)]);
    expect(await inspectPdf(inspected.repaired!, limits)).toEqual({
      ok: true,
      pages: inspected.pages,
      remarks: [],
    });
  });

  test('a /Count of zero does not hide the pages', async () => {
    expect(await boxes(pagesPdf(['/MediaBox[0 0 10 20]'], '', 0))).toEqual([box(10, 20)]);
  });
});

describe('encryption', () => {
  test.each([
    [
      'of the owner alone: everybody may read it',
      '',
      { ok: true, pages: [box(100, 200)], remarks: [{ code: 'encrypted_permissions' }] },
    ],
    ['with a user password', 'secret', { ok: false, reason: 'password_required' }],
  ])('%s', async (_, userPassword, expected) => {
    const document = await PDFDocument.create();
    document.addPage([100, 200]);
    document.encrypt({ userPassword, ownerPassword: 'owner', permissions: { modifying: false } });
    expect(await inspectPdf(await document.save(), limits)).toEqual(expected);
  });
});

test.each(['Adobe.PubSec', 'Of.Somebody'])('encryption that is not by password: %s', async (handler) => {
  const pdf = pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/MediaBox[0 0 9 9]>>',
    ],
    `/ID[<00><00>]/Encrypt<</Filter/${handler}/V 4/SubFilter/adbe.pkcs7.s5/Length 128/Recipients[<00>]>>`,
  );
  expect(await inspectPdf(pdf, limits)).toEqual({ ok: false, reason: 'certificate_required' });
});

describe('the engine', () => {
  test.skipIf(!SLOW)('gives back the memory of large documents', async () => {
    const large = contentPdf(`% ${'x'.repeat(10_000_000)}\n0 0 10 10 re f`);
    const many = pagesPdf(
      Array.from({ length: 3000 }, () => `/MediaBox[0 0 10 20]/Note(${'x'.repeat(300)})`),
    );
    const inspectBoth = async () => {
      await inspectPdf(large, limits);
      expect(await inspectPdf(many, { maxPages: 3000 })).toMatchObject({ ok: true });
    };
    await inspectBoth();
    const before = await engineMemoryBytes();
    for (let round = 0; round < 10; round += 1) await inspectBoth();
    expect(await engineMemoryBytes()).toBe(before);
  });

  test('answers many questions at once, each its own', async () => {
    const widths = Array.from({ length: 30 }, (_, index) => index + 10);
    const answers = await Promise.all(widths.map((width) => boxes(pagesPdf([`/MediaBox[0 0 ${width} 20]`]))));
    expect(answers).toEqual(widths.map((width) => [box(width, 20)]));
  });

  test('leaves the bytes of the caller alone', async () => {
    const pdf = pagesPdf(['/MediaBox[0 0 10 20]']);
    const copy = Buffer.from(pdf);
    await inspectPdf(pdf, limits);
    expect(pdf.equals(copy)).toBe(true);
  });
});
