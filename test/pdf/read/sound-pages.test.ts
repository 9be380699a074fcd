// What is read of a PDF without PDFium is what PDFium says of it: by hand, of real files, and of files broken at random.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isWhole } from '../../../src/pdf/read/plain.ts';
import { soundPages } from '../../../src/pdf/read/sound-pages.ts';
import { inspectSound } from '../../../src/pdf/render/inspect.ts';
import { brokenPdf, seededRandom } from '../../support/documents/broken-pdf.ts';
import { compressedPdf, pagesPdf, pdfOf } from '../../support/documents/pdf.ts';
import { rounds, roundsOf, SEED } from '../../support/random.ts';
import { CORPUS, needsCorpus } from '../../support/tools.ts';

const limits = { maxPages: 1000 };
const contract = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));

/** PDFium tells the same, in the same shape. */
async function byPdfium(bytes: Uint8Array) {
  const inspected = await inspectSound(bytes, limits);
  return inspected && { pages: inspected.pages, remarks: inspected.remarks };
}

const TREE = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 300 500]/Rotate 90>>',
  '<</Type/Pages/Parent 2 0 R/Count 1/Kids[5 0 R]/CropBox[10 20 1000 120]>>',
  '<</Type/Page/Parent 2 0 R/Rotate 0/MediaBox[-10 -20.5 595.276 841.89]>>',
  '<</Type/Page/Parent 3 0 R>>',
];

const A_PAGE = '/MediaBox[0 0 595.2756 841.8898]';

/** `/Key value` of the page, of the node above it, or of the trailer, and the file that has it. */
const FILES: Record<string, Buffer> = {
  'the contract of the tests': contract,
  'a tree of two levels': pdfOf(TREE),
  'the same in an object stream': compressedPdf(TREE),
  'A4 with more digits than there are': pagesPdf([A_PAGE]),
  'a box above the page': pagesPdf(['/Rotate 270'], '/MediaBox[0 0 100 200]'),
  'a file that is made for the web': linearized(1),
  'a form without signatures': pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
  ]),
};

