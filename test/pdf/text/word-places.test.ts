// Words are found where they were drawn, however the page and the text are transformed: each within half a point. Pages are generated; the
// generator computes the places by itself.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findWords } from '../../../src/pdf/text/find-words.ts';
import { type PlacedText, placedWordsPdf, type WordsPage } from '../../support/documents/placed-words.ts';
import {
  cidFont,
  fileFont,
  helvetica,
  inDrawnOrder,
  simpleFont,
  type TextFont,
  type3Font,
} from '../../support/documents/text-pdf.ts';
import { roundsOf } from '../../support/random.ts';
import { sampleOf } from '../../support/tier.ts';

/** It is in points. What PDFium rounds on its way is less than a tenth of it. */
const NEAR = 0.5;

const LATIN = [...' abcdefghijklmnopqrstuvwxyz', 'fi'];
const WORDS = [
  'customer',
  'signed',
  'before',
  'office',
  'witness',
  'berlin',
  'fiscal',
  'payment',
  'notary',
  'define',
  'quartz',
  'jumbo',
];
const HEBREW = ['חתימת', 'הלקוח', 'בברלין', 'תאריך', 'מסמך', 'עדים', 'ספטמבר', 'גדול'];
const ARABIC = ['توقيع', 'العميل', 'برلين', 'تاريخ', 'وثيقة', 'شاهد', 'عقد', 'مبلغ'];

/**
 * How near the top and the bottom of a box are. Where a font declares its ascent and its descent, they are those of the box, within half a point,
 * unless a letter is drawn beyond them; a Type 3 font declares them by its FontBBox. The standard fonts declare nothing: PDFium takes heights from the font that stands in, so
 * that only the base line and about a line above it are sure.
 */
type Kind = {
  font(ascent: number, descent: number): TextFont;
  words: readonly string[];
  isFromRight?: boolean;
  isUndeclared?: boolean;
};

const KINDS: Record<string, Kind> = {
  simple: { font: (ascent, descent) => simpleFont(LATIN, { ascent, descent }), words: WORDS },
  cid: { font: (ascent, descent) => cidFont(LATIN, { ascent, descent }), words: WORDS },
  type3: { font: (ascent, descent) => type3Font(LATIN, { ascent, descent }), words: WORDS },
  'in the file': {
    font: () => fileFont('serif-regular'),
    words: WORDS.filter((word) => !word.includes('fi')),
  },
  Hebrew: { font: () => fileFont('hebrew-regular'), words: HEBREW, isFromRight: true },
  Arabic: { font: () => fileFont('arabic-regular'), words: ARABIC, isFromRight: true },
  standard: {
    font: () => helvetica,
    words: WORDS.filter((word) => !word.includes('fi')),
    isUndeclared: true,
  },
};

/** The font is made when it is needed: it is no data that a failure can print. */
type Case = { kind: string; ascent: number; descent: number; page: Omit<WordsPage, 'font'> };

const between = (min: number, max: number) =>
  fc.integer({ min: min * 10, max: max * 10 }).map((tenths) => tenths / 10);

/** Mostly nothing, now and then something. */
const sometimes = <T>(nothing: T, some: fc.Arbitrary<T>) => fc.oneof(fc.constant(nothing), some);

const casesOf = (kind: string): fc.Arbitrary<Case> =>
  fc
    .record({
      ascent: fc.integer({ min: 760, max: 1000 }),
      descent: fc.integer({ min: -350, max: -230 }),
      words: fc.shuffledSubarray([...KINDS[kind]!.words], { minLength: 6, maxLength: 8 }),
      isTwoColumns: fc.boolean(),
      rotate: fc.constantFrom(0 as const, 90 as const, 180 as const, 270 as const),
      unit: sometimes(1, fc.constantFrom(2, 0.5)),
      origin: fc.record({ x: between(-100, 100), y: between(-100, 100) }),
      crop: sometimes<WordsPage['crop']>(
        undefined,
        fc.record({
          left: between(0, 80),
          bottom: between(0, 80),
          right: between(0, 80),
          top: between(0, 80),
        }),
      ),
      isInherited: fc.boolean(),
      isUpright: fc.boolean(),
      size: between(6, 14),
      scaledBy: fc.constantFrom('font' as const, 'text' as const, 'page' as const),
      widened: sometimes(100, fc.integer({ min: 85, max: 140 })),
      letterSpacing: sometimes(0, between(0.1, 2.5)),
      wordSpacing: sometimes(0, between(0, 4)),
      rise: sometimes(0, between(-2, 2)),
      kerning: sometimes<readonly number[]>(
        [0],
        fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 1, maxLength: 4 }),
      ),
      isWordByWord: fc.boolean(),
      isRowByRow: fc.boolean(),
    })
    .map(({ ascent, descent, words, isTwoColumns, letterSpacing, wordSpacing, widened, ...page }) => ({
      kind,
      ascent,
      descent,
      page: {
        ...page,
        letterSpacing: (letterSpacing * page.size) / 10,
        // A gap without a space is a space only while it is narrower than between columns, and wider than between letters.
        wordSpacing: page.isWordByWord ? 0 : (wordSpacing * page.size) / 10,
        widened: page.isWordByWord ? Math.max(110, widened) : widened,
        columns: columnsOf(words, isTwoColumns, KINDS[kind]!),
      },
    }));

