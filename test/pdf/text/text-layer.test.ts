// The text of a page has the positions of its ink, is in reading order, and is never more than the limits allow.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Box,
  displayedPage,
  type PageGeometry,
  pixelsOfBox,
  uprightIn,
} from '../../../src/pdf/geometry.ts';
import { DOCUMENT_LIMITS } from '../../../src/pdf/limits.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { type PageText, readText, type TextRun } from '../../../src/pdf/text/text-layer.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { type Picture, shown } from '../../support/documents/pixels.ts';
import { boundsOf, type IsWanted, turnedPages } from '../../support/documents/turned-pages.ts';
import { byGlyphName, linesPdf, standard } from '../../support/documents/unembedded-fonts.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus } from '../../support/tools.ts';

/** At the smallest unit of the pages letters would be three pixels high. */
const dpiFor = ({ unit }: PageGeometry) => (unit < 1 ? 600 : 150);
const TEXT = 'Hamburgefonts';

const isInk: IsWanted = (red, green, blue) => red + green + blue < 384;

async function textOf(pdf: Uint8Array): Promise<PageText> {
  const read = await readText(pdf, 0);
  if (!read.ok) throw new Error(`too complex: ${read.limit}`);
  return { runs: read.runs, isCut: read.isCut };
}

/** Text of a size that fits on a page of any unit, upright for who reads it. */
const upright = (geometry: PageGeometry): string => {
  const { width, height } = displayedPage(geometry);
  const matrix = uprightIn(geometry, { x: width * 0.12, y: height * 0.4, width: 0, height: 0 });
  return `BT /F ${width / 12} Tf ${matrix.map((item) => item.toFixed(5)).join(' ')} Tm (${TEXT}) Tj ET`;
};

describe('every turn, cut and unit of a page', () => {
  test.each(
    sampleOf(
      turnedPages(upright).map((page) => [page.name, page] as const),
      6,
    ),
  )('finds the text where its ink is: %s', async (_, { pdf, geometry }) => {
    const { runs, isCut } = await textOf(pdf);
    expect(runs).toMatchObject([{ text: TEXT }]);
    expect(runs[0]).not.toHaveProperty('angle');
    expect(isCut).toBe(false);
    const picture = await shown(pdf, 0, dpiFor(geometry));
    expectAround(runs[0]!, picture, displayedPage(geometry));
  });
});

/** The ink fills the length of the run, and most of its height: letters above and below the line are in it. */
function expectAround(run: Box, picture: Picture, page: { width: number; height: number }): void {
  const ink = boundsOf(picture, isInk)!;
  const box = pixelsOfBox(run, page, picture);
  expect(ink.x).toBeGreaterThanOrEqual(box.x - 1);
  expect(ink.y).toBeGreaterThanOrEqual(box.y - 1);
  expect(ink.x + ink.width).toBeLessThanOrEqual(box.x + box.width + 1);
  expect(ink.y + ink.height).toBeLessThanOrEqual(box.y + box.height + 1);
  expect(ink.width).toBeGreaterThan(box.width * 0.93);
  expect(ink.height).toBeGreaterThan(box.height * 0.65);
}

const FONT = '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';

const pageOf = (content: string, entries = '/MediaBox[0 0 400 300]', font = FONT): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${entries}${font}/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);

/** @param degrees counterclockwise, as in PDF */
const turnedText = (degrees: number, size = 20): string => {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const matrix = [cos, sin, -sin, cos, 200, 150].map((item) => item.toFixed(5)).join(' ');
  return `BT /F ${size} Tf ${matrix} Tm (${TEXT}) Tj ET`;
};

/** Computes the corners of a run where it is on the page. */
function cornersOf({ x, y, width, height, angle = 0 }: TextRun) {
  const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const at = (along: number, across: number) => ({
    x: x + along * cos - across * sin,
    y: y + along * sin + across * cos,
  });
  return [at(0, 0), at(width, 0), at(width, height), at(0, height)];
}

