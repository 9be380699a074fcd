// What is said of a PDF that can be used, though not everything of it can be kept.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scanPdf } from '../../../src/pdf/read/byte-scan.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { compressedPdf, pdfOf } from '../../support/documents/pdf.ts';
import { byGlyphName, byGlyphNumber, linesPdf, standard } from '../../support/documents/unembedded-fonts.ts';
import { SLOW } from '../../support/tier.ts';

const PAGE = ['<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'];

async function codes(pdf: Uint8Array): Promise<string[]> {
  const inspected = await inspectPdf(pdf, { maxPages: 9 });
  if (!inspected.ok) throw new Error(inspected.reason);
  return inspected.remarks.map(({ code }) => code);
}

const withForm = (form: string, catalog = '', ...objects: string[]) =>
  pdfOf([`<</Type/Catalog/Pages 2 0 R/AcroForm<<${form}>>${catalog}>>`, ...PAGE, ...objects]);

test('a form whose pages a program makes is dynamic; one that has its pages is not', async () => {
  expect(await codes(withForm('/Fields[]/XFA(x)', '/NeedsRendering true'))).toEqual(['dynamic_form']);
  expect(await codes(withForm('/Fields[]/XFA(x)'))).toEqual([]);
  expect(await codes(withForm('/Fields[]'))).toEqual([]);
});

test('a signed field is a signature, an empty one is none', async () => {
  const field = (value: string) => withForm('/Fields[4 0 R]', '', `<</FT/Sig/T(a)${value}>>`);
  const signature = '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<3003>>>';
  expect(await codes(field(`/V${signature}`))).toEqual(['already_signed']);
  expect(await codes(field(''))).toEqual([]);
});

test('what Adobe signed so that a reader may fill in more is not a signature of a person', async () => {
  const rights = '/Perms<</UR3<</Type/Sig/ByteRange[0 1 2 3]/Contents<3003>>>>>';
  expect(await codes(withForm('/Fields[]', rights))).toEqual([]);
});

test('a signature is found in a field of a field', async () => {
  const pdf = withForm(
    '/Fields[4 0 R]',
    '',
    '<</T(a)/Kids[5 0 R]>>',
    '<</FT/Sig/T(b)/Parent 4 0 R/V 6 0 R>>',
    '<</ByteRange[0 1 2 3]/Contents<3003>>>',
  );
  expect(await codes(pdf)).toEqual(['already_signed']);
});

test.skipIf(!SLOW)(
  'a unit of pages may stand behind object streams that are too large to be searched together',
  () => {
    const pieces = [Buffer.alloc(15 * 1024 * 1024, ' '), Buffer.from('<</Type/Page/UserUnit 2>>')].map(
      (data) => deflateSync(data),
    );
    const streamed = (data: Buffer) =>
      Buffer.concat([
        Buffer.from(`<</Type/ObjStm/N 0/First 0/Filter/FlateDecode/Length ${data.length}>>stream\n`),
        data,
        Buffer.from('\nendstream\n'),
      ]);
    const [large, unit] = pieces.map(streamed) as [Buffer, Buffer];
    const units = (...streams: Buffer[]) => scanPdf(Buffer.concat(streams)).mayStateUserUnit;
    expect(units(large)).toBe(false);
    expect(units(large, unit)).toBe(true);
    expect(units(large, large, large, large, large, unit)).toBe(true);
  },
);

// Pages are read only where this says that a font may be missing: reading them all would cost every upload.
test.each<[string, boolean, Uint8Array]>([
  ['the standard fonts', false, linesPdf([standard('Hello'), standard('Hello', 'Times-Roman')])],
  ['letters by their names', true, linesPdf([byGlyphName('Ж')])],
  ['numbers of glyphs', true, linesPdf([byGlyphNumber('Ж')])],
  ['a descriptor without a file', true, pdfOf(['<</Type/Catalog>>', '<</FontName/Arial>>'])],
  ['a descriptor with a file', false, pdfOf(['<</Type/Catalog>>', '<</FontName/ABCDEF+A/FontFile2 9 0 R>>'])],
  ['the same in an object stream', true, compressedPdf(['<</Type/Catalog>>', '<</FontName/Arial>>'])],
  ['an object stream that cannot be read', true, Buffer.from('<</Type/ObjStm>>stream\nxxx\nendstream')],
])('%s: a font may be missing: %s', (_, isMissing, pdf) => {
  expect(scanPdf(pdf).mayLackFonts).toBe(isMissing);
});

test('many pages without their font are named up to a limit', async () => {
  const { font, shows } = byGlyphNumber('a', { isMapped: false });
  const count = 30;
  const content = `BT /F 9 Tf ${shows} Tj ET`;
  const kids = Array.from({ length: count }, (_, index) => `${index + 5} 0 R`);
  const descriptor = count + 5;
  const pdf = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${kids.join(' ')}]/MediaBox[0 0 99 99]/Resources<</Font<</F 3 0 R>>>>>>`,
    font(() => `${descriptor} 0 R`),
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ...kids.map(() => '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>'),
    '<</Type/FontDescriptor/FontName/ArialMT/Flags 32/FontBBox[0 0 1 1]/ItalicAngle 0/Ascent 9/Descent 0/CapHeight 7/StemV 8>>',
  ]);
  const inspected = await inspectPdf(pdf, { maxPages: 99 });
  // The last one is of the pages that are not named.
  expect(inspected.ok && inspected.remarks.map(({ page }) => page)).toEqual([
    ...Array.from({ length: 20 }, (_, page) => page),
    undefined,
  ]);
});
