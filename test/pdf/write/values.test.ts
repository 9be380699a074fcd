// What is drawn can be read: by people, by programs that look for text, in every script. What cannot be drawn is refused.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { facesFor } from '../../../src/pdf/fonts/faces.ts';
import { STAMP_LIMITS } from '../../../src/pdf/limits.ts';
import { readText } from '../../../src/pdf/text/text-layer.ts';
import { missingFor } from '../../../src/pdf/write/missing.ts';
import type { StampField } from '../../../src/pdf/write/plan.ts';
import { stampPdf } from '../../../src/pdf/write/stamp-pdf.ts';
import { contentPdf, pagesPdf } from '../../support/documents/pdf.ts';
import { shown } from '../../support/documents/pixels.ts';
import { expectSound, stampedPdf, stampField, textOf } from '../../support/documents/stamped-pdf.ts';
import { boundsOf } from '../../support/documents/turned-pages.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

const PAPER = pagesPdf(['/MediaBox[0 0 300 300]', '/MediaBox[0 0 300 300]']);
const poppler = needsCommand('pdftotext');
const qpdf = needsCommand('qpdf');
const isDark = (r: number, g: number, b: number) => r + g + b < 384;

const SCRIPTS: Record<string, string> = {
  Latin: 'Zürich Łódź Đặng Ægir ŒUVRE ﬁn',
  Greek: 'Ελλάδα Ἀθῆναι',
  Cyrillic: 'Привет Їжак',
  Arabic: 'علي بن محمد',
  Hebrew: 'שלום עולם',
  Devanagari: 'नमस्ते दुनिया',
  'two directions': 'Ada علي 2026',
  signs: '€ £ ½ ± ∑ →',
};

test('a signature with marks that its face has no place for is drawn', async () => {
  const value = 'a\u0301e\u0308o\u0302 Z\u030car\u0323';
  for (const face of ['handwriting', 'script'] as const) {
    const { pdf } = await stampedPdf(PAPER, [stampField({ type: 'signature', face, value, height: 40 })]);
    const read = await readText(pdf, 0);
    expect(read.ok && read.drawn.normalize('NFC').replace(/\s/g, '')).toBe(
      value.normalize('NFC').replace(/\s/g, ''),
    );
  }
});

describe('text', () => {
  test.skipIf(poppler.skip)(`of every script is found${poppler.why}`, async () => {
    const fields = Object.values(SCRIPTS).map((value, index) => stampField({ value, y: 10 + index * 30 }));
    const { pdf } = await stampedPdf(PAPER, fields);
    const matches = (await textOf(pdf))
      .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .normalize('NFKC');
    for (const value of Object.values(SCRIPTS))
      for (const word of value.normalize('NFKC').split(' ')) expect(matches).toContain(word);
  });

  const STYLES: Partial<StampField>[] = [
    { is_bold: true },
    { is_italic: true },
    { is_bold: true, is_italic: true },
    { font_family: 'Times New Roman' },
    { font_family: 'Courier New', is_bold: true },
    { is_underline: true },
  ];
  test.each(sampleOf(STYLES, 3))('%j looks different', async (style) => {
    const values = [{}, style].map((item) => stampField({ value: 'Handgloves', ...item }));
    const [plain, other] = await Promise.all(
      values.map(async (item) => (await shown((await stampedPdf(PAPER, [item])).pdf)).rgba),
    );
    expect(Buffer.compare(plain!, other!)).not.toBe(0);
  });

  test('has the size and the color that were asked for', async () => {
    const { pdf } = await stampedPdf(PAPER, [
      stampField({ value: 'H', font_size: 40, font_color: '#ff0000', height: 60, y: 100 }),
    ]);
    const letter = boundsOf(await shown(pdf, 0, 144), (r, g, b) => r > 200 && g < 90 && b < 90);
    // A capital letter of Noto Sans has 0.714 of the size.
    expect(letter?.height).toBeGreaterThan(40 * 0.714 * 2 - 3);
    expect(letter?.height).toBeLessThan(40 * 0.714 * 2 + 3);
  });

  const LONG = 'A long text that has to stand on several lines because it does not fit on one. '
    .repeat(4)
    .trim();
  test.each(
    sampleOf(
      [
        ['wrapped', stampField({ value: LONG, height: 200 }), []],
        ['wrapped and smaller', stampField({ value: LONG, height: 30 }), []],
        [
          'so small that it is told',
          stampField({ value: LONG, height: 8 }),
          [{ code: 'value_small', page: 0, label: 'Field' }],
        ],
        ['one word without a break', stampField({ value: 'W'.repeat(300), height: 100 }), []],
        ['lines of its own', stampField({ value: 'one\ntwo\r\nthree', height: 50 }), []],
        [
          'a box with no room',
          stampField({ value: 'text', width: 2, height: 1 }),
          [{ code: 'value_small', page: 0, label: 'Field' }],
        ],
        [
          'without spaces',
          stampField({ value: '契約書に署名してください。'.repeat(8), height: 80 }),
          undefined,
        ],
      ],
      4,
    ),
  )('never leaves its box: %s', async (_, item, remarks) => {
    // Those of the system are looked for in hundreds of files.
    if (/\p{Script=Han}/u.test(item.value) && (!SLOW || missingFor(item.value, item).length > 0)) return;
    const result = await stampedPdf(PAPER, [item]);
    if (remarks) expect(result.remarks).toEqual(remarks);
    const bounds = boundsOf(await shown(result.pdf, 0, 144), isDark);
    if (!bounds) return;
    const slack = 2;
    expect(bounds.x).toBeGreaterThanOrEqual(item.x * 2 - slack);
    expect(bounds.y).toBeGreaterThanOrEqual(item.y * 2 - slack);
    expect(bounds.x + bounds.width).toBeLessThanOrEqual((item.x + item.width) * 2 + slack);
    expect(bounds.y + bounds.height).toBeLessThanOrEqual((item.y + item.height) * 2 + slack);
  });

  test.skipIf(poppler.skip)(`all of it is there when it is wrapped${poppler.why}`, async () => {
    const { pdf } = await stampedPdf(PAPER, [stampField({ value: LONG, height: 40 })]);
    expect((await textOf(pdf)).replace(/\s+/g, ' ').trim()).toBe(LONG);
  });
});

