// Words are found as a reader sees them, however they are drawn: over runs and lines, spaced out, with ligatures, from right to left. What is
// not one word for a reader is not found as one.
import { describe, expect, test } from 'vitest';
import type { Box } from '../../../src/pdf/geometry.ts';
import { FIND_LIMITS } from '../../../src/pdf/limits.ts';
import { findWords, type QueryResult, type WordQuery } from '../../../src/pdf/text/find-words.ts';
import {
  fileFont,
  inDrawnOrder,
  showAt,
  simpleFont,
  type TextFont,
  textPdf,
} from '../../support/documents/text-pdf.ts';

const LATIN = [...' !"\'(),-./0123456789:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
const latin = simpleFont(LATIN);

/** A font that also has these letters, or texts that one glyph shows. */
const latinWith = (...more: string[]): TextFont => simpleFont([...LATIN, ...more]);

const SIZE = 12;

type Drawn = { font?: TextFont; page?: string };

/** Finds words on a page with this content, or with these lines of text. */
async function find(
  content: string | readonly string[],
  query: string | WordQuery,
  { font = latin, page = '' }: Drawn = {},
): Promise<QueryResult> {
  const drawn =
    typeof content === 'string'
      ? content
      : content.map((line, index) => showAt(50, 260 - index * 15, font.encode(line), SIZE)).join('\n');
  const pdf = textPdf({ contents: [drawn], fonts: [font], page });
  const result = await findWords(pdf, { from: 0, to: 1 }, [
    typeof query === 'string' ? { text: query } : query,
  ]);
  if (!result.ok) throw new Error(result.reason === 'query' ? result.why : result.limit);
  return result.results[0]!;
}

const countOf = async (...input: Parameters<typeof find>): Promise<number> =>
  (await find(...input)).matches.length;

const boxOf = async (...input: Parameters<typeof find>): Promise<Box> => {
  const { matches } = await find(...input);
  expect(matches).toHaveLength(1);
  expect(matches[0]!.boxes).toHaveLength(1);
  return matches[0]!.boxes[0]!;
};

const widthOf = (text: string, font = latin): number =>
  ([...text].reduce((sum, item) => sum + font.widthOf(item), 0) * SIZE) / 1000;

const expectAt = (box: Box, x: number, width: number): void => {
  expect(Math.abs(box.x - x)).toBeLessThan(0.5);
  expect(Math.abs(box.width - width)).toBeLessThan(0.5);
};

describe('words over several runs of text', () => {
  test('are found where the first run begins, as wide as all of them', async () => {
    const pieces = ['Cus', 'tom', 'er'].map((part) => `${latin.encode(part)} Tj`).join(' ');
    const box = await boxOf(`BT /F0 12 Tf 50 200 Td ${latin.encode('The ')} Tj ${pieces} ET`, 'customer');
    expectAt(box, 50 + widthOf('The '), widthOf('Customer'));
  });

  test('are found where each letter is placed by itself, in any order', async () => {
    let x = 50;
    const letters = [...'Customer'].map((letter) => {
      const shown = showAt(x, 200, latin.encode(letter));
      x += widthOf(letter);
      return shown;
    });
    expectAt(await boxOf(letters.join('\n'), 'Customer'), 50, widthOf('Customer'));
  });

  test('are found where the font changes in a word', async () => {
    const fonts = [latin, fileFont('sans-bold')];
    const bold = fonts[1]!.encode('omer');
    const content = `BT /F0 12 Tf 50 200 Td ${latin.encode('Cust')} Tj /F1 12 Tf ${bold} Tj ET`;
    const pdf = textPdf({ contents: [content], fonts });
    const result = await findWords(pdf, { from: 0, to: 1 }, [{ text: 'Customer' }]);
    expect(result).toMatchObject({ ok: true, results: [{ matches: [{ excerpt: '«Customer»' }] }] });
  });

  test('have an excerpt with the words around them', async () => {
    const { matches } = await find(['Signed for the Customer in Berlin'], 'the Customer');
    expect(matches).toMatchObject([{ page: 0, excerpt: 'Signed for «the Customer» in Berlin' }]);
  });
});

describe('slanted letters, as programs draw them without an italic font', () => {
  const slanted = (x: number, text: string, more = ''): string =>
    `BT /F0 12 Tf ${more} 1 0 .33 1 ${x} 200 Tm ${latin.encode(text)} Tj ET`;
  const width = widthOf('Customer');

  test('have the box of upright ones', async () => {
    const upright = await boxOf(showAt(50, 200, latin.encode('Customer')), 'Customer');
    const box = await boxOf(slanted(50, 'Customer'), 'Customer');
    expectAt(box, 50, width);
    expect(Math.abs(box.y - upright.y)).toBeLessThan(0.1);
    expect(Math.abs(box.height - upright.height)).toBeLessThan(0.1);
  });

  test('are on one line with upright ones', async () => {
    const start = 50 + widthOf('The ');
    const content = `${showAt(50, 200, latin.encode('The '))}\n${slanted(start, 'Customer')}`;
    expectAt(await boxOf(content, 'the customer'), 50, widthOf('The ') + width);
  });

  test('are found where they are spaced out', async () => {
    const spaced = slanted(50, 'Customer', '4 Tc');
    expectAt(await boxOf(spaced, 'Customer'), 50, width + 7 * 4);
  });

  test.each([90, 180, 270])('have the box of upright ones on a page that is turned by %d', async (rotate) => {
    const page = `/Rotate ${rotate}`;
    const upright = await boxOf(showAt(50, 200, latin.encode('Customer')), 'Customer', { page });
    const box = await boxOf(slanted(50, 'Customer'), 'Customer', { page });
    for (const side of ['x', 'y', 'width', 'height'] as const)
      expect(Math.abs(box[side] - upright[side])).toBeLessThan(0.5);
  });
});

describe('words over lines', () => {
  test('are found with a box for each line', async () => {
    const { matches } = await find(['Signed for the', 'Customer by'], 'for the customer');
    expect(matches).toMatchObject([{ excerpt: 'Signed «for the Customer» by' }]);
    const [first, second] = matches[0]!.boxes;
    expectAt(first!, 50 + widthOf('Signed '), widthOf('for the'));
    expectAt(second!, 50, widthOf('Customer'));
    expect(second!.y - first!.y).toBeCloseTo(15, 1);
  });

  test('are two words without a space between the lines', async () => {
    expect(await countOf(['Now', 'here'], 'Now here')).toBe(1);
    expect(await countOf(['Now', 'here'], 'Nowhere')).toBe(0);
  });

  test.each([
    ['a hyphen', '-'],
    ['a soft hyphen', '\u00ad'],
    ['the sign of a hyphen', '\u2010'],
  ])('are one word where %s breaks them at the end of a line', async (_, hyphen) => {
    const font = latinWith('\u00ad', '\u2010');
    const lines = [`The signa${hyphen}`, 'ture of'];
    const { matches } = await find(lines, 'signature', { font });
    expect(matches).toHaveLength(1);
    expectAt(matches[0]!.boxes[0]!, 50 + widthOf('The '), widthOf('signa'));
    expectAt(matches[0]!.boxes[1]!, 50, widthOf('ture'));
    expect(await countOf(lines, 'the signature of', { font })).toBe(1);
  });

  test('are found with the hyphen as well', async () => {
    expect(await countOf(['a well-', 'known name'], 'well-known')).toBe(1);
    expect(await countOf(['a well-', 'known name'], 'wellknown')).toBe(1);
    expect(await countOf(['a well-known name'], 'wellknown')).toBe(0);
  });

  test('come in the order of the page, with a hyphen or without', async () => {
    const { matches } = await find(['well-known, well-', 'known, well-known'], 'well-known');
    expect(matches.map(({ boxes }) => boxes.length)).toEqual([1, 2, 1]);
    expect(matches[1]!.boxes[0]!.y).toBeCloseTo(matches[0]!.boxes[0]!.y, 1);
  });

  test('are not joined by a dash between two words', async () => {
    expect(await countOf(['Terms -', 'Fees'], 'TermsFees')).toBe(0);
    expect(await countOf(['Terms', '-', 'Fees'], 'TermsFees')).toBe(0);
    expect(await countOf(['Terms', '-', 'Fees'], 'Terms - Fees')).toBe(1);
  });
});

describe('spaces', () => {
  const show = (operands: string, before = ''): string =>
    `BT /F0 12 Tf ${before} 50 200 Td [${operands}] TJ ET`;

  test('are none where letters are kerned', async () => {
    const operands = `${latin.encode('Cus')} 80 ${latin.encode('to')} -60 ${latin.encode('mer')}`;
    expectAt(await boxOf(show(operands), 'Customer'), 50, widthOf('Customer') - (20 * SIZE) / 1000);
  });

  test('are where a gap is, without a space in the file', async () => {
    const gap = show(`${latin.encode('Now')} -280 ${latin.encode('here')}`);
    expect(await countOf(gap, 'Now here')).toBe(1);
    expect(await countOf(gap, 'Nowhere')).toBe(0);
  });

  test('are where a space is', async () => {
    expect(await countOf(['Now here'], 'Now here')).toBe(1);
    expect(await countOf(['Now here'], 'Nowhere')).toBe(0);
    expect(await countOf(['Nowhere'], 'Now here')).toBe(0);
  });

  test('count as one, however many there are', async () => {
    expect(await countOf(['Now   here'], 'Now here')).toBe(1);
    expect(await countOf(['Now here'], '  Now \n  here ')).toBe(1);
  });

  test.each([1, 2, 3, 6])('do not come from letters that are set apart by %d points', async (spacing) => {
    const spaced = show(latin.encode('Signature'), `${spacing} Tc`);
    expectAt(await boxOf(spaced, 'signature'), 50, widthOf('Signature') + 8 * spacing);
  });

  test.each([1, 3, 6])('stay between words whose letters are set apart by %d points', async (spacing) => {
    const spaced = show(latin.encode('Signed by us'), `${spacing} Tc`);
    expect(await countOf(spaced, 'signed by us')).toBe(1);
    expect(await countOf(spaced, 'signedby')).toBe(0);
    expect(await countOf(show(latin.encode('Now here'), `${spacing} Tc`), 'Nowhere')).toBe(0);
  });

  test.each([1, 3, 6])('stay between words without a space, set apart by %d points', async (spacing) => {
    const spaced = show(`${latin.encode('Now')} -350 ${latin.encode('here')}`, `${spacing} Tc`);
    expect(await countOf(spaced, 'Now here')).toBe(1);
    expect(await countOf(spaced, 'Nowhere')).toBe(0);
  });

  /** Sets each letter of a text with a distance to the next in thousandths. */
  const apart = (text: string, distance: number): string =>
    [...text].map((letter) => `${latin.encode(letter)} ${-distance}`).join(' ');

  test.each([200, 300, 500])(
    'do not come from letters that are moved by %d thousandths',
    async (distance) => {
      const wide = widthOf('Signature') + (8 * distance * SIZE) / 1000;
      expectAt(await boxOf(show(apart('Signature', distance)), 'signature'), 50, wide);
      expect(await countOf(show(apart('Signed by us', distance)), 'signed by us')).toBe(1);
      expect(await countOf(show(apart('Now here', distance)), 'Nowhere')).toBe(0);
      const withGap = show(`${apart('Now', distance)} -400 ${apart('here', distance)}`);
      expect(await countOf(withGap, 'Now here')).toBe(1);
      expect(await countOf(withGap, 'Nowhere')).toBe(0);
    },
  );

  test('may be wide, as in a line that fills its column', async () => {
    expect(await countOf(show(latin.encode('signed by us'), '20 Tw'), 'signed by us')).toBe(1);
  });
});

describe('two columns that are drawn row by row', () => {
  const rows = [
    ['Signed by', 'Signed for'],
    ['the seller', 'the buyer'],
  ];
  const content = rows
    .flatMap((row, index) =>
      row.map((text, at) => showAt(50 + at * 150, 200 - index * 15, latin.encode(text))),
    )
    .join('\n');

  test.each(['Signed by', 'the buyer', 'Signed for'])('have %j once', async (text) => {
    expect(await countOf(content, text)).toBe(1);
  });

  test.each(['by Signed', 'seller the', 'bySigned'])('have no words across them: %j', async (text) => {
    expect(await countOf(content, text)).toBe(0);
  });
});

describe('letters that are equal', () => {
  const font = latinWith(
    'fi',
    'ffi',
    'ﬁ',
    'é',
    '\u0301',
    'ß',
    'ẞ',
    'σ',
    'ς',
    'Σ',
    'ο',
    'Ο',
    'δ',
    'Δ',
    '’',
    '‘',
    '“',
    '”',
    '–',
    '−',
    'Ｎ',
    'ａ',
    'ｍ',
    'ｅ',
    '²',
    'K',
    '´',
  );

  test.each([
    ['a ligature by its letters', 'office fine', 'fine'],
    ['a ligature of three letters', 'an office', 'office'],
    ['the sign of a ligature', 'de ﬁne it', 'define', 0],
    ['the sign of a ligature, by letters', 'deﬁne', 'define'],
    ['letters by the sign of a ligature', 'define', 'deﬁne'],
    ['full width', 'Ｎａｍｅ', 'Name'],
    ['Latin by full width', 'Name', 'Ｎａｍｅ'],
    ['a raised number', 'm²', 'm2'],
    ['quotation marks', '“Buyer”', '"Buyer"'],
    ['an apostrophe', 'buyer’s', "buyer's"],
    ['a printed apostrophe that is wanted', "buyer's", 'buyer’s'],
    ['a dash', '1990–1995', '1990-1995'],
    ['a minus', '−5', '-5'],
    ['double s', 'STRASSE', 'Straße'],
    ['sharp s', 'Straße', 'STRASSE'],
    ['a capital sharp s', 'STRAẞE', 'strasse'],
    ['a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['another sigma', 'οδος', 'οδοσ'],
    ['the sign of the Kelvin', 'K', 'k'],
    ['an accent in one sign', 'café', 'cafe\u0301'],
    ['an accent in two signs', 'cafe\u0301', 'café'],
    ['an accent that is not wanted', 'café', 'cafe', 0],
    ['an accent that is not wanted, in two signs', 'cafe\u0301', 'cafe', 0],
    ['an accent that is wanted', 'cafe', 'café', 0],
    ['a sign that stands alone', 'buyer´s', 'buyer'],
    ['a sign that stands alone, as an apostrophe', 'buyer´s', "buyer's"],
    ['an accent before the words', 'café au', 'au'],
  ])('%s: %j has %j', async (_, line, text, count = 1) => {
    expect(await countOf([line], text, { font })).toBe(count);
  });

  test('a match may begin and end inside of a ligature', async () => {
    const wide = simpleFont([...LATIN, 'fi'], { widthOf: () => 600 });
    const whole = await boxOf(['define'], 'define', { font: wide });
    expect(whole.width).toBeCloseTo(5 * 7.2, 0);
    const end = await boxOf(['define'], 'ine', { font: wide });
    expect(end.x).toBeGreaterThan(50 + 2 * 7.2 - 0.1);
    expect(end.x).toBeLessThan(50 + 3 * 7.2);
    expect(end.x + end.width).toBeCloseTo(50 + 5 * 7.2, 0);
    const sign = simpleFont([...LATIN, 'ﬁ'], { widthOf: () => 600 });
    const inSign = await boxOf(['deﬁne'], 'ine', { font: sign });
    expectAt(inSign, 50 + 2.5 * 7.2, 2.5 * 7.2);
    expectAt(await boxOf(['deﬁne'], 'def', { font: sign }), 50, 2.5 * 7.2);
  });

  test('upper and lower case are the same, unless case is wanted', async () => {
    expect(await countOf(['Customer'], 'CUSTOMER')).toBe(1);
    const isCaseSensitive = true;
    expect(await countOf(['Customer'], { text: 'customer', isCaseSensitive })).toBe(0);
    expect(await countOf(['Customer'], { text: 'Customer', isCaseSensitive })).toBe(1);
    expect(await countOf(['Straße'], { text: 'Strasse', isCaseSensitive }, { font })).toBe(0);
    expect(await countOf(['deﬁne'], { text: 'define', isCaseSensitive }, { font })).toBe(1);
  });

  test('a Korean syllable is no part of another one', async () => {
    const korean = simpleFont([...LATIN, '가', '각', '나']);
    expect(await countOf(['각나'], '가', { font: korean })).toBe(0);
    expect(await countOf(['가나'], '가', { font: korean })).toBe(1);
    expect(await countOf(['나각'], '나각', { font: korean })).toBe(1);
  });
});

describe('whole words', () => {
  const font = latinWith('é', '\u0301', '𐐷');
  test.each([
    ['sign', 'sign', 1],
    ['signature', 'sign', 0],
    ['resign', 'sign', 0],
    ['(sign)', 'sign', 1],
    ['sign2', 'sign', 0],
    ['résumé', 'sumé', 0],
    ['re\u0301sume\u0301', 'sume\u0301', 0],
    ['co-sign', 'sign', 1],
    ['sign here', 'sign here', 1],
    ['sign hereby', 'sign here', 0],
    ['𐐷sign', 'sign', 0],
    ['sign𐐷', 'sign', 0],
  ])('%j has the whole word %j %d times', async (line, text, count) => {
    expect(await countOf([line], { text, isWholeWord: true }, { font })).toBe(count);
  });

  test('a part of a word that is broken over lines is none', async () => {
    expect(await countOf(['signa-', 'ture'], { text: 'signa', isWholeWord: true })).toBe(0);
    expect(await countOf(['signa-', 'ture'], { text: 'signature', isWholeWord: true })).toBe(1);
    expect(await countOf(['sign', 'here'], { text: 'sign', isWholeWord: true })).toBe(1);
  });
});

describe('expressions', () => {
  const font = latinWith('’', '–', 'é', '\u0301', 'ﬁ');
  const query = (text: string, more: Partial<WordQuery> = {}): WordQuery => ({
    text,
    isRegex: true,
    ...more,
  });

  test.each([
    ['No. 42 and No. 7', 'No\\. [0-9]+', 2],
    ['Customer', 'customer', 1],
    ['buyer’s', "buyer's", 1],
    ['buyer’s', 'buyer’s', 1],
    ['1990–1995', '\\d+-\\d+', 1],
    ['1990–1995', '\\d+–\\d+', 1],
    ['deﬁne', 'def', 1],
    ['café', 'café', 1],
    ['cafe\u0301', 'café', 1],
    ['café', 'cafe\u0301', 1],
    ['cafe\u0301', 'cafe$', 0],
    ['Customer', '\\s*', 0],
  ])('%j: %j matches %d times', async (line, text, count) => {
    expect(await countOf([line], query(text), { font })).toBe(count);
  });

  test('match over lines and over a hyphen at the end of a line', async () => {
    expect(await countOf(['for the', 'Customer'], query('the customer'))).toBe(1);
    expect(await countOf(['signa-', 'ture'], query('signature'))).toBe(1);
    expect(await countOf(['well-', 'known'], query('well-known'))).toBe(1);
  });

  test('match case and whole words on request', async () => {
    expect(await countOf(['Customer'], query('customer', { isCaseSensitive: true }))).toBe(0);
    expect(await countOf(['Customers'], query('custom[a-z]r', { isWholeWord: true }))).toBe(0);
    expect(await countOf(['re\u0301sume\u0301'], query('sum', { isWholeWord: true }), { font })).toBe(0);
  });

  test('have the place of what they match, without the spaces around it', async () => {
    expectAt(
      await boxOf(['The Customer signs'], query('\\s+cust\\w+\\s')),
      50 + widthOf('The '),
      widthOf('Customer'),
    );
  });

  test.each(['Cust(', '(?<=a)b', '(a)\\1', '[z-a]', '*'])('are refused by name: %j', async (text) => {
    await expect(find(['Customer'], query(text))).rejects.toThrow(`"${text}" is not a valid RE2`);
  });

  test('are refused where repetitions multiply', async () => {
    await expect(find(['Customer'], query('((a{1,100}){1,100}){1,100}'))).rejects.toThrow(
      /too large|not a valid/,
    );
    await expect(find(['Customer'], query('(?:[a-z]{30}x){30}(?:abcdefgh){600}'))).rejects.toThrow(
      'too large',
    );
  });

  test('are refused where they match too much in vain, so that no place is missed', async () => {
    const lines = Array.from({ length: 15 }, () => 'axaxaxaxax '.repeat(15));
    const inLimits = [...lines.slice(0, 13), 'the x is here'];
    expect(await countOf(inLimits, query('x', { isWholeWord: true }))).toBe(1);
    const why = `at more than ${FIND_LIMITS.vainMatches} places of page 1`;
    await expect(find([...lines, 'the x is here'], query('x', { isWholeWord: true }))).rejects.toThrow(why);
    await expect(find(['an x is here', ...lines], query('x', { isWholeWord: true }))).rejects.toThrow(why);
    await expect(find([...lines, 'No. 7'], query('[0-9]*'))).rejects.toThrow(why);
    // A hyphen at the end of a line makes it look twice.
    await expect(find(['signa-', 'ture', ...lines], query('[0-9]*'))).rejects.toThrow(why);
  });

  test('take linear time where others take years', async () => {
    const lines = Array.from({ length: 15 }, () => 'a'.repeat(60));
    expect(await countOf(lines, query('(a+)+b'))).toBe(0);
    expect(await countOf(lines, query('(a|aa)*c|(.*.*.*)d'))).toBe(0);
  });
});

describe('text from right to left', () => {
  test.each([
    ['hebrew-regular', 'חתימת הלקוח כאן', 'הלקוח', ' כאן'],
    ['arabic-regular', 'توقيع العميل هنا', 'العميل', ' هنا'],
  ])('is found as it is read, where it is drawn: %s', async (name, line, wanted, after) => {
    const font = fileFont(name);
    const { matches } = await find([inDrawnOrder(line)], wanted, { font });
    expect(matches).toMatchObject([{ excerpt: line.replace(wanted, `«${wanted}»`) }]);
    expectAt(matches[0]!.boxes[0]!, 50 + widthOf(after, font), widthOf(wanted, font));
    expect(await countOf([inDrawnOrder(line)], [...wanted].reverse().join(''), { font })).toBe(0);
  });

  test('is found over several words and over lines', async () => {
    const font = fileFont('hebrew-regular');
    const lines = ['חתימת הלקוח', 'בברלין היום'].map(inDrawnOrder);
    expect(await countOf(lines, 'חתימת הלקוח', { font })).toBe(1);
    const { matches } = await find(lines, 'הלקוח בברלין', { font });
    expect(matches).toHaveLength(1);
    const [first, second] = matches[0]!.boxes;
    expectAt(first!, 50, widthOf('הלקוח', font));
    expectAt(second!, 50 + widthOf('היום ', font), widthOf('בברלין', font));
  });

  test('is found beside numbers, as a whole word', async () => {
    const font = simpleFont([...LATIN, ...'אבגדהוזחטיכלמנסעפצקרשת']);
    const number = inDrawnOrder('חוזה 2024 הלקוח');
    expect(await countOf([number], { text: 'חוזה 2024', isWholeWord: true }, { font })).toBe(1);
    expect(await countOf([number], { text: '2024' }, { font })).toBe(1);
    expect(await countOf([number], { text: 'הלקו', isWholeWord: true }, { font })).toBe(0);
  });

  test.each([
    ['הסכם בין Acme Ltd לבין הלקוח', 'בין Acme Ltd לבין'],
    ['הסכם 2024 (טיוטה) של הלקוח', 'הסכם 2024'],
    ['סעיף 12.5 של Acme עותקים', '12.5 של Acme'],
  ])('is found over words that run from left to right: %j has %j', async (line, wanted) => {
    const font = simpleFont([...LATIN, ...'אבגדהוזחטיכלמנסעפצקרשתםןףךץ']);
    expect(await countOf([inDrawnOrder(line)], wanted, { font })).toBe(1);
    let x = 50;
    const words = inDrawnOrder(line)
      .split(' ')
      .map((word) => {
        const shown = showAt(x, 200, font.encode(word));
        x += widthOf(`${word} `, font);
        return shown;
      });
    expect(await countOf(words.join('\n'), wanted, { font })).toBe(1);
    expect(await countOf(words.reverse().join('\n'), wanted, { font })).toBe(1);
  });

  test('is not found across columns', async () => {
    const font = fileFont('hebrew-regular');
    const [right, left] = ['חתימת הלקוח', 'תאריך היום'].map((text) => font.encode(inDrawnOrder(text)));
    const content = `${showAt(250, 200, right!)} ${showAt(50, 200, left!)}`;
    expect(await countOf(content, 'חתימת הלקוח', { font })).toBe(1);
    expect(await countOf(content, 'תאריך היום', { font })).toBe(1);
    expect(await countOf(content, 'הלקוח תאריך', { font })).toBe(0);
  });

  test('is found by an expression', async () => {
    const font = fileFont('hebrew-regular');
    expect(await countOf([inDrawnOrder('חתימת הלקוח')], { text: 'ה.ק.ח', isRegex: true }, { font })).toBe(1);
  });
});

describe('Chinese, Japanese and Korean', () => {
  const font = simpleFont([...LATIN, ...'契約書の署者サーバガ、。동의서한국'], { widthOf: () => 1000 });
  test.each([
    [['契約', '書の'], '契約書', 1],
    [['サー', 'バ'], 'サーバ', 1],
    [['サ', 'ーバ'], 'サーバ', 1],
    [['ガ', 'ーバ'], 'ガーバ', 1],
    [['契約、', '署者'], '契約、署者', 1],
    [['동의', '서한'], '동의서', 1],
    [['Now', 'here'], 'Nowhere', 0],
  ])('are broken anywhere at the end of a line: %j has %j', async (lines, text, count) => {
    expect(await countOf(lines as string[], text as string, { font })).toBe(count);
  });
});

describe('what counts as one place', () => {
  const word = latin.encode('Customer');

  test('bold text that is drawn twice', async () => {
    expect(await countOf(`${showAt(50, 200, word)} ${showAt(50.3, 200, word)}`, 'customer')).toBe(1);
    expect(await countOf(`${showAt(50, 200, word)} ${showAt(50, 200, word)}`, 'customer')).toBe(1);
  });

  test.each([0.3, 0.6, 0.9])('bold text that is drawn again later, moved by %d points', async (by) => {
    const between = ['seller', 'buyer'].map((text, index) =>
      showAt(50, 100 - index * 20, latin.encode(text)),
    );
    const content = [
      showAt(50, 200, word),
      ...between,
      showAt(50 + by, 200, word),
      showAt(50, 200 - by, word),
    ];
    expect(await countOf(content.join('\n'), 'customer')).toBe(1);
  });

  test('bold text whose letters are each drawn twice', async () => {
    let x = 50;
    const letters = [...'Customer'].map((letter) => {
      const shown = `${showAt(x, 200, latin.encode(letter))} ${showAt(x + 0.3, 200, latin.encode(letter))}`;
      x += widthOf(letter);
      return shown;
    });
    expect(await countOf(letters.join('\n'), 'customer')).toBe(1);
  });

  test('not the same words elsewhere', async () => {
    expect(await countOf(['Customer Customer', 'Customer'], 'customer')).toBe(3);
    expect(await countOf(['aaaa'], 'aa')).toBe(2);
  });

  test('no text beyond the edge of the page', async () => {
    const content = `${showAt(50, 200, word)} ${showAt(50, 20, word)} ${showAt(-300, 200, word)} ${showAt(50, 400, word)}`;
    const cropped = { page: '/CropBox[0 100 400 300]' };
    expect(await countOf(content, 'customer', cropped)).toBe(1);
  });

  test('invisible text over a picture, as programs that read scans write it', async () => {
    const box = await boxOf(`0.5 g 0 0 400 300 re f 3 Tr ${showAt(50, 200, word)}`, 'customer');
    expectAt(box, 50, widthOf('Customer'));
  });

  test('text of a size that comes from its matrix', async () => {
    const content = `q 2 0 0 2 10 10 cm BT /F0 1 Tf 6 0 0 6 20 95 Tm ${word} Tj ET Q`;
    expectAt(await boxOf(content, 'customer'), 50, widthOf('Customer'));
  });
});

describe('limits', () => {
  test('a word at more places than the limit says that there are more', async () => {
    const lines = Array.from({ length: 15 }, () => 'a '.repeat(20));
    const { matches, isCut } = await find(lines, 'a');
    expect(matches).toHaveLength(FIND_LIMITS.matches);
    expect(isCut).toBe(true);
  });

  test('a word at as many places as the limit has no more', async () => {
    const lines = Array.from({ length: 10 }, () => 'a '.repeat(FIND_LIMITS.matches / 10));
    expect(await find(lines, 'a')).toMatchObject({ isCut: false, matches: { length: FIND_LIMITS.matches } });
  });

  test('a word that the page has no letter of is not found', async () => {
    expect(await countOf(['Customer'], '\u00ad')).toBe(0);
    expect(await countOf(['Customer'], '   ')).toBe(0);
  });

  test('pages without text are named', async () => {
    const contents = [
      showAt(50, 200, latin.encode('Customer')),
      '0 0 100 100 re f',
      showAt(50, 200, '<2020>'),
    ];
    const pdf = textPdf({ contents, fonts: [latin] });
    const result = await findWords(pdf, { from: 0, to: 3 }, [{ text: 'customer' }, { text: 'seller' }]);
    expect(result).toMatchObject({
      ok: true,
      withoutText: [1, 2],
      results: [{ matches: [{ page: 0 }] }, { matches: [] }],
    });
  });
});
