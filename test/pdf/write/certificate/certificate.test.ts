// The certificate says all that it is given, over as many pages as it takes, behind the stamped file and without a change to it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readPdf } from '../../../../src/pdf/read/read-pdf.ts';
import { textOf as textOfValue } from '../../../../src/pdf/read/values.ts';
import { inspectPdf } from '../../../../src/pdf/render/inspect.ts';
import { certifyPdf, SEAL_FIELD } from '../../../../src/pdf/write/certificate/certify-pdf.ts';
import type { CertificateContent, PartyStep } from '../../../../src/pdf/write/certificate/content.ts';
import { inZone } from '../../../../src/pdf/write/certificate/words.ts';
import { certificateContent, certificateParty } from '../../../support/documents/certificate.ts';
import { pagesPdf, pdfOf } from '../../../support/documents/pdf.ts';
import { pngOfPage } from '../../../support/documents/pixels.ts';
import {
  expectSound,
  outputOf,
  stampedPdf,
  stampField,
  textOf,
} from '../../../support/documents/stamped-pdf.ts';
import { SLOW } from '../../../support/tier.ts';
import { needsCommand } from '../../../support/tools.ts';

const [qpdf, poppler, zbar, detach] = [
  needsCommand('qpdf'),
  needsCommand('pdftotext'),
  needsCommand('zbarimg'),
  needsCommand('pdfdetach'),
];
const hashOf = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
const EVIDENCE = '{"format":"esign-evidence"}';
const LINK = certificateContent().link;

const certified = async (pdf: Uint8Array, more: Partial<CertificateContent> = {}) =>
  certifyPdf(pdf, certificateContent(more), EVIDENCE);

let base: Uint8Array;
beforeAll(async () => {
  base = (
    await stampedPdf(pagesPdf(['/MediaBox[0 0 595 842]', '/MediaBox[0 0 595 842]']), [
      stampField({ value: 'Ada' }),
    ])
  ).pdf;
});

describe('the file', () => {
  test('begins with the stamped one, byte for byte', async () => {
    const { pdf, contentBytes } = await certified(base);
    expect(contentBytes).toBe(base.length);
    expect(Buffer.compare(pdf.subarray(0, base.length), base)).toBe(0);
  });

  test('is the same for the same content', async () => {
    const [first, other] = [await certified(base), await certified(base)];
    expect(Buffer.compare(first.pdf, other.pdf)).toBe(0);
  });

  test.skipIf(qpdf.skip)(`is sound${qpdf.why}`, async () => {
    await expectSound((await certified(base)).pdf);
  });

  test('has the pages of before and one more', async () => {
    const { pdf } = await certified(base);
    const inspected = await inspectPdf(pdf, { maxPages: 9 });
    const a4 = { width: 595.28, height: 841.89, rotation: 0 };
    expect(inspected).toMatchObject({ ok: true, remarks: [], pages: [{ width: 595 }, { width: 595 }, a4] });
  });

  test.each([
    ['a letter', '/MediaBox[0 0 612 792]', 612],
    ['a letter on its side', '/MediaBox[0 0 792 612]', 612],
    ['any other', '/MediaBox[0 0 300 300]', 595.28],
  ])('has paper as its first page: %s', async (_, box, width) => {
    const { pdf } = await certified((await stampedPdf(pagesPdf([box]))).pdf);
    expect(await inspectPdf(pdf, { maxPages: 9 })).toMatchObject({ ok: true, pages: [{}, { width }] });
  });

  test('turns and cuts of the pages before do not reach it', async () => {
    const tree = '/Rotate 90/CropBox[10 10 50 50]/MediaBox[0 0 612 792]/UserUnit 2';
    const { pdf } = await certified((await stampedPdf(pagesPdf([''], tree))).pdf);
    const page = { width: 612, height: 792, rotation: 0 };
    expect(await inspectPdf(pdf, { maxPages: 9 })).toMatchObject({ ok: true, pages: [{}, page] });
  });

  test('has an empty field for the seal, whose place is on the certificate', async () => {
    const file = readPdf((await certified(base)).pdf);
    if (!file.ok) throw new Error(file.reason);
    const { latest } = file;
    const form = latest.dict(latest.dict(latest.root)?.get('AcroForm'));
    expect(form?.get('SigFlags')).toBe(3);
    const seal = latest.dict(latest.array(form?.get('Fields'))?.[0]);
    expect(textOfValue(seal?.get('T'))).toBe(SEAL_FIELD);
    expect([seal?.get('FT'), seal?.get('Subtype'), seal?.get('F'), seal?.has('V')]).toEqual([
      'Sig',
      'Widget',
      132,
      false,
    ]);
    const page = latest.dict(seal?.get('P'));
    expect(latest.array(page?.get('Annots'))).toHaveLength(1);
    expect(latest.dict(latest.dict(seal?.get('AP'))?.get('N'))).toBeDefined();
  });

  test('carries the evidence as what belongs to it', async () => {
    const file = readPdf((await certified(base)).pdf);
    if (!file.ok) throw new Error(file.reason);
    const { latest } = file;
    const [record] = latest.array(latest.dict(latest.root)?.get('AF')) ?? [];
    const specification = latest.dict(record);
    expect(specification?.get('AFRelationship')).toBe('Data');
    expect(textOfValue(specification?.get('UF'))).toBe('esign-evidence.json');
    const stream = latest.dict(specification?.get('EF'))?.get('F');
    expect(latest.data(stream)?.toString()).toBe(EVIDENCE);
    expect(latest.dict(stream)?.get('Subtype')).toBe('application/json');
    const parameters = latest.dict(latest.dict(stream)?.get('Params'));
    expect(textOfValue(parameters?.get('ModDate'))).toBe('D:20261121174210Z');
  });

  test.skipIf(detach.skip)(`poppler lists it beside the files that were there${detach.why}`, async () => {
    const text = 'hello';
    const withFile = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(z) 4 0 R]>>>>>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>',
      '<</Type/Page/Parent 2 0 R>>',
      '<</Type/Filespec/F(z.txt)/UF(z.txt)/EF<</F 5 0 R>>>>',
      `<</Type/EmbeddedFile/Length ${text.length}>>\nstream\n${text}\nendstream`,
    ]);
    const { pdf } = await certified((await stampedPdf(withFile)).pdf);
    const list = await outputOf(pdf, 'pdfdetach', '-list', 'FILE');
    expect(list).toContain('esign-evidence.json');
    expect(list).toContain('z.txt');
  });
});

