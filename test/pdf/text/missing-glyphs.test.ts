// Whether a PDF has empty boxes in the place of letters, which LibreOffice draws without a word.
import { expect, test } from 'vitest';
import { lacksGlyphs } from '../../../src/pdf/text/missing-glyphs.ts';
import { fontPdf } from '../../support/documents/font-pdf.ts';
import { basePdf } from '../../support/documents/signed-pdf.ts';

test.each([true, false])(
  'a font that has its first glyph twice lacks a letter (long places: %s)',
  (isLong) => {
    expect(lacksGlyphs(fontPdf(['box', 'letter', 'box'], isLong))).toBe(true);
    expect(lacksGlyphs(fontPdf(['box', 'letter', 'letter'], isLong))).toBe(false);
    expect(lacksGlyphs(fontPdf(['box'], isLong))).toBe(false);
  },
);

test('a first glyph without strokes is no box', () => {
  expect(lacksGlyphs(fontPdf(['blank', 'letter', 'blank']))).toBe(false);
});

test('a file without fonts lacks nothing, nor does a font that is cut or no file at all', () => {
  expect(lacksGlyphs(basePdf())).toBe(false);
  expect(lacksGlyphs(Buffer.from('no file'))).toBe(false);
  const text = fontPdf(['box', 'box']).toString('latin1');
  const [data = ''] = /(?<=stream\n)[0-9a-f]+/.exec(text)!;
  for (let length = 0; length < data.length; length += 2) {
    const cut = text.replace(data, data.slice(0, length).padEnd(data.length));
    expect(() => lacksGlyphs(Buffer.from(cut, 'latin1'))).not.toThrow();
  }
});
