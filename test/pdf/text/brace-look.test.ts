// A file is called free of double braces only where none of its pages can show them, however they are written.
import { describe, expect, test } from 'vitest';
import { hasNoBraces } from '../../../src/pdf/text/brace-look.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { streamOf, toUnicodeMap } from '../../support/documents/text-pdf.ts';

const MAP = toUnicodeMap(
  [
    [1, '{'],
    [2, 'a'],
  ],
  2,
);

/** A page with a simple font F, a font G whose letter A is a brace, a font C of two bytes, a form X, and properties P. */
const page = (content: string, form = '', used = ['F', 'G', 'C', 'X', 'P']) => {
  const has = (name: string, entry: string) => (used.includes(name) ? entry : '');
  const fonts = `<<${has('F', '/F 5 0 R')}${has('G', '/G 6 0 R')}${has('C', '/C 7 0 R')}>>`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font${fonts}/XObject<<${has('X', '/X 9 0 R')}>>/Properties<<${has('P', '/P<</ActualText(x)>>')}>>>>>>`,
    streamOf(content),
    '<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Serif>>',
    '<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Serif/Encoding<</Differences[65/braceleft]>>>>',
    '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+Sans/Encoding/Identity-H/ToUnicode 8 0 R>>',
    streamOf(MAP),
    streamOf(form, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>>>'),
  ]);
};

const show = (operators: string, font = 'F') => `BT /${font} 9 Tf 9 9 Td ${operators} ET`;
const ONLY_F = ['F'];

describe('a page is free of double braces', () => {
  test.each([
    ['without any text', '', ONLY_F],
    ['with usual letters', show('(Signed by 7 people) Tj <4142> Tj'), ONLY_F],
    ['with one brace at a time', show('({a) Tj [({) 9 (b)] TJ'), ONLY_F],
    ['with letters of fonts that have other codes for braces', show('(abc) Tj'), ['F', 'G', 'C']],
    ['with a form that shows none', `/X Do ${show('(a) Tj')}`, ['F', 'X']],
  ])('%s', (_, content, used) => {
    expect(hasNoBraces(page(content, show('(a) Tj'), used))).toBe(true);
  });
});

describe('a page may have double braces', () => {
  test.each([
    ['as they are', show('({{a) Tj'), ONLY_F],
    ['in two strings', show('[({) 9 ({)] TJ'), ONLY_F],
    ['as octal codes', show('(\\173\\173a) Tj'), ONLY_F],
    ['as octal codes that are too large', show('(\\573\\573a) Tj'), ONLY_F],
    ['in hexadecimal digits', show('<7b7B> Tj'), ONLY_F],
    ['in hexadecimal digits with blanks between them', show('<7 b7\nb> Tj'), ONLY_F],
    ['in hexadecimal digits between which some readers skip letters', show('<7zb7zb> Tj'), ONLY_F],
    ['as another letter of its font', show('(AA) Tj', 'G'), ['G']],
    ['as codes of two bytes', show('<00010001> Tj', 'C'), ['C']],
    ['in a form', '/X Do', ['X']],
    ['as a text that stands for others', '/Span<</ActualText(x)>>BDC EMC', ONLY_F],
    ['as a text with a disguised name', '/Span<</Actual#54ext(x)>>BDC EMC', ONLY_F],
    ['as a text that stands for others, by name', '/Span/P BDC EMC', ['P']],
    ['in a font that is not there', show('({{) Tj', 'Z'), ONLY_F],
  ])('%s', (_, content, used) => {
    expect(hasNoBraces(page(content, show('({{) Tj'), used))).toBe(false);
  });
});