describe.skipIf(poppler.skip)(`what it says${poppler.why}`, () => {
  const wordsOf = async (more: Partial<CertificateContent> = {}) =>
    (await textOf((await certified(base, more)).pdf)).replace(
      /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      '',
    );

  test('is all that it was given', async () => {
    const words = await wordsOf();
    const all = certificateContent();
    const expected = [
      all.transaction.id,
      all.transaction.name,
      all.transaction.company,
      all.transaction.service,
      '2026-11-20 09:00:00 UTC',
      '2026-11-20 09:05:12 UTC',
      '2026-11-21 17:42:10 UTC',
      'Ada Lovelace',
      'ada@example.com',
      'Signer, number 1 in the order',
      '2026-11-22 00:41:02 Europe/Berlin',
      'Opened the documents',
      '203.0.113.7',
      'Firefox 145 on Linux',
      hashOf('consent'),
      hashOf('original'),
      hashOf('content'),
      'The layout may differ.',
      'Two scripts were taken out.',
      `head -c ${base.length} FILE | sha256sum`,
      hashOf(EVIDENCE),
      LINK,
      'Certificate 1 of 1',
    ];
    const flat = words.replace(/\s+/g, ' ');
    for (const item of expected) expect(flat).toContain(item);
  });

  test('names in every script', async () => {
    const names = ['Łukasz Żółć', 'Αδα Λάβλεϊς', 'Ада Лавлейс', 'علي', 'שלום', 'नमस्ते'];
    const words = await wordsOf({
      parties: names.map((name, index) => certificateParty({ name, index, steps: [] })),
    });
    for (const name of names) expect(words).toContain(name);
  });

  test('a character that no font has is shown by its number', async () => {
    const name = 'Ada \u{10FFFD}';
    expect(await wordsOf({ parties: [certificateParty({ name })] })).toContain('Ada [U+10FFFD]');
  });

  test('thirty people and twenty documents go over several pages, and none is lost', async () => {
    const parties = Array.from({ length: 30 }, (_, index) =>
      certificateParty({
        name: `Person ${index} ${'of a long name '.repeat(index % 4)}`,
        email: `p${index}@example.com`,
        index,
      }),
    );
    const documents = Array.from({ length: 20 }, (_, index) => ({
      ...certificateContent().documents[0]!,
      id: `d${index}`,
      name: `Document-${index} ${'and its long name '.repeat(index)}end-${index}.pdf`,
    }));
    const words = await wordsOf({ parties, documents });
    for (const { email } of parties) expect(words).toContain(email);
    for (let index = 0; index < 20; index += 1) expect(words).toContain(`end-${index}.pdf`);
    const [, count] = /Certificate 1 of (\d+)/.exec(words) ?? [];
    expect(Number(count)).toBeGreaterThan(5);
    expect(words).toContain(`Certificate ${count} of ${count}`);
  });

  test('nothing is invented for a party with neither steps nor consent', async () => {
    const words = await wordsOf({
      parties: [certificateParty({ steps: [], consent: undefined, signedAt: null })],
    });
    expect(words).not.toMatch(/Agreed to|Signed|Record/);
  });
});

