// Tags are removed from 90 documents by LibreOffice, by Chromium and by code (200 in the full tier), and from nothing else. Poppler judges, which shares no code
// with PDFium: the rest of the text is equal, and so are the pictures outside of the boxes of the tags.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mayContainTags } from '../../../../src/pdf/content/tag-scan.ts';
import type { Box } from '../../../../src/pdf/geometry.ts';
import { removeBraced } from '../../../../src/pdf/write/removal/remove-braced.ts';
import { readTag } from '../../../../src/placement/tags/read-tag.ts';
import { launchChromium } from '../../../support/chromium.ts';
import { bracedIn } from '../../../support/documents/tag-pdf.ts';
import { drawTagged, taggedFodt, taggedHtml } from '../../../support/documents/tagged-documents.ts';
import { FULL } from '../../../support/tier.ts';
import { needsCommand, unmet } from '../../../support/tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'esign-tagged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COUNTS = FULL ? { office: 70, chromium: 70, code: 60 } : { office: 8, chromium: 8, code: 8 };
const MINUTES = 60_000;

const poppler = unmet(needsCommand('pdftotext'), needsCommand('pdftoppm'));
const office = unmet(poppler, needsCommand('soffice'));
const chromium = unmet(poppler, needsCommand('chromium'));

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const lettersOf = (path: string): string =>
  execFileSync('pdftotext', ['-raw', path, '-'], { encoding: 'utf8' }).replace(/[\s\u00ad]+/g, '');

type Gray = { width: number; height: number; pixels: Buffer };

/** One picture for each page, with a pixel for each point. */
function picturesOf(path: string): Gray[] {
  const bytes = execFileSync('pdftoppm', ['-r', '72', '-gray', path], { maxBuffer: 1 << 28 });
  const pictures: Gray[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [head = '', width, height] =
      /^P5\s(\d+)\s(\d+)\s255\s/.exec(bytes.toString('latin1', at, at + 40)) ?? [];
    const start = at + head.length;
    at = start + Number(width) * Number(height);
    pictures.push({ width: Number(width), height: Number(height), pixels: bytes.subarray(start, at) });
  }
  return pictures;
}

/** Letters reach beyond their boxes, and their edges are smoothed. */
function blank({ width, height, pixels }: Gray, box: Box): void {
  const by = 2 + box.height * 0.3;
  for (let y = Math.max(0, Math.floor(box.y - by)); y < Math.min(height, box.y + box.height + by); y += 1)
    pixels.fill(
      255,
      y * width + Math.max(0, Math.floor(box.x - by)),
      y * width + Math.min(width, Math.ceil(box.x + box.width + by)),
    );
}

/** Returns how many removed texts there were. */
async function judge(path: string): Promise<number> {
  const bytes = readFileSync(path);
  const texts = (await bracedIn(bytes)).filter(({ text }) => readTag(text).kind === 'tag');
  const removed = await removeBraced(bytes, texts);
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  const left = `${path}.out.pdf`;
  writeFileSync(left, removed.pdf);
  const [before, after] = [lettersOf(path), lettersOf(left)];
  expect(countsOf(after)).toEqual(countsOf(texts.reduce(withoutText, before)));
  const [wanted, result] = [picturesOf(path), picturesOf(left)];
  expect(result).toHaveLength(wanted.length);
  for (const [page, picture] of wanted.entries()) {
    for (const { boxes, page: on } of texts)
      for (const box of on === page ? boxes : [])
        for (const item of [picture, result[page]!]) blank(item, box);
    expect(result[page]!.pixels.equals(picture.pixels), `page ${page + 1}`).toBe(true);
  }
  return texts.length;
}

const withoutText = (letters: string, { text }: { text: string }): string =>
  letters.replace(text.replace(/\s+/g, ''), '');

/** Counts how often each letter is there: programs order pieces of a line by what is beside them. */
function countsOf(letters: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const letter of [...letters].sort()) counts[letter] = (counts[letter] ?? 0) + 1;
  return counts;
}

describe.skipIf(office.skip)(`documents by LibreOffice${office.why}`, () => {
  const paths = numbersTo(COUNTS.office).map((number) => join(folder, 'office', `${number}.fodt`));
  beforeAll(() => {
    mkdirSync(join(folder, 'office'));
    for (const [number, path] of paths.entries()) writeFileSync(path, taggedFodt(number));
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile'))}`;
    execFileSync(
      'soffice',
      [profile, '--headless', '--convert-to', 'pdf', '--outdir', join(folder, 'office'), ...paths],
      {
        stdio: 'ignore',
      },
    );
  }, 5 * MINUTES);

  test.each(numbersTo(COUNTS.office))('number %i', async (number) => {
    expect(await judge(join(folder, 'office', `${number}.pdf`))).toBeGreaterThan(0);
  });
});

describe.skipIf(chromium.skip)(`documents by Chromium${chromium.why}`, () => {
  beforeAll(async () => {
    mkdirSync(join(folder, 'chromium'));
    const browser = await launchChromium();
    const page = await browser.newPage();
    for (const number of numbersTo(COUNTS.chromium)) {
      await page.setContent(taggedHtml(number));
      const path = join(folder, 'chromium', `${number}.pdf`);
      await page.pdf({ path, preferCSSPageSize: true, tagged: number % 2 === 0, outline: number % 4 === 0 });
    }
    await browser.close();
  }, 5 * MINUTES);

  test.each(numbersTo(COUNTS.chromium))('number %i', async (number) => {
    expect(await judge(join(folder, 'chromium', `${number}.pdf`))).toBeGreaterThan(0);
  });
});

describe.skipIf(poppler.skip)(`documents by code${poppler.why}`, () => {
  test.each(numbersTo(COUNTS.code))('number %i', async (number) => {
    const document = await PDFDocument.create();
    const fonts = await Promise.all(
      [StandardFonts.Helvetica, StandardFonts.TimesRoman, StandardFonts.Courier].map((name) =>
        document.embedFont(name),
      ),
    );
    drawTagged(document, fonts, number);
    const path = join(folder, `code-${number}.pdf`);
    writeFileSync(path, await document.save({ useObjectStreams: number % 2 === 0 }));
    expect(mayContainTags(readFileSync(path))).toBe(true);
    expect(await judge(path)).toBeGreaterThan(0);
  });
});
