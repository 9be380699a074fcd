// The words of pages are listed with their places, as a reader reads them.
import { expect, test } from 'vitest';
import { listWords, type PlacedWord } from '../../../src/pdf/text/page-words.ts';
import { fileFont, inDrawnOrder, showAt, simpleFont, textPdf } from '../../support/documents/text-pdf.ts';

const font = simpleFont([...' -.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ', 'fi', '\u00ad']);

async function wordsOf(pdf: Uint8Array, pages = { from: 0, to: 1 }): Promise<PlacedWord[]> {
  const listed = await listWords(pdf, pages);
  if (!listed.ok) throw new Error(listed.limit);
  expect(listed.isCut).toBe(false);
  return listed.words;
}

const widthOf = (text: string): number =>
  [...text].reduce((sum, item) => sum + font.widthOf(item) * 0.012, 0);

test('words end at spaces, gaps and lines, and are where they are drawn', async () => {
  const gap = `BT /F0 12 Tf 50 170 Td [${font.encode('of')} -400 ${font.encode('it')}] TJ ET`;
  const content = [showAt(50, 200, font.encode('Signed by.')), showAt(50, 185, font.encode('us')), gap].join(
    '\n',
  );
  const words = await wordsOf(textPdf({ contents: [content], fonts: [font] }));
  expect(words.map(({ text }) => text)).toEqual(['Signed', 'by.', 'us', 'of', 'it']);
  expect(words[1]!.x).toBeCloseTo(50 + widthOf('Signed '), 1);
  expect(words[1]!.y).toBeCloseTo(300 - 200 - 9.6, 0);
  expect(words[2]!.y - words[0]!.y).toBeCloseTo(15, 0);
});

test('a word that is broken over lines is listed in parts, with its hyphen', async () => {
  const lines = ['the signa-', 'ture de\u00ad', 'fined'];
  const content = lines.map((line, index) => showAt(50, 200 - index * 15, font.encode(line))).join('\n');
  const words = await wordsOf(textPdf({ contents: [content], fonts: [font] }));
  expect(words.map(({ text }) => text)).toEqual(['the', 'signa-', 'ture', 'de-', 'fined']);
});

test('words of a page that is turned and cropped are where the page is displayed', async () => {
  const page = '/MediaBox[0 0 400 300]/CropBox[20 30 380 280]/Rotate 90/UserUnit 2';
  const words = await wordsOf(
    textPdf({ contents: [showAt(50, 200, font.encode('Annex'))], fonts: [font], page, tree: '' }),
  );
  expect(words).toMatchObject([{ page: 0, text: 'Annex' }]);
  expect(words[0]!.y).toBeCloseTo((50 - 20) * 2, 1);
  expect(words[0]!.height).toBeCloseTo(widthOf('Annex') * 2, 0);
  expect(words[0]!.x + words[0]!.width).toBeCloseTo((200 - 30 + 9.6) * 2, 0);
});

test('only pages that are asked for, and only words that are on them', async () => {
  const contents = ['one', 'two', 'three'].map(
    (text) => `${showAt(50, 200, font.encode(text))} ${showAt(50, 500, font.encode('beyond'))}`,
  );
  const pdf = textPdf({ contents, fonts: [font] });
  const words = await wordsOf(pdf, { from: 1, to: 3 });
  expect(words.map(({ page, text }) => [page, text])).toEqual([
    [1, 'two'],
    [2, 'three'],
  ]);
});

test('words that run from right to left come in their order, with their letters in it', async () => {
  const hebrew = fileFont('hebrew-regular');
  const line = 'חתימת הלקוח כאן';
  const words = await wordsOf(
    textPdf({ contents: [showAt(50, 200, hebrew.encode(inDrawnOrder(line)))], fonts: [hebrew] }),
  );
  expect(words.map(({ text }) => text)).toEqual(line.split(' '));
  expect(words[0]!.x).toBeGreaterThan(words[1]!.x);
  expect(words[2]!.x).toBeCloseTo(50, 0);
});
