// Real files, and files that are odd in every way a PDF can be, are stamped: they look as before, other programs find nothing
// wrong with them, and the values are in them.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { certifyPdf } from '../../../src/pdf/write/certificate/certify-pdf.ts';
import { compressedPdf, pdfOf } from '../../support/documents/pdf.ts';
import { shown } from '../../support/documents/pixels.ts';
import { expectSound, stampedPdf, stampField, textOf } from '../../support/documents/stamped-pdf.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus } from '../../support/tools.ts';

const folder = join(CORPUS, 'py-pdf-sample-files');
/** They cannot be signed: corpus.test.ts of `inspectPdf` says why. */
const REFUSED = ['libreoffice-writer-password.pdf', 'unreadablemetadata.pdf'];
const files = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.pdf') && !REFUSED.includes(name))
  : [];
const [corpus, qpdf, poppler] = [needsCorpus(), needsCommand('qpdf'), needsCommand('pdftotext')];
const MOST_PAGES = 5;

const CERTIFICATE = {
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

/** Keeps a document as the service does after an upload. */
async function accepted(bytes: Uint8Array) {
  const inspected = await inspectPdf(bytes, { maxPages: 1000 });
  if (!inspected.ok) throw new Error(inspected.reason);
  return { pdf: inspected.repaired ?? bytes, pages: inspected.pages };
}

/** Computes the share of pixels that are another color. */
async function difference(before: Uint8Array, after: Uint8Array, page: number): Promise<number> {
  const [a, b] = [await shown(before, page, 60), await shown(after, page, 60)];
  expect([b.width, b.height]).toEqual([a.width, a.height]);
  let count = 0;
  for (let at = 0; at < a.rgba.length; at += 4)
    if ([0, 1, 2].some((sample) => Math.abs(a.rgba[at + sample]! - b.rgba[at + sample]!) > 128)) count += 1;
  return (count * 4) / a.rgba.length;
}

async function expectAsBefore(bytes: Uint8Array): Promise<void> {
  const { pdf, pages } = await accepted(bytes);
  const result = await stampedPdf(pdf);
  const after = await inspectPdf(result.pdf, { maxPages: 1000 });
  expect(after).toMatchObject({ ok: true, pages });
  for (let page = 0; page < Math.min(pages.length, MOST_PAGES); page += 1)
    expect(await difference(pdf, result.pdf, page)).toBeLessThan(0.002);
  const corner = { x: 5, y: 5, width: Math.min(150, pages[0]!.width - 10), height: 12 };
  const certified = await certifyPdf(result.pdf, CERTIFICATE, '{}');
  expect(await inspectPdf(certified.pdf, { maxPages: 1001 })).toMatchObject({ pages: [...pages, {}] });
  const signed = await stampedPdf(pdf, [stampField({ ...corner, value: 'Ada Lovelace' })]);
  if (!SLOW) return;
  if (!qpdf.skip) await expectSound(signed.pdf);
  // Poppler leaves out text that is too small to be read.
  if (!poppler.skip && corner.width > 50) expect(await textOf(signed.pdf)).toMatch(/Ada\s+Lovelace/);
}

describe.skipIf(corpus.skip || !SLOW)(`the corpus${corpus.why}`, () => {
  test('has files', () => expect(files.length).toBeGreaterThan(20));
  test.each(sampleOf(files, 6))('%s', async (name) => expectAsBefore(readFileSync(join(folder, name))));
});

const CONTENT = '1 0 0 rg 10 10 50 30 re f';
const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 200]>>',
  '<</Type/Page/Parent 2 0 R/Resources<<>>/Contents 4 0 R>>',
  `<</Length ${CONTENT.length}>>\nstream\n${CONTENT}\nendstream`,
];
const LONE = '<</Type/Page/MediaBox[0 0 200 200]/Resources<<>>/Contents 4 0 R>>';
const plain = pdfOf(OBJECTS);
const text = plain.toString('latin1');