/** Lines of two words, in one column or two. */
function columnsOf(
  words: readonly string[],
  isTwoColumns: boolean,
  { isFromRight }: Kind,
): WordsPage['columns'] {
  const drawn = words.map((text) => ({ text, drawn: isFromRight ? inDrawnOrder(text) : text }));
  const lines = Array.from({ length: Math.ceil(drawn.length / 2) }, (_, index) =>
    drawn.slice(index * 2, index * 2 + 2),
  );
  const half = Math.ceil(lines.length / 2);
  return isTwoColumns ? [lines.slice(0, half), lines.slice(half)] : [lines];
}

function differences({ kind, page }: Case, result: PlacedText, wanted: PlacedText): string[] {
  const isTurned = !page.isUpright && page.rotate % 180 !== 0;
  const isUndeclared = KINDS[kind]!.isUndeclared === true;
  const sides = {
    x: result.x - wanted.x,
    y: result.y - wanted.y,
    width: result.width - wanted.width,
    height: result.height - wanted.height,
  };
  const along = isTurned ? (['y', 'height'] as const) : (['x', 'width'] as const);
  const checked = isUndeclared ? along : (Object.keys(sides) as (keyof typeof sides)[]);
  // Turned text that begins below ends where its box begins.
  const wrong = checked
    .filter((side) => Math.abs(sides[side]) > NEAR)
    .map((side) => `${side} ${sides[side].toFixed(2)}`);
  if (isTurned || page.rotate !== 0) return wrong;
  const above = wanted.baseLine - result.y;
  const isAround =
    above >= page.size * 0.5 && above <= page.size * 1.2 && result.y + result.height >= wanted.baseLine;
  return isAround || page.rise !== 0 ? wrong : [...wrong, `base line ${above.toFixed(2)} below the top`];
}

/** Tells what is wrong with the places where the words of a page are found. */
async function mistakesIn(item: Case): Promise<string[]> {
  const font = KINDS[item.kind]!.font(item.ascent, item.descent);
  const { pdf, words, lines } = placedWordsPdf({ ...item.page, font });
  // PDFium reads text that is upside down for the reader word by word from the left, where each word is placed by itself.
  const isUpsideDown = item.page.rotate === 180 && !item.page.isUpright;
  const phrases = (isUpsideDown && item.page.isWordByWord ? [] : item.page.columns.flat())
    .filter((line) => line.length > 1)
    .map((line) =>
      (KINDS[item.kind]!.isFromRight ? [...line].reverse() : line).map(({ text }) => text).join(' '),
    );
  const queries = [...words.map(({ text }) => text), ...phrases].map((text) => ({ text }));
  const result = await findWords(pdf, { from: 0, to: 1 }, queries);
  if (!result.ok) return [result.reason];
  const wanted = [...words, ...linesOf(item.page, lines)];
  return result.results.flatMap(({ matches }, index) => {
    const { text } = queries[index]!;
    const [match] = matches;
    if (!match || matches.length > 1 || match.boxes.length > 1)
      return [`"${text}" is found ${matches.length} times, on ${match?.boxes.length ?? 0} lines`];
    const box = { ...match.boxes[0]!, text, baseLine: 0 };
    return differences(item, box, wanted[index]!).map((subject) => `"${text}": ${subject}`);
  });
}

/** Lists the places of the lines with two words, in the order of the columns. */
function linesOf({ columns, isRowByRow }: Case['page'], lines: readonly PlacedText[]): PlacedText[] {
  const count = Math.max(...columns.map((item) => item.length));
  const order = columns.flatMap((column, at) => column.map((words, line) => ({ at, line, words })));
  const drawn = isRowByRow
    ? Array.from({ length: count }, (_, line) => order.filter((item) => item.line === line)).flat()
    : order;
  return order.filter(({ words }) => words.length > 1).map((item) => lines[drawn.indexOf(item)]!);
}

describe('words are found where they were drawn', () => {
  test.each(sampleOf(Object.keys(KINDS), 4))('with a font that is %s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(casesOf(kind), async (item) => {
        expect(await mistakesIn(item)).toEqual([]);
      }),
      { numRuns: roundsOf({ short: 8, landing: 200, full: 600 }) },
    );
  });
});