describe('hands and marks', () => {
  const box = { width: 200, height: 50, y: 100 };
  test.each(
    sampleOf(
      [
        ['a signature', stampField({ ...box, type: 'signature', value: 'Ada Lovelace', face: 'script' })],
        ['initials', stampField({ ...box, type: 'initials', value: 'AL' })],
        ['a tick', stampField({ ...box, type: 'checkbox', value: 'true' })],
        ['a choice', stampField({ ...box, type: 'radio', value: 'Yes' })],
      ],
      2,
    ),
  )('%s is drawn inside of its box', async (_, item) => {
    const { pdf } = await stampedPdf(PAPER, [item]);
    const bounds = boundsOf(await shown(pdf, 0, 144), isDark);
    expect(bounds?.x).toBeGreaterThanOrEqual(item.x * 2);
    expect(bounds?.y).toBeGreaterThanOrEqual(item.y * 2 - 8);
    expect(bounds!.y + bounds!.height).toBeLessThanOrEqual((item.y + item.height) * 2 + 8);
  });

  test('nothing is drawn for what is empty, and for a box that is not ticked', async () => {
    const { pdf } = await stampedPdf(PAPER, [
      stampField({ value: '' }),
      stampField({ type: 'checkbox', value: 'false' }),
      stampField({ type: 'signature', value: '' }),
    ]);
    expect(boundsOf(await shown(pdf), (r, g, b) => r + g + b < 765)).toBeUndefined();
  });

  test('a typed signature in another hand looks different', async () => {
    const appearance = async (face: 'handwriting' | 'script') =>
      (
        await shown(
          (
            await stampedPdf(PAPER, [stampField({ ...box, type: 'signature', value: 'Ada', face })])
          ).pdf,
        )
      ).rgba;
    expect(Buffer.compare(await appearance('handwriting'), await appearance('script'))).not.toBe(0);
  });
});

describe('refused', () => {
  // A character that is in no font: the last of the private use.
  const UNMAPPED = '\u{10FFFD}';
  test('a character that no font has, before anything is drawn', async () => {
    const value = `Ada ${UNMAPPED}`;
    expect(missingFor(value, stampField())).toEqual([UNMAPPED]);
    expect(await stampPdf(PAPER, { fields: [stampField({ value, label: 'Name' })] })).toEqual({
      ok: false,
      reason: 'not_sealable',
      why: 'characters',
      label: 'Name',
      characters: 'U+10FFFD',
    });
  });

  test.each([
    [
      'ink that is no picture',
      stampField({ type: 'signature', value: 'data:image/png;base64,AAAA' }),
      'picture',
    ],
    ['ink of another type', stampField({ type: 'initials', value: 'data:image/svg+xml,<svg/>' }), 'picture'],
    ['a page that is not there', stampField({ value: 'x', page: 2 }), 'page'],
  ])('%s is refused', async (_, item, why) => {
    expect(await stampPdf(PAPER, { fields: [item] })).toMatchObject({
      ok: false,
      reason: 'not_sealable',
      why,
    });
  });

  test('text that looks like ink is text, where no ink is asked for', async () => {
    await expect(
      stampedPdf(PAPER, [stampField({ value: 'data:image/png;base64,AAAA' })]),
    ).resolves.toMatchObject({
      ok: true,
    });
  });
});

