// Whether pages of a later version of a file show what an earlier one showed: drawn for the screen and for paper, and read.
import { describe, expect, test } from 'vitest';
import { compareVersions } from '../../../../src/pdf/render/comparison/compare-versions.ts';
import {
  basePdf,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../../support/documents/signed-pdf.ts';
import { sampleOf } from '../../../support/tier.ts';

const BASE = basePdf();
const WITH_INFO = '/Root 1 0 R/Info 11 0 R';
const later = (objects: Objects, base = BASE) => updated(base, objects, WITH_INFO);
const compare = (
  bytes: Buffer,
  { pages = [0], allowed = [], end = BASE.length }: Partial<Parameters<typeof compareVersions>[1]> = {},
) => compareVersions(bytes, { end, pages, pageCount: 1, allowed });
const same = { ok: true, compared: 1, pageCount: 1, differences: [], drawnOver: [], otherValues: [] };
const different = (medium: string) => ({
  ok: true,
  compared: 1,
  pageCount: 1,
  differences: [{ page: 0, medium }],
  drawnOver: [],
  otherValues: [],
});

const STAMP = (flags: number, box = '100 20 140 60') => ({
  50: `<</Type/Annot/Subtype/Stamp/Rect[${box}]/F ${flags}/AP<</N 51 0 R>>>>`,
  51: streamOf('1 0 0 rg 0 0 40 40 re f', '/Type/XObject/Subtype/Form/BBox[0 0 40 40]'),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
});
const PRINT = 4;
const NO_VIEW = 32;

describe('a page', () => {
  test('that was written again shows the same', async () => {
    expect(await compare(later({ [N.page]: PAGE(PAGE_ANNOTATIONS) }))).toEqual(same);
    expect(await compare(later({ 60: 'null' }))).toEqual(same);
  });

  test.each<[string, Objects, string]>(
    sampleOf(
      [
        [
          'another text',
          { [N.content]: streamOf('BT /F 12 Tf 20 150 Td (I owe you 900 euros) Tj ET') },
          'text',
        ],
        [
          'another colour',
          { [N.content]: streamOf('1 0 0 rg BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET') },
          'screen',
        ],
        [
          'a line through it',
          { [N.content]: streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET 20 154 60 .5 re f') },
          'screen',
        ],
        ['another font', { [N.font]: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>' }, 'screen'],
        ['another box', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/CropBox[0 0 300 199]') }, 'screen'],
        ['another turn', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Rotate 180') }, 'screen'],
        ['a stamp', STAMP(PRINT), 'screen'],
        ['a stamp that is only printed', STAMP(PRINT | NO_VIEW), 'paper'],
        ['a stamp that is not printed', STAMP(0), 'screen'],
        [
          'a value in a field',
          {
            [N.text]: TEXT_FIELD('/V(EUR 9)'),
            [N.textLook]: streamOf('0 0 9 9 re f', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]'),
          },
          'screen',
        ],
      ],
      4,
    ),
  )('with %s is found', async (_, objects, medium) => {
    expect(await compare(later(objects))).toEqual(different(medium));
  });

  test('may differ where that is allowed, and nowhere else', async () => {
    const rect = { left: 100, bottom: 20, right: 140, top: 60 };
    expect(await compare(later(STAMP(PRINT)), { allowed: [{ page: 0, rect }] })).toEqual(same);
    expect(await compare(later(STAMP(PRINT)), { allowed: [{ page: 1, rect }] })).toEqual(different('screen'));
    const smaller = { ...rect, top: 50 };
    expect(await compare(later(STAMP(PRINT)), { allowed: [{ page: 0, rect: smaller }] })).toEqual(
      different('screen'),
    );
    const turned = later({ [N.page]: PAGE(PAGE_ANNOTATIONS, '/Rotate 90') });
    const stamped = updated(
      turned,
      { ...STAMP(PRINT), [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`, '/Rotate 90') },
      WITH_INFO,
    );
    expect(await compare(stamped, { end: turned.length, allowed: [{ page: 0, rect }] })).toEqual(same);
    expect(await compare(stamped, { end: turned.length })).toEqual(different('screen'));
  });
});

describe('what is drawn in an allowed place', () => {
  /** A stamp whose box is 40 points in square, at its upper left corner. */
  const stamped = async (left: number, top: number, flags = PRINT, content = '1 g 0 0 40 40 re f') => {
    const rect = { left, top, right: left + 40, bottom: top - 40 };
    const stamp = STAMP(flags, `${rect.left} ${rect.bottom} ${rect.right} ${rect.top}`);
    const appearance = streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 40 40]');
    const answer = await compare(later({ ...stamp, 51: appearance }), { allowed: [{ page: 0, rect }] });
    if (!answer.ok) throw new Error(answer.reason);
    expect(answer.differences).toEqual([]);
    return answer.drawnOver.flatMap(({ words }) => words);
  };

  test('over words is a remark, on paper as well', async () => {
    expect(await stamped(55, 180)).toEqual(['you', '100']);
    expect(await stamped(55, 180, PRINT | NO_VIEW)).toEqual(['you', '100']);
    expect(await stamped(55, 180, PRINT, '0 0 1 RG 0 0 m 40 40 l S')).not.toEqual([]);
  });

  test('beside the letters covers nothing', async () => {
    expect(await stamped(60, 148)).toEqual([]);
    expect(await stamped(55, 180, PRINT, '')).toEqual([]);
    expect(await stamped(55, 180, PRINT, '1 0 0 rg 0 30 40 10 re f')).toEqual([]);
  });

  test('is not told of a line that a signature is meant to stand on', async () => {
    const base = updated(
      BASE,
      { [N.content]: streamOf('BT /F 12 Tf 20 150 Td (________ . . . .) Tj ET') },
      WITH_INFO,
    );
    const rect = { left: 10, bottom: 140, right: 150, top: 180 };
    const answer = await compare(later(STAMP(PRINT, '10 140 150 180'), base), {
      end: base.length,
      allowed: [{ page: 0, rect }],
    });
    expect(answer).toMatchObject({ differences: [], drawnOver: [] });
  });
});

describe('a signature in a new box', () => {
  const rect = { left: 10, bottom: 140, right: 150, top: 180 };
  /** A page without text, and a later version with a stamp over it. */
  const overPage = async (content: string, appearance = '1 g 0 0 40 40 re f', isSignature = true) => {
    const base = updated(BASE, { [N.content]: streamOf(content) }, WITH_INFO);
    const stamp = STAMP(PRINT, '10 140 150 180');
    const file = later(
      { ...stamp, 51: streamOf(appearance, '/Type/XObject/Subtype/Form/BBox[0 0 40 40]') },
      base,
    );
    const answer = await compare(file, { end: base.length, allowed: [{ page: 0, rect, isSignature }] });
    if (!answer.ok) throw new Error(answer.reason);
    expect(answer.differences).toEqual([]);
    return answer.drawnOver;
  };
  const COVERED = [{ page: 0, words: [] }];
  /** They draw the number 11 as a picture does, or a scan. */
  const DIGITS = '30 150 3 12 re 40 150 3 12 re f';
  const SCAN = 'q 100 0 0 20 30 150 cm BI /W 8 /H 4 /BPC 1 /CS /G ID \u00ff\u00db\u00db\u00ff EI Q';

  test('over a drawing or a scan is a remark without words', async () => {
    expect(await overPage(DIGITS)).toEqual(COVERED);
    expect(await overPage(DIGITS, '0 0 1 RG 8 w 0 20 m 40 20 l S')).toEqual(COVERED);
    expect(await overPage(SCAN)).toEqual(COVERED);
  });

  test('on a line to sign on, on paper of another colour, or beside a drawing is none', async () => {
    expect(await overPage('20 155 100 1 re f')).toEqual([]);
    expect(await overPage('.6 g 0 0 300 200 re f')).toEqual([]);
    expect(await overPage(DIGITS, '1 0 0 rg 30 0 10 40 re f')).toEqual([]);
    expect(await overPage(DIGITS, '')).toEqual([]);
  });

  test('is what covers it: a note shows where it lies', async () => {
    expect(await overPage(DIGITS, '1 g 0 0 40 40 re f', false)).toEqual([]);
  });
});

describe('a text field that was filled in', () => {
  const rect = { left: 10, bottom: 10, right: 100, top: 30 };
  const RESOURCES = '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>';
  const filled = async (value: string, content: string | Buffer, base = BASE) => {
    const appearance = Buffer.isBuffer(content) ? content : streamOf(content, RESOURCES);
    const file = later({ [N.text]: TEXT_FIELD(`/V(${value})`), [N.textLook]: appearance }, base);
    const allowed = [{ page: 0, rect, filled: { name: 'amount', value } }];
    const answer = await compare(file, { end: base.length, allowed });
    if (!answer.ok) throw new Error(answer.reason);
    expect(answer.differences).toEqual([]);
    return answer.otherValues;
  };
  const other = (value: string, shown: string) => [{ page: 0, field: 'amount', value, shown }];

  test('shows its value, in as many lines and pieces as it likes', async () => {
    expect(await filled('EUR 9', 'BT /F 9 Tf 2 4 Td (EUR 9) Tj ET')).toEqual([]);
    expect(await filled('EUR 9', 'BT /F 6 Tf 2 12 Td (EUR) Tj 0 -8 Td (9) Tj ET')).toEqual([]);
    expect(await filled('EUR 9', 'BT /F 9 Tf 9 Tc 2 4 Td (EU) Tj (R9) Tj ET')).toEqual([]);
  });

  test('with a look that says something else is a remark', async () => {
    expect(await filled('EUR 9', 'BT /F 9 Tf 2 4 Td (EUR 999) Tj ET')).toEqual(other('EUR 9', 'EUR 999'));
    expect(await filled('EUR 9', 'BT /F 9 Tf 2 4 Td (EUR -9) Tj ET')).toEqual(other('EUR 9', 'EUR -9'));
    expect(await filled('EUR 9', '0 0 9 9 re f')).toEqual(other('EUR 9', ''));
    // The rest lies outside the field.
    expect(await filled('EUR 9', 'BT /F 9 Tf 77 4 Td (EUR 9) Tj ET')).not.toEqual([]);
  });

  test('with letters in the colour of the paper is a remark', async () => {
    expect(await filled('EUR 9', '1 g BT /F 9 Tf 2 4 Td (EUR 9) Tj ET')).toEqual(other('EUR 9', ''));
    expect(await filled('EUR 9', '1 g 0 0 90 20 re f BT /F 9 Tf 2 4 Td (EUR 9) Tj ET')).toEqual(
      other('EUR 9', ''),
    );
  });

  test('with a look of lines, pictures or hidden letters is a remark, whatever its text says', async () => {
    const appearance = streamOf('BT /F 9 Tf 2 4 Td (EUR 9) Tj ET', RESOURCES);
    const file = later({ [N.text]: TEXT_FIELD('/V(EUR 9)'), [N.textLook]: appearance });
    const filledIn = { name: 'amount', value: 'EUR 9', isDrawn: true };
    expect(await compare(file, { allowed: [{ page: 0, rect, filled: filledIn }] })).toMatchObject({
      differences: [],
      otherValues: [{ field: 'amount', shown: 'EUR 9', isDrawn: true }],
    });
  });

  test('is not confused with the words of the page at its place', async () => {
    const base = updated(BASE, { [N.content]: streamOf('BT /F 9 Tf 60 14 Td (9) Tj ET') }, WITH_INFO);
    expect(await filled('EUR', 'BT /F 9 Tf 2 4 Td (EUR) Tj ET', base)).toEqual([]);
    expect(await filled('EUR 9', 'BT /F 9 Tf 2 4 Td (EUR) Tj ET', base)).toEqual(other('EUR 9', 'EUR'));
  });
});

test('another number of pages is found', async () => {
  const more = later({ [N.pages]: '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>' });
  expect(await compare(more)).toMatchObject({ ok: true, pageCount: 2, differences: [{}] });
});

test('pages that were not asked for are compared where PDFium had to repair the file', async () => {
  const forged = later({ [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R') });
  expect(await compare(forged, { pages: [] })).toEqual({ ...same, compared: 0 });
  const broken = Buffer.from(
    forged.toString('latin1').replace(/startxref\n\d+\n%%EOF\n$/, 'startxref\n7\n%%EOF\n'),
    'latin1',
  );
  expect(await compare(broken, { pages: [] })).toEqual(different('text'));
});

test('what is no PDF, or was none then, cannot be compared', async () => {
  expect(await compare(Buffer.from('none'))).toEqual({ ok: false, reason: 'unreadable' });
  expect(await compare(later({ 60: 'null' }), { end: 30 })).toEqual({ ok: false, reason: 'unreadable' });
});

describe('a field that is filled in or signed', () => {
  const rect = { left: 10, bottom: 10, right: 100, top: 30 };
  const BOX = '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>';
  const PLACES = [
    { mustBeEmpty: true, filled: { name: 'amount', value: '9' } },
    { mustBeEmpty: true, isSignature: true },
  ];
  /** The field with one look, and then with another. */
  const looks = async (before: string, place: object, content?: string) => {
    const base = updated(
      BASE,
      {
        [N.text]: TEXT_FIELD(''),
        [N.textLook]: streamOf(before, BOX),
        ...(content !== undefined && { [N.content]: streamOf(content) }),
      },
      WITH_INFO,
    );
    const file = later(
      {
        [N.text]: TEXT_FIELD('/V(9)'),
        [N.textLook]: streamOf('1 g 0 0 90 20 re f 0 g BT /F 9 Tf 2 6 Td (9) Tj ET', BOX),
      },
      base,
    );
    const answer = await compare(file, { end: base.length, allowed: [{ page: 0, rect, ...place }] });
    return answer.ok ? answer.differences : answer.reason;
  };

  describe.each(PLACES)('%o', (place) => {
    test.each([
      ['a number', 'BT /F 9 Tf 40 6 Td (100) Tj ET'],
      ['a number on a background', '.9 g 0 0 90 20 re f 0 g BT /F 9 Tf 40 6 Td (1) Tj ET'],
      ['a number that is drawn as lines', '1 w 45 6 m 45 14 l S'],
      ['a diagonal line', '0 0 m 90 20 l S'],
    ])('that showed %s shows something else now', async (_, before) => {
      expect(await looks(before, place)).toEqual([{ page: 0, medium: 'screen' }]);
    });

    test.each(
      sampleOf(
        [
          ['nothing', ''],
          ['a background', '.9 .9 1 rg 0 0 90 20 re f'],
          ['a border', '.9 g 0 0 90 20 re f 2 w 1 1 88 18 re S'],
          ['cells', '1 w 30 0 m 30 20 l 60 0 m 60 20 l S'],
          ['a line to write on', '1 w 0 9 m 90 9 l S'],
        ],
        2,
      ),
    )('may have shown %s', async (_, before) => {
      expect(await looks(before, place)).toEqual([]);
    });

    test('may lie over words of the page', async () => {
      expect(await looks('', place, 'BT /F 9 Tf 20 16 Td (Sign here, please) Tj ET')).toEqual([]);
    });
  });

  test('that came later may lie over what another one shows', async () => {
    expect(await looks('BT /F 9 Tf 40 6 Td (100) Tj ET', { isSignature: true })).toEqual([]);
  });
});