test.each(sampleOf([15, 30, 45, 60, 90, 135, 180, 225, 270, 300, 345], 4))(
  'text turned by %i degrees',
  async (degrees) => {
    const pdf = pageOf(turnedText(degrees));
    const { runs } = await textOf(pdf);
    expect(runs).toMatchObject([{ text: TEXT, angle: 360 - degrees }]);
    const upright = (await textOf(pageOf(turnedText(0)))).runs[0]!;
    expect(runs[0]!.width).toBeCloseTo(upright.width, 0);
    expect(runs[0]!.height).toBeCloseTo(upright.height, 0);
    const ink = boundsOf(await shown(pdf), isInk)!;
    const corners = cornersOf(runs[0]!);
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    expect(ink.x).toBeGreaterThanOrEqual(Math.min(...xs) - 1);
    expect(ink.y).toBeGreaterThanOrEqual(Math.min(...ys) - 1);
    expect(ink.x + ink.width).toBeLessThanOrEqual(Math.max(...xs) + 1);
    expect(ink.y + ink.height).toBeLessThanOrEqual(Math.max(...ys) + 1);
  },
);

const at = (x: number, y: number, text: string, size = 10) => `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`;

describe('reading order', () => {
  test('columns of a line are pieces of their own, and a space says that the line continues', async () => {
    const { runs } = await textOf(
      pageOf(`${at(50, 200, 'Name')} ${at(250, 200, 'Ada Lovelace')} ${at(50, 180, 'next line')}`),
    );
    expect(runs.map(({ text }) => text)).toEqual(['Name ', 'Ada Lovelace', 'next line']);
    expect(runs[1]?.x).toBeCloseTo(250, 0);
  });

  test('words set one by one are one piece', async () => {
    const { runs } = await textOf(
      pageOf(`${at(50, 200, 'We')} ${at(68, 200, 'the')} ${at(86, 200, 'people')}`),
    );
    expect(runs.map(({ text }) => text)).toEqual(['We the people']);
  });

  test('a page without text has none', async () => {
    expect(await textOf(pageOf('1 0 0 rg 0 0 10 10 re f'))).toEqual({ runs: [], isCut: false });
    expect(await textOf(pageOf(at(50, 200, '   ')))).toEqual({ runs: [], isCut: false });
  });
});

describe('what is not told', () => {
  test('text beyond the edge, which the page does not show', async () => {
    const content = `${at(50, 200, 'shown')} ${at(50, 20, 'cut away')} ${at(-300, 200, 'left of it')}`;
    const { runs } = await textOf(pageOf(content, '/MediaBox[0 0 400 300]/CropBox[0 100 400 300]'));
    expect(runs.map(({ text }) => text)).toEqual(['shown']);
  });

  test('characters that reorder what is read, or that are invisible', async () => {
    const { runs } = await textOf(mapped(['202e', '0007', 'd800', '2067', '0000'], 'xAyBzCxDyEz'));
    const text = runs.map((run) => run.text).join('');
    expect(text).toMatch(/^x.?y.?z.?x.?y.?z$/u);
    expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u);
  });

  test.skipIf(!SLOW)('more characters than the limit, and that there are more is said', async () => {
    const line = 'abcdefghij'.repeat(10);
    const lines = Array.from({ length: (DOCUMENT_LIMITS.textCharacters / 100) * 1.5 }, (_, index) =>
      at(5 + 60 * (index % 4), 295 - Math.floor(index / 4) * 2, line, 1),
    );
    const { runs, isCut } = await textOf(pageOf(lines.join('\n')));
    expect(isCut).toBe(true);
    expect(runs.map(({ text }) => text).join('').length).toBeLessThanOrEqual(DOCUMENT_LIMITS.textCharacters);
  });

  test('includes more pieces than the limit', async () => {
    const words = Array.from({ length: DOCUMENT_LIMITS.textRuns + 50 }, (_, index) =>
      at((index % 40) * 10, 295 - Math.floor(index / 40) * 2, 'a', 1),
    );
    const { runs, isCut } = await textOf(pageOf(words.join('\n')));
    expect(isCut).toBe(true);
    expect(runs).toHaveLength(DOCUMENT_LIMITS.textRuns);
  });
});

