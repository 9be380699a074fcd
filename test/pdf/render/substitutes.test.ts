// Text whose font is not in the file is drawn all the same: in every script that our fonts have, and with what the system has.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { facesFor, fontBytesOf } from '../../../src/pdf/fonts/faces.ts';
import { useFontFolder } from '../../../src/pdf/fonts/system-fonts.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { pixelsOfPage } from '../../../src/pdf/render/render.ts';
import { isStandard } from '../../../src/pdf/render/unembedded-text.ts';
import { fontWith } from '../../support/documents/font.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { type Picture, shown } from '../../support/documents/pixels.ts';
import { needsSystemFont } from '../../support/documents/system-font.ts';
import {
  ADVANCE,
  byCollection,
  byGlyphName,
  byGlyphNumber,
  LINE_HEIGHT,
  type Line,
  linesPdf,
  MARGIN,
  standard,
} from '../../support/documents/unembedded-fonts.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

// A character that Unicode will never assign: no font has it but the one made here, as a letter A.
const NOBODYS = '\ufdd0';
const folder = mkdtempSync(join(tmpdir(), 'esign-fonts-'));
writeFileSync(join(folder, 'made.ttf'), fontWith(NOBODYS.codePointAt(0)!));
writeFileSync(join(folder, 'damaged.ttf'), fontBytesOf(facesFor({ family: 'sans' })[0]!).subarray(0, 2000));
writeFileSync(join(folder, 'empty.otf'), '');
useFontFolder(folder);
afterAll(() => {
  useFontFolder(undefined);
  rmSync(folder, { recursive: true, force: true });
});

// Drawn before PDFium is asked for anything else.
const plain = linesPdf([standard('Hello'), standard('Hello', 'Times-Bold'), standard('Hello', 'Courier')]);
const plainBefore = await shown(plain);

const SCRIPTS = {
  Cyrillic: 'ЖБЮщґЁ',
  Greek: 'ΩΣψλΞϊ',
  Hebrew: 'אבגשלם',
  Arabic: 'عقسحمة',
  Devanagari: 'अकगनमह',
  Vietnamese: 'ạệửỗẳỵ',
  'Latin of Central Europe': 'ĂČęłőŵ',
  signs: '☐☒✓→≤∑',
};

describe.each(Object.entries(SCRIPTS))('%s', (_, text) => {
  test.each(
    sampleOf<[string, Line]>(
      [
        ['TrueType Arial by names of glyphs', byGlyphName(text)],
        ['Type 1 Helvetica by names of glyphs', byGlyphName(text, { name: 'Helvetica', subtype: 'Type1' })],
        ['Times bold', byGlyphName(text, { name: 'TimesNewRoman,Bold' })],
        ['Courier', byGlyphName(text, { name: 'CourierNew' })],
        ['a font that nobody has', byGlyphName(text, { name: 'Frutiger-BoldItalic' })],
        ['numbers of glyphs, with a map to Unicode', byGlyphNumber(text)],
      ],
      6,
    ),
  )('%s: every letter is there, each another', async (_, line) => {
    expect(await distinctLetters(line, text.length)).toBe(text.length);
    expect(await remarks(line)).toEqual([]);
  });
});

test.skipIf(!SLOW)(
  'a page in the standard fonts looks as it did before any was drawn with ours',
  async () => {
    await shown(linesPdf([byGlyphName('Жук')]));
    expect(pixels(await shown(plain))).toEqual(pixels(plainBefore));
  },
);

function pixels({ width, height, at }: Picture): string[] {
  return Array.from({ length: width * height }, (_, index) =>
    at(index % width, Math.floor(index / width)).join(),
  );
}

// A page that has only these is drawn with PDFium's own fonts: each must be in all of them.
test.each(sampleOf(['Helvetica', 'Times-BoldItalic', 'Courier'], 3))(
  '%s of PDFium has every standard letter',
  async (name) => {
    const letters = Array.from({ length: 0xffff }, (_, codePoint) => codePoint)
      .filter(
        (codePoint) => isStandard(codePoint) && !/^[\p{Z}\u00ad]$/u.test(String.fromCodePoint(codePoint)),
      )
      .map((codePoint) => String.fromCodePoint(codePoint));
    const lines: string[] = [];
    for (let at = 0; at < letters.length; at += 20) lines.push(letters.slice(at, at + 20).join(''));
    const picture = await shown(linesPdf(lines.map((line) => byGlyphName(line, { name, subtype: 'Type1' }))));
    const missing = lines.flatMap((line, row) =>
      [...line].filter((_, index) => cell(picture, row, index).every((value) => value === 255)),
    );
    expect(missing).toEqual([]);
  },
);