test.skipIf(zbar.skip)(`the code leads to the transaction${zbar.why}`, async () => {
  const { pdf } = await certified(base);
  const path = join(mkdtempSync(join(tmpdir(), 'esign-qr-')), 'page.png');
  writeFileSync(path, await pngOfPage(pdf, 2, { dpi: 150, maxPixels: 8_000_000 }));
  expect(execFileSync('zbarimg', ['--raw', '-q', path], { encoding: 'utf8' }).trim()).toBe(LINK);
});

describe('the number of pages', () => {
  const pagesOf = async (more: Partial<CertificateContent>) => {
    const inspected = await inspectPdf((await certified(base, more)).pdf, { maxPages: 99 });
    if (!inspected.ok) throw new Error('The certificate cannot be read.');
    return inspected.pages.length - 2;
  };
  const step = (subject: string, origin: readonly string[]): PartyStep => ({
    at: '2026-11-21T17:41:02.000Z',
    action: subject,
    origin,
    timeZone: 'Europe/Berlin',
  });
  /** The record of a usual signature has them all. */
  const steps = [
    step('Invitation to ada@example.com sent by email', [
      'Taken by mail.example.com at 2026-11-21 17:30:02 UTC',
      '250 2.0.0 Ok: queued as 4F1Q2W3E',
    ]),
    step('Signing link opened', ['203.0.113.7', 'Firefox 145 on Linux']),
    step('Agreed to sign electronically', ['203.0.113.7']),
    { ...step('Pages 1–2 of contract.pdf in view', ['203.0.113.7']), until: '2026-11-21T17:44:00.000Z' },
    step('Filled in 2 fields', ['203.0.113.7']),
    step('Signed', ['203.0.113.7']),
  ];
  const sender = certificateParty({
    role: 'sender',
    index: 0,
    steps: [],
    signedAt: null,
    consent: undefined,
  });
  const signer = certificateParty({
    identifiedBy: 'the link in the email to ada@example.com',
    marks: [{ mark: 'signature', kind: 'typed', face: 'script', value: 'Ada Lovelace' }],
    values: [
      { label: 'Date', page: 1, text: '2026-11-21' },
      { label: 'Signature', page: 1, mark: 'signature', kind: 'typed' },
    ],
    steps,
  });
  const ownAuthority = { of: 'sandbox', timestamps: true, revocationLists: true } as const;

  test('is one for one signer of one document, with the notice of the sandbox', async () => {
    expect(await pagesOf({ ownAuthority, parties: [sender, signer] })).toBe(1);
  });

  test('is two for three signers, so that the last page is not nearly empty', async () => {
    expect(await pagesOf({ ownAuthority, parties: [sender, signer, signer, signer] })).toBe(2);
  });
});

describe('times', () => {
  test.each([
    ['2026-07-01T12:00:00.000Z', 'Europe/Berlin', '14:00:00 Europe/Berlin'],
    ['2026-11-21T23:30:00.000Z', 'Asia/Tokyo', '2026-11-22 08:30:00 Asia/Tokyo'],
    ['2024-02-29T00:30:00.000Z', 'America/New_York', '2024-02-28 19:30:00 America/New_York'],
    ['2000-03-01T00:00:00.000Z', 'Asia/Kolkata', '05:30:00 Asia/Kolkata'],
    ['2026-11-21T23:30:00.000Z', 'UTC', undefined],
    ['2026-11-21T23:30:00.000Z', 'Nowhere/Land', undefined],
    ['2026-11-21T23:30:00.000Z', null, undefined],
  ])('%s in %s', (at, zone, expected) => {
    expect(inZone(at, zone)).toBe(expected);
  });

  test.skipIf(!SLOW)('agree with the calendar of this machine', () => {
    for (let day = 0; day < 40_000; day += 97) {
      const at = new Date(day * 86_400_000 + 45_296_000);
      const local = inZone(at.toISOString(), 'Etc/GMT-1');
      expect(local).toBe('13:34:56 Etc/GMT-1');
    }
  });
});
