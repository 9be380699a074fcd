import { readFileSync } from 'node:fs';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { MEANINGS } from '../../../src/api/contract/documents.ts';
import type { FileType } from '../../../src/api/contract/file-types.ts';
import { DOCX_LIMITS } from '../../../src/docx/not-usable.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { COMPLEXITY_LIMITS } from '../../../src/pdf/read/complexity/complexity.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { acceptDocument } from '../../../src/service/documents/intake.ts';
import { sourceOf } from '../../support/documents/engine.ts';
import { encryptedEntry, HOSTILE, manyPages } from '../../support/documents/hostile/index.mjs';
import { pagesPdf } from '../../support/documents/pdf.ts';
import { gif, tiff } from '../../support/documents/picture-kinds.ts';
import { photograph, pngFile } from '../../support/documents/pictures.ts';
import { SLOW } from '../../support/tier.ts';

const limits = { maxPages: 3 };
const contract = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));
const parts = { engine: createInProcessEngine(), limits, owner: 'a company' };
const taking = (bytes: Uint8Array, type: FileType) => acceptDocument(sourceOf(bytes), type, parts);
const a4 = { width: 595.28, height: 841.89, rotation: 0 };

const hugePng = pngFile({ width: 60_000, height: 60_000, bits: 8, colorType: 2 }, Buffer.alloc(9));

test('every limit has a meaning for people', () => {
  const limits = [
    ...COMPLEXITY_LIMITS,
    ...DOCX_LIMITS,
    'image_pixels',
    'image_bytes',
    'time',
    'memory',
    'crash',
  ];
  expect(Object.keys(MEANINGS).sort()).toEqual(limits.sort());
});

describe('taken', () => {
  test('a PDF is taken byte for byte', async () => {
    const taken = await taking(contract, 'pdf');
    expect(taken).toEqual({
      ok: true,
      pdf: undefined,
      isConverted: false,
      pages: [a4, a4, a4],
      isPlain: true,
      remarks: [],
    });
  });

  test('a damaged PDF as a copy that can be read', async () => {
    const whole = pagesPdf(['/MediaBox[0 0 10 20]']);
    const taken = await taking(whole.subarray(0, whole.lastIndexOf('endobj') + 6), 'pdf');
    if (!taken.ok) throw new Error(taken.code);
    expect(taken.pages).toEqual([{ width: 10, height: 20, rotation: 0 }]);
    expect(await inspectPdf(taken.pdf!, limits)).toEqual({ ok: true, pages: taken.pages, remarks: [] });
  });

  test('a picture as a PDF of one page', async () => {
    const taken = await taking(photograph(), 'jpeg');
    expect(taken).toMatchObject({
      ok: true,
      isConverted: true,
      pages: [{ width: 48, height: 32, rotation: 0 }],
    });
    if (!taken.ok) return;
    expect(await inspectPdf(taken.pdf!, limits)).toEqual({ ok: true, pages: taken.pages, remarks: [] });
  });
});

test('every picture of a file as a page', async () => {
  const taken = await taking(tiff({}, {}), 'tiff');
  expect(taken).toMatchObject({ ok: true, isConverted: true, remarks: [] });
  expect(taken.ok && taken.pages).toHaveLength(2);
  expect(await taking(gif(), 'gif')).toMatchObject({ ok: true, pages: [{ width: 19.5, height: 13.5 }] });
});

describe('refused', () => {
  test('an encrypted document is refused', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    document.encrypt({ userPassword: 'secret', ownerPassword: 'owner', permissions: {} });
    const refused = await taking(await document.save(), 'pdf');
    expect(refused).toEqual({ ok: false, code: 'document_encrypted', detail: { by: 'password' } });
  });

  test('a document that is too long is refused', async () => {
    const refused = await taking(pagesPdf(['', '', '', '']), 'pdf');
    expect(refused).toEqual({ ok: false, code: 'document_too_long', detail: { pageCount: 4, maxPages: 3 } });
  });

  test('a TIFF of more pages than a document may have', async () => {
    const refused = await taking(tiff({}, {}, {}, {}), 'tiff');
    expect(refused).toEqual({ ok: false, code: 'document_too_long', detail: { pageCount: 4, maxPages: 3 } });
  });

  test('a document that is too complex, with the limit and the page', async () => {
    const tiles = HOSTILE.find(({ name }) => name === 'tiny tiles')!;
    const detail = { type: 'pdf', limit: 'tiles', page: 1 };
    expect(await taking(tiles.bytes, 'pdf')).toEqual({
      ok: false,
      code: 'document_too_complex',
      detail,
    });
  });

  test('a picture that is too large, with what it has and may have', async () => {
    const detail = { type: 'png', limit: 'image_pixels', actual: 3_600_000_000, allowed: 200_000_000 };
    expect(await taking(hugePng, 'png')).toEqual({
      ok: false,
      code: 'document_too_complex',
      detail,
    });
  });

  test.each<[string, FileType, Buffer, object]>([
    ['a PDF without pages', 'pdf', pagesPdf([]), { reason: 'no_pages' }],
    ['a PDF that is none', 'pdf', Buffer.from('%PDF-1.7'), { reason: 'damaged' }],
    ['a PDF without its second half', 'pdf', contract.subarray(0, 5000), { reason: 'incomplete' }],
    ['a PNG that is none', 'png', Buffer.from('\x89PNG'), { reason: 'damaged' }],
    ['a WebP that is none', 'webp', Buffer.alloc(100), { reason: 'damaged' }],
    ['a GIF that is none', 'gif', Buffer.alloc(100), { reason: 'damaged' }],
    ['a BMP that is none', 'bmp', Buffer.alloc(10), { reason: 'damaged' }],
    ['a TIFF that is none', 'tiff', Buffer.alloc(100), { reason: 'damaged' }],
    ['a TIFF of fractions', 'tiff', tiff({ tags: { 339: 3 } }), { reason: 'unknown_coding' }],
    ['a JPEG that is a PNG', 'jpeg', hugePng, { reason: 'damaged' }],
  ])('is refused as unreadable: %s', async (_, type, bytes, detail) => {
    const refused = await taking(bytes, type);
    expect(refused).toEqual({ ok: false, code: 'document_unreadable', detail: { type, ...detail } });
  });

  test.each<FileType>(['webp', 'gif', 'tiff', 'docx'])('%s that is none', async (type) => {
    const refused = await taking(Buffer.alloc(100), type);
    expect(refused).toEqual({ ok: false, code: 'document_unreadable', detail: { type, reason: 'damaged' } });
  });

  test('a DOCX with a password on its parts', async () => {
    const refused = await taking(encryptedEntry(), 'docx');
    expect(refused).toEqual({ ok: false, code: 'document_encrypted', detail: { by: 'password' } });
  });

  test.skipIf(!SLOW)('a DOCX of 5000 pages is refused', async () => {
    const refused = await taking(manyPages(), 'docx');
    expect(refused).toMatchObject({ code: 'document_too_long', detail: { pageCount: 1001 } });
  });
});