describe('characters that our fonts lack', () => {
  test.each<[string, Line]>([
    ['by number', byGlyphNumber(`A${NOBODYS}Ж`)],
    ['by name', byGlyphName(`A${NOBODYS}Ж`)],
  ])('%s: a font of the folder is used', async (_, line) => {
    expect(await distinctLetters(line, 3)).toBe(3);
    expect(await remarks(line)).toEqual([]);
  });

  test('what no font has is a remark, with the page and the font', async () => {
    const lines = linesPdf([standard('Hello'), byGlyphNumber('a\ufdd1', { name: 'Odd-Font' })]);
    const inspected = await inspectPdf(lines, { maxPages: 1 });
    expect(inspected).toMatchObject({ remarks: [{ code: 'fonts_missing', page: 0, what: 'Odd-Font' }] });
  });

  test('so are numbers of glyphs that say of no character what it is, and fonts of signs', async () => {
    expect(await remarks(byGlyphNumber('abc', { isMapped: false }))).toEqual([
      { code: 'fonts_missing', page: 0, what: 'ArialMT' },
    ]);
    expect(await remarks(byGlyphName('a', { name: 'Wingdings' }))).toMatchObject([{ what: 'Wingdings' }]);
  });

  test('text that is only there to be searched is none', async () => {
    const { font, shows } = byGlyphNumber('\ufdd1');
    expect(await remarks({ font, shows: `3 Tr ${shows}` })).toEqual([]);
  });
});

describe('what an annotation shows', () => {
  test('is drawn with our fonts as well, chosen by its text', async () => {
    const { font, shows } = byGlyphName('ЖЖЖ');
    const shape = `BT /F 24 Tf 5 10 Td ${shows} Tj ET`;
    const pdf = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 50]/Annots[4 0 R]>>',
      '<</Type/Annot/Subtype/FreeText/Rect[0 0 100 50]/F 4/Contents<FEFF041604160416>/AP<</N 5 0 R>>>>',
      `<</Type/XObject/Subtype/Form/BBox[0 0 100 50]/Resources<</Font<</F 6 0 R>>>>/Length ${shape.length}>>\nstream\n${shape}\nendstream`,
      font(() => '7 0 R'),
      '<</Type/FontDescriptor/FontName/Arial/Flags 32/FontBBox[0 0 1 1]/ItalicAngle 0/Ascent 9/Descent 0/CapHeight 7/StemV 80>>',
    ]);
    const picture = await shown(pdf);
    const dark = Array.from({ length: 100 }, (_, x) => picture.at(x, 30)[0]!).filter((value) => value < 128);
    expect(dark.length).toBeGreaterThan(5);
  });
});

const EAST_ASIAN: [string, string, Line][] = [
  ['Chinese', '合同签字', byCollection('合同签字', 'SimSun', 'GB1', 'UniGB-UCS2-H')],
  ['Japanese', '契約書名', byCollection('契約書名', 'MS-Mincho', 'Japan1', 'UniJIS-UCS2-H')],
  ['Korean', '계약서명', byCollection('계약서명', 'Batang', 'Korea1', 'UniKS-UCS2-H')],
  ['Chinese by number', '合同签字', byGlyphNumber('合同签字')],
];

describe.each(sampleOf(EAST_ASIAN, 3))('%s', (script, text, line) => {
  const font = needsSystemFont(script, text);

  test.skipIf(font.skip)(`is drawn with a font of the system${font.why}`, async () => {
    expect(await distinctLetters(line, text.length, 24)).toBe(text.length);
    expect(await remarks(line)).toEqual([]);
  });
});

test('labels over a page that a font of the system draws are drawn as over any other page', async () => {
  const mark = { x: 10, y: 50, width: 200, height: 30, color: [0, 0, 160], isRequired: true } as const;
  const marks = [{ ...mark, title: 'Ada Lovelace', subtitle: 'Signature' }];
  const drawn = async (line: Line) => {
    const page = await pixelsOfPage(linesPdf([line]), 0, { dpi: 144, maxPixels: 1_000_000, marks });
    if (!page.ok) throw new Error(page.limit);
    const { rgbx, width } = page.pixels;
    return Buffer.from(rgbx).subarray(4 * width * 100, 4 * width * 160);
  };
  const overSystemFont = await drawn(byGlyphName(NOBODYS));
  expect(overSystemFont.equals(await drawn(standard(' ')))).toBe(true);
});

async function remarks(line: Line) {
  const inspected = await inspectPdf(linesPdf([line]), { maxPages: 1 });
  return inspected.ok ? inspected.remarks : inspected;
}

/** Counts how many different letters the line shows, all of which have ink. */
async function distinctLetters(line: Line, count: number, width = ADVANCE): Promise<number> {
  const picture = await shown(linesPdf([line]));
  const letters = Array.from({ length: count }, (_, index) => cell(picture, 0, index, width));
  for (const letter of letters) expect(letter.some((value) => value < 128)).toBe(true);
  return new Set(letters.map((letter) => letter.join())).size;
}

/** Cuts out the pixels of the letter `index` of a line. */
function cell(picture: Picture, row: number, index: number, width = ADVANCE): number[] {
  const start = Math.round(MARGIN + index * width);
  const values: number[] = [];
  for (let y = row * LINE_HEIGHT + 12; y < (row + 1) * LINE_HEIGHT + 10; y += 1)
    for (let x = start; x < start + Math.floor(width); x += 1) values.push(picture.at(x, y)[0]!);
  return values;
}