/** Reads the text as PDFium does, in the order of the letters. */
async function inspectedText(pdf: Uint8Array): Promise<string> {
  const read = await readText(pdf, 0);
  if (!read.ok) throw new Error(read.limit);
  return read.runs.map(({ text }) => text).join(' ');
}

const letters = (text: string): string => [...text.replace(/\s/g, '')].sort().join('');

describe('the file', () => {
  const fields = Object.values(SCRIPTS).map((value, index) =>
    stampField({ value, y: 50 + index * 30, page: index % 2 }),
  );

  test.skipIf(!SLOW)('is the same for the same values, and another one for others', async () => {
    const [first, two, three] = [
      await stampedPdf(PAPER, fields),
      await stampedPdf(PAPER, fields),
      await stampedPdf(PAPER, fields.slice(1)),
    ];
    expect(Buffer.compare(first.pdf, two.pdf)).toBe(0);
    expect(Buffer.compare(first.pdf, three.pdf)).not.toBe(0);
  });

  test.each([
    ['letters that are parts of others', 'Auto fluid', 'Äütő flüìd Ἀ'],
    ['joined letters', 'علي', 'سلام علي محمد'],
    ['a sign that shares its glyph', 'a b', 'a\u00a0b'],
  ])('does not depend on what was drawn before: %s', async (_, value, before) => {
    await stampedPdf(PAPER, [stampField({ value: before })]);
    const { pdf } = await stampedPdf(PAPER, [stampField({ value })]);
    expect(letters(await inspectedText(pdf))).toBe(letters(value));
  });

  test.skipIf(qpdf.skip)(`is sound${qpdf.why}`, async () => {
    await expectSound((await stampedPdf(PAPER, fields)).pdf);
  });

  test('has of each font only what is used', async () => {
    const { pdf } = await stampedPdf(PAPER, [stampField({ value: 'Ada' })]);
    const [face] = facesFor({ family: 'sans' });
    expect(pdf.length).toBeLessThan(readFileSync(face!.path).length / 10);
  });
});

describe('content that leaves something open', () => {
  const value = stampField({ type: 'checkbox', value: 'true', x: 10, y: 10, width: 80, height: 80 });
  const expected = contentPdf('');

  test.each(
    sampleOf(
      [
        ['states that are not put back', 'q 5 0 0 5 300 300 cm q'],
        ['states that were never saved', '2 0 0 2 50 50 cm Q Q'],
        ['what comes behind such a state', 'Q 2 0 0 2 50 50 cm'],
        ['text without an end', 'BT 3 Tr'],
        ['hidden content without an end', '/OC /Gone BDC'],
        ['a string without an end', '(never closed'],
        ['a string in a string without an end', '((never closed)'],
        ['hexadecimal digits without an end', '<4142'],
        ['an array without an end', '[ 1 2 3'],
        ['a dictionary without an end', '/Span << /A 1'],
        ['a comment at the end', '% a comment'],
        ['a clip', '0 0 1 1 re W n'],
        ['a transparent pen', '1 1 1 rg 1 1 1 RG'],
        ['a picture without an end', '1 0 0 1 300 300 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x'],
      ],
      3,
    ),
  )('does not affect what is drawn after it: %s', async (_, content) => {
    const [first, other] = [
      await stampedPdf(expected, [value]),
      await stampedPdf(contentPdf(content), [value]),
    ];
    const [a, b] = [await shown(first.pdf), await shown(other.pdf)];
    expect(Buffer.compare(a.rgba, b.rgba)).toBe(0);
    expect(boundsOf(b, isDark)).toBeDefined();
  });
});

test('the floor is above the least size', () => {
  expect(STAMP_LIMITS.sizeFloor).toBeGreaterThan(STAMP_LIMITS.sizeLeast);
});
