import { expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';

async function hasProperties(information: string): Promise<boolean> {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 300 300]>>',
    '<</Type/Page/Parent 2 0 R>>',
    '<</Title(Lease)>>',
  ];
  const { pdf } = await stampedPdf(pdfOf(objects, `/Info ${information} 0 R`), [
    stampField({ value: 'Ada', x: 10, y: 10 }),
  ]);
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  return file.latest.trailer.has('Info');
}

test('keeps the properties of a document', async () => {
  expect(await hasProperties('4')).toBe(true);
});

test.each([
  ['catalog', '1'],
  ['page tree', '2'],
])('omits properties that are the %s, because Ghostscript opens no such file', async (_, number) => {
  expect(await hasProperties(number)).toBe(false);
});

test('names the catalog as one, whatever it was called', async () => {
  const objects = [
    '<</Type/Catalogg/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 300 300]>>',
    '<</Type/Page/Parent 2 0 R>>',
  ];
  const { pdf } = await stampedPdf(pdfOf(objects), [stampField({ value: 'Ada', x: 10, y: 10 })]);
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  expect(file.latest.dict(file.latest.root)?.get('Type')).toBe('Catalog');
});
