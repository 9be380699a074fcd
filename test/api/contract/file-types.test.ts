import { describe, expect, test } from 'vitest';
import { fileTypeOf, HEAD_BYTES, refusedKindOf } from '../../../src/api/contract/file-types.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** The local file headers of a ZIP with empty entries of these names. */
function zip(...names: string[]): Buffer {
  return Buffer.concat(
    names.map((name) => {
      const header = Buffer.alloc(30);
      header.write('PK\x03\x04', 0, 'latin1');
      header.writeUInt16LE(name.length, 26);
      return Buffer.concat([header, Buffer.from(name)]);
    }),
  );
}

describe('fileTypeOf', () => {
  test.each([
    ['pdf', bytes('%PDF-1.7\n')],
    ['pdf', bytes(`${'x'.repeat(1019)}%PDF-1.7`)],
    ['png', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
    ['jpeg', bytes('\xff\xd8\xff\xe0')],
    ['webp', bytes('RIFF\x10\0\0\0WEBPVP8 ')],
    ['gif', bytes('GIF89a')],
    ['tiff', bytes('II*\0')],
    ['tiff', bytes('MM\0*')],
    ['bmp', bytes('BM\x36\x10\0\0\0\0\0\0\x36\0\0\0')],
    ['docx', zip('[Content_Types].xml', '_rels/.rels', 'word/document.xml')],
    ['docx', zip('[Content_Types].xml')],
    ['docx', zip('docProps/app.xml', 'word/document.xml')],
  ])('recognises %s', (type, head) => {
    expect(fileTypeOf(head)).toBe(type);
  });

  test.each([
    ['nothing', bytes('')],
    ['text', bytes('contract.pdf')],
    ['a PDF header too far away', bytes(`${'x'.repeat(1020)}%PDF-1.7`)],
    ['a plain ZIP', zip('contract.txt', 'words/')],
    ['a ZIP with a PDF in it', Buffer.concat([zip('contract.pdf'), bytes('%PDF-1.7')])],
    ['a spreadsheet', zip('[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml')],
    ['a presentation', zip('[Content_Types].xml', 'ppt/presentation.xml')],
    ['another RIFF', bytes('RIFF\x10\0\0\0WAVEfmt ')],
    ['half a signature', bytes('\x89PNG')],
    [
      'an entry after the head',
      Buffer.concat([zip('a.txt'), Buffer.alloc(HEAD_BYTES), zip('word/document.xml')]),
    ],
  ])('not accepted: %s', (_, head) => {
    expect(fileTypeOf(head)).toBeUndefined();
  });

  test('a picture with a PDF in its first kilobyte is a picture', () => {
    expect(fileTypeOf(bytes('\x89PNG\r\n\x1a\n%PDF-1.7'))).toBe('png');
  });
});

describe('refusedKindOf', () => {
  test.each([
    ['a HEIC photo', bytes('\0\0\0\x18ftypheic\0\0\0\0')],
    ['a HEIC photo', bytes('\0\0\0\x18ftypmif1\0\0\0\0')],
    ['an AVIF image', bytes('\0\0\0\x18ftypavif\0\0\0\0')],
    ['a Photoshop file (PSD)', bytes('8BPS\0\x01')],
    ['a JPEG XL image', bytes('\0\0\0\x0cJXL \r\n\x87\n')],
    ['a JPEG 2000 picture', bytes('\0\0\0\x0cjP  \r\n\x87\n')],
    ['a BigTIFF image', bytes('II+\0\x08\0\0\0')],
    ['an SVG drawing', bytes('<svg xmlns="http://www.w3.org/2000/svg">')],
    ['an SVG drawing', bytes('\xef\xbb\xbf<?xml version="1.0"?>\n<!-- drawn -->\n<svg>')],
  ])('names %s', (name, head) => {
    expect(fileTypeOf(head)).toBeUndefined();
    expect(refusedKindOf(head)).toEqual({ name, hint: 'Save it as a JPEG or PDF' });
  });

  test.each([
    ['text', bytes('contract.pdf')],
    ['a film', bytes('\0\0\0\x18ftypmp42')],
    ['a page with a drawing in it', bytes('<html><svg>')],
    ['nothing', bytes('')],
  ])('names no kind for %s', (_, head) => {
    expect(refusedKindOf(head)).toBeUndefined();
  });
});

describe('a kind that is refused by name', () => {
  const ole = (name: string) =>
    bytes(`\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(600)}${[...name].join('\0')}\0`);

  test.each([
    ['an Office document with a password', ole('EncryptedPackage')],
    ['a document in the old Word format (.doc)', ole('WordDocument')],
    ['an Office document in an old format, or with a password', ole('')],
    ['an RTF document', bytes('{\\rtf1')],
    [
      'an OpenDocument text (ODT)',
      Buffer.concat([zip('mimetype'), bytes('application/vnd.oasis.opendocument.text')]),
    ],
  ])('%s', (name, head) => {
    expect(fileTypeOf(head)).toBeUndefined();
    expect(refusedKindOf(head)?.name).toBe(name);
    expect(refusedKindOf(head)?.hint).toContain('PDF');
  });
});