/** Text whose letters A, B, C… stand for these characters, in hexadecimal UTF-16. */
function mapped(characters: string[], text: string): Buffer {
  const rows = characters.map((code, index) => `<${(0x41 + index).toString(16)}> <${code}>`).join(' ');
  const map = `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange
${characters.length} beginbfchar ${rows} endbfchar endcmap end`;
  const font = '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>>>>>';
  const content = at(50, 200, text);
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]${font}/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Length ${map.length}>>\nstream\n${map}\nendstream`,
  ]);
}

test('what the letters stand for, emoji included', async () => {
  const { runs } = await textOf(mapped(['03a9', 'd83dde00', '6f22'], 'xABCy'));
  expect(runs.map(({ text }) => text)).toEqual(['xΩ😀漢y']);
});

test('a page that does not exist is a mistake of the caller', async () => {
  await expect(readText(pageOf(''), 3)).rejects.toThrow('no page 3');
});

const corpus = needsCorpus();
const poppler = needsCommand('pdftotext');
const folder = join(CORPUS, 'py-pdf-sample-files');
const files = SLOW && existsSync(folder) ? pdfsIn(folder) : [];

/** Poppler is of another opinion here. */
const ELSEWISE: Record<string, string> = {
  'habibi.pdf': 'it puts marks of direction between the words',
  'habibi-rotated.pdf': 'the same',
  'habibi-oneline-cmap.pdf': 'the same',
};

const poorer = corpus.skip ? corpus : poppler;
describe.skipIf(!SLOW || poorer.skip)(`real files say what poppler says${poorer.why}`, () => {
  test.each(files.filter((path) => !(basename(path) in ELSEWISE)))('%s', async (path) => {
    const bytes = readFileSync(path);
    const inspected = await inspectPdf(bytes, { maxPages: 1000 });
    if (!inspected.ok) return;
    for (const [index] of inspected.pages.slice(0, 5).entries()) {
      const read = await readText(inspected.repaired ?? bytes, index);
      const ours = read.ok ? wordsOf(read.runs.map(({ text }) => text).join('\n')) : [];
      const theirs = wordsOf(popplerText(path, index));
      const result = theirs.filter((word) => ours.includes(word)).length;
      expect(result).toBeGreaterThanOrEqual(Math.floor(theirs.length * 0.9));
    }
  });
});

function pdfsIn(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.pdf')).map((name) => join(path, name));
}

const wordsOf = (text: string): string[] => text.normalize('NFKC').split(/\s+/).filter(Boolean);

const popplerText = (path: string, index: number): string =>
  execFileSync('pdftotext', ['-f', `${index + 1}`, '-l', `${index + 1}`, path, '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

test('text over a line from right to left stays in one piece where the order of drawing is asked for', async () => {
  const read = await readText(linesPdf([byGlyphName('אבגדהוזחט'), standard('Zurich')]), 0);
  expect(read).toMatchObject({ ok: true, drawn: expect.stringContaining('Zurich') });
  const over = linesPdf([byGlyphName('אבגדהוזחט'), standard('Zurich')]).toString('latin1');
  const [first, second] = [...over.matchAll(/BT \/F\d 24 Tf 20 (\d+) Td/g)].map(([, y]) => y!);
  const onOneLine = Buffer.from(over.replace(`20 ${second} Td`, `24 ${first} Td`), 'latin1');
  const mixed = await readText(onOneLine, 0);
  expect(mixed).toMatchObject({ ok: true, drawn: expect.stringContaining('Zurich') });
  expect(mixed.ok && mixed.runs.map(({ text }) => text).join('')).not.toContain('Zurich');
});
