// What a file says of itself as an archive (PDF/A) stays true after it was stamped and certified.

import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import type { Dict, Value } from '../../../src/pdf/read/values.ts';
import { certifyPdf } from '../../../src/pdf/write/certificate/certify-pdf.ts';
import { keepArchive } from '../../../src/pdf/write/stamp-pdf.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';
import { sampleOf } from '../../support/tier.ts';

const claim = (part: string, level: string) =>
  `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description pdfaid:part="${part}"><pdfaid:conformance>${level}</pdfaid:conformance></rdf:Description></x:xmpmeta>`;

const fileWith = (metadata: string, entries = '') =>
  pdfOf([
    `<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R${entries}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 300 300]>>',
    '<</Type/Page/Parent 2 0 R>>',
    `<</Type/Metadata/Subtype/XML/Length ${metadata.length}>>\nstream\n${metadata}\nendstream`,
  ]);

const content = {
  transaction: {
    id: 'id',
    name: 'N',
    company: 'C',
    createdAt: '2026-11-20T09:00:00.000Z',
    sentAt: null,
    completedAt: '2026-11-21T17:42:10.000Z',
    sealedAt: '2026-11-21T17:42:11.000Z',
    service: 'http://127.0.0.1:4010',
  },
  documentId: 'd',
  documents: [],
  parties: [],
  link: 'http://127.0.0.1:4010/t',
};

async function sealed(pdf: Uint8Array) {
  const result = await stampedPdf(pdf, [stampField({ value: 'Ada', x: 10, y: 10 })]);
  const { pdf: created } = await certifyPdf(result.pdf, content, '{}');
  const file = readPdf(created);
  if (!file.ok) throw new Error(file.reason);
  const catalog = file.latest.dict(file.latest.root) as Dict;
  return {
    view: file.latest,
    catalog,
    metadata: file.latest.data(catalog.get('Metadata'))?.toString('latin1'),
  };
}

test.each(
  sampleOf(
    [
      ['1', 'A', '3', 'U'],
      ['1', 'B', '3', 'B'],
      ['2', 'U', '3', 'U'],
      ['3', 'B', '3', 'B'],
      ['4', 'F', '4', 'F'],
    ],
    3,
  ),
)('of part %s, level %s: then part %s, level %s', async (part, level, newPart, newLevel) => {
  const { metadata } = await sealed(fileWith(claim(part, level)));
  expect(metadata).toBe(claim(newPart, newLevel));
});

test('a file that claims nothing claims nothing afterwards', async () => {
  const { metadata } = await sealed(fileWith('<x:xmpmeta/>'));
  expect(metadata).toBe('<x:xmpmeta/>');
});

describe('colors', () => {
  const definitions = async (metadata: string) => {
    const { view, catalog } = await sealed(fileWith(metadata));
    const kids = view.array(view.dict(catalog.get('Pages'))?.get('Kids')) ?? [];
    const resources = kids.map((kid: Value) => view.dict(view.dict(kid)?.get('Resources')));
    const drawing = view.dict([...(view.dict(resources[0]?.get('XObject'))?.values() ?? [])][0]);
    return [view.dict(drawing?.get('Resources')), resources[1]].map(
      (item) => view.dict(item?.get('ColorSpace'))?.has('DefaultRGB') === true,
    );
  };

  test('have a definition in an archive: those of values and of the certificate', async () => {
    expect(await definitions(claim('3', 'B'))).toEqual([true, true]);
  });

  test('are left to the reader in any other file', async () => {
    expect(await definitions('<x:xmpmeta/>')).toEqual([false, false]);
  });
});

test('metadata that are no stream are none', async () => {
  const document = await PDFDocument.create({ updateMetadata: false });
  expect(keepArchive(document.catalog)).toEqual({ isArchive: false });
});