/** The content is drawn anew in an update, whose section may be of either kind. */
function updated(): Buffer {
  const content = CONTENT.replace('1 0 0 rg', '0 0 1 rg');
  const start = text.length;
  const object = `4 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`;
  const table = `xref\n4 1\n${String(start).padStart(10, '0')} 00000 n \n`;
  const before = /startxref\n(\d+)/.exec(text)?.[1];
  const trailer = `trailer\n<</Size 5/Root 1 0 R/Prev ${before}>>\nstartxref\n${start + object.length}\n%%EOF\n`;
  return Buffer.from(text + object + table + trailer, 'latin1');
}

/** The last of the objects with number 4 is one that no table knows: readers that follow the table do not show it. */
const shadowed = Buffer.from(
  text.replace('xref\n0', () => `4 0 obj\n<</Length 9>>\nstream\n0 0 1 rg \nendstream\nendobj\nxref\n0`),
  'latin1',
);

/** Corrects the place of the table. */
function withTableAt(file: Buffer): Buffer {
  const at = file.toString('latin1').lastIndexOf('\nxref\n') + 1;
  return Buffer.from(file.toString('latin1').replace(/startxref\n\d+/, `startxref\n${at}`), 'latin1');
}

describe('odd files come out right', () => {
  test.each(
    sampleOf(
      [
        ['plain', plain],
        ['an update', updated()],
        ['an object that the table does not name', withTableAt(shadowed)],
        ['something before the header', Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), plain])],
        ['something behind the end', Buffer.concat([plain, Buffer.from('\n<!-- a comment -->\n')])],
        ['no table', Buffer.from(text.slice(0, text.indexOf('xref\n0')), 'latin1')],
        [
          'a table that is somewhere else',
          Buffer.from(text.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
        ],
        [
          'resources that pages inherit',
          pdfOf([
            ...OBJECTS.slice(0, 1),
            OBJECTS[1]!.replace('>>', '/Resources<<>>>>'),
            OBJECTS[2]!.replace('/Resources<<>>', ''),
            OBJECTS[3]!,
          ]),
        ],
        [
          'a page in the place of the tree',
          pdfOf(['<</Type/Catalog/Pages 3 0 R>>', '()', LONE, OBJECTS[3]!]),
        ],
        [
          'a page that is there twice',
          pdfOf([OBJECTS[0]!, OBJECTS[1]!.replace('1/Kids[', '2/Kids[3 0 R '), OBJECTS[2]!, OBJECTS[3]!]),
        ],
        ['a page without content', pdfOf([...OBJECTS.slice(0, 2), '<</Type/Page/Parent 2 0 R>>'])],
        [
          'content in pieces',
          pdfOf([
            ...OBJECTS.slice(0, 2),
            OBJECTS[2]!.replace('4 0 R', '[4 0 R 5 0 R]'),
            '<</Length 8>>\nstream\n1 0 0 rg\nendstream',
            '<</Length 18>>\nstream\n10 10 50 30 re f  \nendstream',
          ]),
        ],
      ],
      3,
    ),
  )('%s', async (_, file) => expectAsBefore(file));

  test('objects inside of streams', async () => {
    const pages = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 200]>>',
      '<</Type/Page/Parent 2 0 R>>',
    ];
    await expectAsBefore(compressedPdf(pages));
  });

  describe.skipIf(qpdf.skip || !SLOW)(`made by qpdf${qpdf.why}`, () => {
    test.each([
      ['linearized', ['--linearize']],
      ['object streams', ['--object-streams=generate']],
      [
        'encrypted for its owner, AES-256',
        ['--encrypt', '', 'owner', '256', '--print=none', '--modify=none', '--'],
      ],
      [
        'encrypted for its owner, RC4',
        ['--allow-weak-crypto', '--encrypt', '', 'owner', '128', '--use-aes=n', '--'],
      ],
    ])('%s', async (_, options) => {
      const where = await temporaryFolder();
      const [from, to] = [join(where, 'from.pdf'), join(where, 'to.pdf')];
      writeFileSync(from, plain);
      execFileSync('qpdf', [from, ...options, to]);
      const file = readFileSync(to);
      await expectAsBefore(file);
      const { pdf } = await stampedPdf(file);
      expect(Buffer.from(pdf).includes('/Encrypt')).toBe(false);
    });
  });
});