/** These files are handed over, although PDFium can read most of them. */
const HANDED_OVER: Record<string, Buffer> = {
  'no box': pagesPdf(['']),
  'a box with swapped corners': pagesPdf(['/MediaBox[100 200 0 0]']),
  'a box with an indirect number': pagesPdf(['/MediaBox[0 0 3 0 R 200]']),
  'a box that lies outside of the other': pagesPdf([`${A_PAGE}/CropBox[700 0 800 100]`]),
  'a size that may be rounded to either side': pagesPdf(['/MediaBox[0 0 595.2755 841.89]']),
  'an odd turn': pagesPdf([`${A_PAGE}/Rotate 45`]),
  'a turn of more than once': pagesPdf([`${A_PAGE}/Rotate 450`]),
  'a unit': pagesPdf([`${A_PAGE}/UserUnit 2`]),
  'a key twice': pagesPdf([`${A_PAGE}/MediaBox[0 0 10 10]`]),
  'a wrong count': pagesPdf([A_PAGE, A_PAGE], '', 1),
  'a page that has kids': pagesPdf([`${A_PAGE}/Kids[]`]),
  'a page twice': pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
  ]),
  'another parent': pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 1 0 R${A_PAGE}>>`,
  ]),
  'a form that a program makes': pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA 3 0 R>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
  ]),
  'a damaged object that no page names': pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
    '<</Filter[/Flate>>',
  ]),
  encryption: pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
    ],
    '/Encrypt<</Filter/Standard>>',
  ),
  'junk before it': Buffer.concat([Buffer.from('junk\n'), pagesPdf([A_PAGE])]),
  'junk behind it': Buffer.concat([pagesPdf([A_PAGE]), Buffer.from('and more')]),
  'a count with a point in the dictionary of an object stream': replaced(
    compressedPdf(TREE),
    /6 0 obj\n(.*?)\/N 5/,
    '6 0 obj$1/N 5.',
  ),
  'a size with a point in the dictionary of a cross-reference stream': replaced(
    compressedPdf(TREE),
    /7 0 obj\n(.*?)\/Size 8/,
    '7 0 obj$1/Size 8.',
  ),
  'a form that says it has signatures': pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/SigFlags 3>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
  ]),
  'a table and a stream in one': pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
    ],
    '/XRefStm 9',
  ),
  'a table that begins within a word': replaced(pagesPdf([A_PAGE]), 'endobj\nxref', 'endobj>xref'),
  'more behind the trailer than its end': replaced(pagesPdf([A_PAGE]), '\nstartxref', '\n/More\nstartxref'),
  'another count at the beginning of a file that is made for the web': linearized(2),
  'a name with a byte 80, which PDFium takes for a blank': withEntry('/Fo\x80t 1'),
  'a name with a byte FF': withEntry('/Fo\xfft 1'),
  'an object that begins elsewhere': replaced(pagesPdf([A_PAGE]), '0000000009', '0000000008'),
  'rows of 19 bytes': Buffer.from(
    pagesPdf([A_PAGE]).toString('latin1').replaceAll('00000 n \n', '00000 n\n'),
    'latin1',
  ),
};

function withEntry(entry: string): Buffer {
  const tree = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>'];
  return pdfOf([...tree, `<</Type/Page/Parent 2 0 R${entry}${A_PAGE}>>`]);
}

function replaced(pdf: Buffer, subject: string | RegExp, by: string): Buffer {
  const text = pdf.toString('latin1');
  expect(text).toMatch(subject);
  return Buffer.from(text.replace(subject, by), 'latin1');
}

/** A file of one page whose first object says that it has `count`. */
function linearized(count: number): Buffer {
  const pages = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>'];
  const file = (length: string) =>
    pdfOf([
      ...pages,
      `<</Type/Page/Parent 2 0 R${A_PAGE}>>`,
      `<</Linearized 1/L ${length}/N ${count}/O 3/E 9/T 9/H[9 9]>>`,
    ]);
  return file(String(file('000').length));
}

test.each(Object.entries(FILES))('%s is read as PDFium reads it', async (_, pdf) => {
  const read = soundPages(pdf, limits);
  expect(read).toBeDefined();
  expect(read).toEqual(await byPdfium(pdf));
});

test.each(Object.entries(HANDED_OVER))('%s is handed over', (_, pdf) => {
  expect(soundPages(pdf, limits)).toBeUndefined();
});

test('more pages than are allowed are handed over', () => {
  expect(soundPages(pagesPdf([A_PAGE, A_PAGE]), { maxPages: 2 })?.pages).toHaveLength(2);
  expect(soundPages(pagesPdf([A_PAGE, A_PAGE]), { maxPages: 1 })).toBeUndefined();
});

const corpus = needsCorpus();
const folder = join(CORPUS, 'py-pdf-sample-files');
const real = corpus.skip
  ? []
  : readdirSync(folder)
      .filter((name) => name.endsWith('.pdf'))
      .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }))
      .filter(({ bytes }) => isWhole(bytes));

describe.skipIf(corpus.skip)(`real files${corpus.why}`, () => {
  test('most are read, each as PDFium reads it', async () => {
    let count = 0;
    for (const { name, bytes } of real) {
      const read = soundPages(bytes, limits);
      if (!read) continue;
      count += 1;
      expect(read, name).toEqual(await byPdfium(bytes));
    }
    expect(count).toBeGreaterThan(real.length * 0.6);
  });
});

const TRIES = roundsOf({ short: 500, landing: 20_000, full: 50_000 });

test('what is broken at random is read as PDFium reads it, or handed over', async () => {
  const small = [...Object.values(FILES), ...real.map(({ bytes }) => bytes)].filter(
    (bytes) => bytes.length < 100_000 && soundPages(bytes, limits),
  );
  const random = seededRandom(SEED);
  let [accepted, count] = [0, 0];
  for (const _ of rounds(TRIES)) {
    count += 1;
    const broken = brokenPdf(small[random(small.length)]!, random);
    if (!isWhole(broken)) continue;
    const read = soundPages(broken, limits);
    if (!read) continue;
    accepted += 1;
    expect(read, `of the file ${broken.toString('base64')}`).toEqual(await byPdfium(broken));
  }
  expect(accepted).toBeGreaterThan(count / 100);
}, 600_000);
