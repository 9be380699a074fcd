// Values look the same in programs of other projects, pdftoppm and mutool, as in PDFium.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Picture, pngOfPage, readPixels } from '../support/documents/pixels.ts';
import { ADA, fieldFor, readDetail, SENDER, updateBodyOf } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { needsCommand } from '../support/tools.ts';

const DPI = 72;
/** Each program smooths letters in its own way: squares of so many pixels are compared by how dark they are. */
const SQUARE = 6;
const NEAR = 40;
const PAGES = 3;

const { skip, why } = ['pdftoppm', 'mutool'].map(needsCommand).find((need) => need.skip) ?? {
  skip: false,
  why: '',
};

let harness: Harness;
let folder: string;
beforeAll(async () => {
  harness = await openHarness('in process');
  folder = await temporaryFolder();
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Empty pages, upright and turned, so that everything on them is ours; with the certificate behind them. */
async function sealed(): Promise<Uint8Array> {
  const { client } = harness;
  const empty = await PDFDocument.create();
  empty.addPage([400, 300]);
  empty.addPage([300, 400]).setRotation(degrees(90));
  const content = new Blob([new Uint8Array(await empty.save())]);
  const { token } = await client['file.upload']({
    form: { name: 'empty.pdf' },
    file: { name: 'empty.pdf', content },
  });
  const { id } = await client['transaction.create']({ body: { name: 'Empty' } });
  const params = { transactionId: id };
  await client['transaction.add_document']({ params, body: { token } });
  const recipients = [
    { ...SENDER, role: 'sender' as const, index: 0 },
    { ...ADA, role: 'signer' as const, index: 1 },
  ];
  const before = await readDetail(harness, id);
  await client['transaction.update']({ params, body: updateBodyOf(before, { recipients }) });
  const draft = { id, detail: await readDetail(harness, id) };
  const fields = [0, 1].flatMap((page) => [
    fieldFor(draft, ADA.email, { page, type: 'text', label: `Text ${page}`, positionX: 40, positionY: 30 }),
    fieldFor(draft, ADA.email, { page, positionX: 40, positionY: 120, width: 200, height: 60 }),
    fieldFor(draft, ADA.email, {
      page,
      type: 'checkbox',
      positionX: 320,
      positionY: 40,
      width: 24,
      height: 24,
    }),
  ]);
  await client['transaction.fields']({ params, body: { fields } });
  await client['transaction.start']({ params });
  const values = { 'Text 0': 'Zürich, Αθήνα', 'Text 1': 'שלום عليكم' };
  await client['sandbox.sign']({ params, body: { values } });
  const [document] = (await readDetail(harness, id)).sealed_documents;
  return (await client['file.content']({ params: { fileId: document?.id ?? '' } })).bytes;
}

function pictureBy(program: 'pdftoppm' | 'mutool', file: string, page: number): Picture {
  const out = join(folder, `${program}-${page}`);
  const number = `${page + 1}`;
  if (program === 'pdftoppm')
    execFileSync('pdftoppm', ['-r', `${DPI}`, '-png', '-singlefile', '-f', number, '-l', number, file, out]);
  else execFileSync('mutool', ['draw', '-q', '-r', `${DPI}`, '-o', `${out}.png`, file, number]);
  return readPixels(new Uint8Array(readFileSync(`${out}.png`)));
}

/** Measures how bright each square is, from 0 to 255. */
function squares({ width, height, at }: Picture): number[] {
  const all: number[] = [];
  for (let y = 0; y + SQUARE <= height; y += SQUARE)
    for (let x = 0; x + SQUARE <= width; x += SQUARE) {
      let sum = 0;
      for (let dy = 0; dy < SQUARE; dy += 1)
        for (let dx = 0; dx < SQUARE; dx += 1) {
          const [red = 0, green = 0, blue = 0] = at(x + dx, y + dy);
          sum += (red + green + blue) / 3;
        }
      all.push(sum / SQUARE ** 2);
    }
  return all;
}

describe.skipIf(skip)(`a sealed document${why}`, () => {
  test('looks the same in every program', async () => {
    const pdf = await sealed();
    const file = join(folder, 'sealed.pdf');
    writeFileSync(file, pdf);
    for (let page = 0; page < PAGES; page += 1) {
      const ours = squares(readPixels(await pngOfPage(pdf, page, { dpi: DPI, maxPixels: 4_000_000 })));
      expect(Math.min(...ours), `page ${page} has ink`).toBeLessThan(200);
      for (const program of ['pdftoppm', 'mutool'] as const) {
        const theirs = squares(pictureBy(program, file, page));
        expect(theirs.length, `${program}, page ${page}`).toBe(ours.length);
        const farthest = Math.max(...ours.map((bright, index) => Math.abs(bright - (theirs[index] ?? 0))));
        expect(farthest, `${program}, page ${page}`).toBeLessThan(NEAR);
      }
    }
  });
});
