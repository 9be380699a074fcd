// A page that shows a tag is never taken for one without, in whichever way its braces are written; usual pages are read without PDFium.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mayContainTags } from '../../../src/pdf/content/tag-scan.ts';
import { soundFile } from '../../../src/pdf/read/sound-pages.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { streamOf, toUnicodeMap } from '../../support/documents/text-pdf.ts';

const HELVETICA = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** An embedded font: its name begins as that of a part of a font, and it has a file. */
const EMBEDDED =
  '/BaseFont/ABCDEF+X/FontDescriptor<</Type/FontDescriptor/FontName/ABCDEF+X/FontFile2 5 0 R>>';

type Page = { fonts?: string; resources?: string; objects?: readonly string[] };

/** A page of 400 by 300 points. F is Helvetica; `objects` begin with `5 0 R`. */
const onPage = (content: string, { fonts = `/F ${HELVETICA}`, resources = '', objects = [] }: Page = {}) =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 400 300]>>',
    `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<<${fonts}>>${resources}>>>>`,
    streamOf(content),
    ...objects,
  ]);

const textIn = (font: string, shown: string) => `BT /${font} 12 Tf 40 150 Td ${shown} ET`;

/** A composite font, and what its codes of two bytes mean. */
const composite = (...codes: readonly (readonly [number, string])[]): Page => ({
  fonts: '/Z 6 0 R',
  objects: [
    streamOf(''),
    '<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+X/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>',
    `<</Type/Font/Subtype/CIDFontType2${EMBEDDED}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500>>`,
    streamOf(toUnicodeMap([[65, 'A'], [66, 'B'], ...codes], 2)),
  ],
});

const simple = (encoding: string): Page => ({
  fonts: '/Z 6 0 R',
  objects: [streamOf(''), `<</Type/Font/Subtype/TrueType${EMBEDDED}/Encoding<<${encoding}>>>>`],
});

const withForm = (content: string, resources: string): Page => ({
  resources: '/XObject<</X 5 0 R>>',
  objects: [streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 400 300]/Resources<<${resources}>>`)],
});

test.each<[string, Buffer]>([
  ['as they are', onPage(textIn('F', '({{name}}) Tj'))],
  ['in two strings', onPage(textIn('F', '[({) -20 ({name}})] TJ'))],
  ['as octal numbers', onPage(textIn('F', '(\\173\\173name) Tj'))],
  ['as octal numbers of nine bits', onPage(textIn('F', '(\\573\\573name) Tj'))],
  ['in hexadecimal digits', onPage(textIn('F', '<7b7b6e> Tj'))],
  ['in hexadecimal digits with blanks', onPage(textIn('F', '<7 B 7\nb 6e> Tj'))],
  ['at the end and the start of two strings', onPage(textIn('F', '<417b> Tj <7b41> Tj'))],
  ['in digits that are none', onPage(textIn('F', '<41 7b x> Tj'))],
  ['in a form', onPage('/X Do', withForm(textIn('F', '({{) Tj'), `/Font<</F ${HELVETICA}>>`))],
  ['in a form with the font of its page', onPage('BT /F 12 Tf ET /X Do', withForm('BT ({{) Tj ET', ''))],
  [
    'in a font of a graphics state',
    onPage('/S gs BT ({{) Tj ET', {
      fonts: '',
      resources: `/ExtGState<</S<</Font[5 0 R 12]>>>>`,
      objects: [HELVETICA],
    }),
  ],
  ['as the replacement of other text', onPage(textIn('F', '/Span<</ActualText(x)>>BDC (x) Tj EMC'))],
  [
    'as a replacement in the resources',
    onPage('/Span /P BDC EMC', { resources: '/Properties<</P<</ActualText<7b7b>>>>>' }),
  ],
  ['as a replacement whose name is escaped', onPage(textIn('F', '/Span<</Actual#54ext(x)>>BDC EMC'))],
  ['behind an inline picture', onPage(`BI /W 1 /H 1 /BPC 8 /CS /G ID x EI ${textIn('F', '(x) Tj')}`)],
  ['as another code of a composite font', onPage(textIn('Z', '<00430043> Tj'), composite([67, '{']))],
  ['in one code with several characters', onPage(textIn('Z', '<0043> Tj'), composite([67, '{{']))],
  ['as another code of a simple font', onPage(textIn('Z', '(AA) Tj'), simple('/Differences[65/braceleft]'))],
  ['as a glyph without a meaning', onPage(textIn('Z', '(AA) Tj'), simple('/Differences[65/g12]'))],
  ['in a font that is not there', onPage(textIn('Missing', '<41> Tj'))],
])('braces are noticed %s', (_, pdf) => {
  expect(soundFile(pdf)).toBeDefined();
  expect(mayContainTags(pdf)).toBe(true);
});

test.each<[string, Buffer]>([
  ['of lines of text', onPage(textIn('F', '(Signed in Easterholm) Tj'))],
  ['with hexadecimal digits', onPage(textIn('F', '<5369676e6564> Tj'))],
  ['with a brace that stands alone', onPage(textIn('F', '<417b41> Tj'))],
  ['with a composite font', onPage(textIn('Z', '<00410042> Tj'), composite())],
  ['with glyphs whose numbers are those of braces', onPage(textIn('Z', '<7b7b> Tj'), composite())],
  ['with a form', onPage('/X Do', withForm(textIn('F', '(x) Tj'), `/Font<</F ${HELVETICA}>>`))],
  ['with named glyphs', onPage(textIn('Z', '(AA) Tj'), simple('/Differences[65/a/Agrave/comma]'))],
  ['of the example', readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url))],
])('a file %s needs no PDFium', (_, pdf) => {
  expect(mayContainTags(pdf)).toBe(false);
});
