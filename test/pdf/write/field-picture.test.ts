// What a signing page shows of a value is what is sealed: the shapes for the page, drawn as plain paths, have the same picture as the
// value in the stamped document, for every type, script, width and turned page.
import { expect, test } from 'vitest';
import { fieldPictures, type PictureShape } from '../../../src/pdf/write/field-picture.ts';
import type { StampField } from '../../../src/pdf/write/plan.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { darknessOf, inkDifference, type Picture, shown } from '../../support/documents/pixels.ts';
import { stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';
import { rounds, roundsOf, SEED } from '../../support/random.ts';
import { sampleOf } from '../../support/tier.ts';

const SIZE = { width: 300, height: 130 };
const DPI = 288;

const paper = (rotate: number): Uint8Array => {
  const sides = rotate % 180 === 0 ? [SIZE.width, SIZE.height] : [SIZE.height, SIZE.width];
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${sides.join(' ')}]/Rotate ${rotate}/Resources<<>>>>`,
  ]);
};

// ── the shapes as a page of paths ───────────────────────────────────────────────────────────────────────────────────

const rgb = (color: string): string =>
  [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255).join(' ');

/** The page counts from the top left corner; a PDF page that is turned upside down first does so as well. */
function pathsPdf(shapes: readonly PictureShape[]): Uint8Array {
  const content = [`1 0 0 -1 0 ${SIZE.height} cm`, ...shapes.map(operatorsOf)].join('\n');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${SIZE.width} ${SIZE.height}]/Resources<<>>/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);
}

function operatorsOf(shape: PictureShape): string {
  switch (shape.kind) {
    case 'outline':
      return `q ${rgb(shape.color)} rg ${shape.matrix.join(' ')} cm ${pathOperators(shape.path)} f Q`;
    case 'box': {
      const { x, y, width, height } = shape.box;
      return `${rgb(shape.color)} rg ${x} ${y} ${width} ${height} re f`;
    }
    case 'stroke': {
      const points = shape.points.map(({ x, y }, index) => `${x} ${y} ${index === 0 ? 'm' : 'l'}`);
      return `q ${rgb(shape.pen.color)} RG ${shape.pen.width} w 1 J 1 j ${points.join(' ')} S Q`;
    }
    case 'ring':
      return `q ${rgb(shape.pen.color)} RG ${shape.pen.width} w ${circle(shape.circle)} S Q`;
    case 'disc':
      return `${rgb(shape.color)} rg ${circle(shape.circle)} f`;
    case 'ink':
      throw new Error('Ink has a test of its own.');
  }
}

function circle({ x, y, radius: r }: { x: number; y: number; radius: number }): string {
  const k = r * 0.5523;
  return [
    `${x + r} ${y} m ${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r} c`,
    `${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y} c`,
    `${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r} c`,
    `${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y} c`,
  ].join(' ');
}

/** Reads a path as SVG writes it: a capital letter is followed by the point itself, others by distances from the point before. */
function pathOperators(path: string): string {
  let [x, y] = [0, 0];
  let start = [0, 0];
  return [...path.matchAll(/([Mmlqcz])([^Mmlqcz]*)/g)]
    .map(([, letter, text = '']) => {
      const numbers =
        text.trim() === ''
          ? []
          : text
              .trim()
              .split(/[\s,]+/)
              .map(Number);
      const points = numbers.map((value, index) => value + (letter === 'M' ? 0 : index % 2 === 0 ? x : y));
      const [a = 0, b = 0, c = 0, d = 0] = points;
      const from = { x, y };
      [x = 0, y = 0] = letter === 'z' ? start : points.slice(-2);
      if (letter === 'M' || letter === 'm') start = [x, y];
      if (letter === 'M' || letter === 'm') return `${a} ${b} m`;
      if (letter === 'l') return `${a} ${b} l`;
      if (letter === 'c') return `${points.join(' ')} c`;
      if (letter === 'z') return 'h';
      const third = (end: number, control: number) => end + (2 / 3) * (control - end);
      return `${third(from.x, a)} ${third(from.y, b)} ${third(c, a)} ${third(d, b)} ${c} ${d} c`;
    })
    .join(' ');
}

// ── comparing ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** PDFium places glyphs of small text on whole pixels and draws them a little darker than paths; the same text a point away is far above. */
const TOLERANCE = 0.25;

/** PDFium draws text that cannot be read in a faint gray. */
const INK = 150;
const FAINT_INK = 20;

/** Computes the box of the ink, in points. */
function inkBounds(picture: Picture, faintest: number): number[] {
  let [left, top, right, bottom] = [picture.width, picture.height, 0, 0];
  for (let pixel = 0; pixel < picture.width * picture.height; pixel += 1) {
    if (darknessOf(picture, pixel) < faintest) continue;
    const [x, y] = [pixel % picture.width, Math.floor(pixel / picture.width)];
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x),
      Math.max(bottom, y),
    ];
  }
  return [left, top, right, bottom].map((pixels) => (pixels * 72) / DPI);
}

async function expectSame(field: StampField, rotate: number): Promise<void> {
  const { shapes, isSmall } = fieldPictures()(field);
  const page = await shown(pathsPdf(shapes), 0, DPI);
  const sealed = await shown((await stampedPdf(paper(rotate), [field])).pdf, 0, DPI);
  const name = `${JSON.stringify(field)} on a page turned by ${rotate}`;
  const faintest = isSmall ? FAINT_INK : INK;
  const bounds = inkBounds(sealed, faintest);
  for (const [side, at] of inkBounds(page, faintest).entries())
    expect(Math.abs(at - bounds[side]!), `${name}, side ${side}`).toBeLessThan(isSmall ? 1 : 0.6);
  // What cannot be read is a line of gray.
  if (!isSmall) expect(inkDifference(page, sealed), name).toBeLessThan(TOLERANCE);
}

const SCRIPTS: Record<string, string> = {
  Latin: 'Jürgen Brückner-Öttinger',
  Greek: 'Ελλάδα Ἀθῆναι',
  Arabic: 'علي بن محمد الخوارزمي',
  Hebrew: 'שלום עולם 12-345',
  Devanagari: 'नमस्ते दुनिया क्षत्रिय',
  combining: 'a\u0301e\u0308o\u0302 Z\u030car\u0323',
  'two directions': 'Ada علي 2026 (א)',
  'a long name': 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch',
  paragraphs: 'First line\nand a second one, which is longer than the first',
  signs: '€ 1.250,00 ± ½ → ✓',
};
const TYPES: Partial<StampField>[] = [
  { type: 'text' },
  { type: 'text', is_underline: true, is_bold: true, font_color: '#a01040' },
  { type: 'person_name', font_family: 'Times New Roman', is_italic: true },
  { type: 'select', font_family: 'Courier' },
  { type: 'radio' },
  { type: 'signature', face: 'handwriting' },
  { type: 'initials', face: 'script' },
];
const BOXES = [
  { width: 200, height: 20 },
  { width: 60, height: 14 },
  { width: 30, height: 60 },
  { width: 12, height: 10 },
];
const ROTATIONS = [0, 90, 180, 270];

const CASES = Object.keys(SCRIPTS).flatMap((script) =>
  TYPES.flatMap((appearance) =>
    BOXES.flatMap((box) => ROTATIONS.map((rotate) => [script, appearance, box, rotate] as const)),
  ),
);

test.each(
  sampleOf(
    CASES.map((row) => [...row] as [string, Partial<StampField>, (typeof BOXES)[number], number]),
    73,
  ),
)('%s in %j, %j, turned by %i', async (script, appearance, box, rotate) => {
  await expectSame(
    stampField({ x: 50.25, y: 40.5, value: SCRIPTS[script] ?? '', ...appearance, ...box }),
    rotate,
  );
});

test.each([
  ['checkbox', 'true'],
  ['date', '29 November 2026'],
  ['number', '-1500.5'],
  ['email', 'ada.lovelace@example.com'],
] as const)('a %s', async (type, value) => {
  for (const box of BOXES) await expectSame(stampField({ x: 50, y: 40, type, value, ...box }), 0);
});

test('nothing is drawn of a box that is not checked, and a value elsewhere is told from the sealed one', async () => {
  expect(fieldPictures()(stampField({ type: 'checkbox', value: 'false' })).shapes).toEqual([]);
  const field = stampField({ value: 'Ada Lovelace' });
  const { shapes } = fieldPictures()({ ...field, x: field.x + 1 });
  const sealed = await shown((await stampedPdf(paper(0), [field])).pdf, 0, DPI);
  expect(inkDifference(await shown(pathsPdf(shapes), 0, DPI), sealed)).toBeGreaterThan(TOLERANCE);
});

test('a page for a browser has no more outlines than it can show', () => {
  const pictureOf = fieldPictures();
  const long = stampField({ value: 'word '.repeat(1900), width: 300, height: 120 });
  expect(
    [long, long, long, stampField({ value: 'Ada' })].map((field) => pictureOf(field).shapes.length > 0),
  ).toEqual([true, true, false, true]);
});

test('a value that has no room on the page hides none of the values, ticks and ink after it', () => {
  const pictureOf = fieldPictures();
  const long = stampField({ value: 'word '.repeat(1900), width: 60, height: 14 });
  for (let count = 0; count < 3; count += 1) pictureOf(long);
  const tick = stampField({ type: 'checkbox', value: 'true' });
  const short = stampField({ value: 'a long name, '.repeat(7), width: 20, height: 10 });
  const medium = stampField({ value: 'word '.repeat(100), width: 300, height: 120 });
  expect([tick, medium].map((field) => pictureOf(field).shapes.length > 0)).toEqual([true, true]);
  expect(pictureOf(short).isSmall).toBe(true);
  expect(pictureOf(short, false)).toEqual({ shapes: [], isSmall: true });
});

test('text that fonts lay out by their rules is bounded more closely', () => {
  const isDrawn = (values: string[]) => {
    const pictureOf = fieldPictures();
    return values.map((value) => pictureOf(stampField({ value, width: 300, height: 120 })).shapes.length > 0);
  };
  // The same word: it is laid out once.
  const word = 'علي ';
  expect(isDrawn([word.repeat(400), word.repeat(300), word.repeat(20)])).toEqual([false, true, true]);
  expect(isDrawn([...Array<string>(5).fill(word.repeat(300)), word])).toEqual([
    true,
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(isDrawn(['one word\n'.repeat(500)])).toEqual([true]);
});

test('random values in random boxes', async () => {
  for (const round of rounds(roundsOf({ short: 3, landing: 60, full: 500 }))) {
    const next = numbersFrom(SEED + round);
    const pick = <T>(items: readonly T[]): T => items[next(items.length)]!;
    const words = Array.from({ length: 1 + next(6) }, () => pick(pick(Object.values(SCRIPTS)).split(/\s/)));
    const field = stampField({
      ...pick(TYPES),
      value: words.join(pick([' ', ' ', '\n', '-', ''])),
      x: next(100) + next(100) / 100,
      y: next(60) + next(100) / 100,
      width: 4 + next(200),
      height: 4 + next(90),
      font_size: 4 + next(30),
    });
    await expectSame(field, pick(ROTATIONS));
  }
});

/** Whole numbers from 0 to below `most`, the same for the same seed. */
function numbersFrom(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}
