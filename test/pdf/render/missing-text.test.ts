// The text that no font can show is kept with its page, so that a recipient can be told what it is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { remarkOf } from '../../../src/api/contract/documents.ts';
import { useSystemFontFolders } from '../../../src/pdf/fonts/system-fonts.ts';
import { FONT_LIMITS } from '../../../src/pdf/limits.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { missingTextRemarks } from '../../../src/pdf/render/missing-text.ts';
import {
  byCollection,
  byGlyphName,
  byGlyphNumber,
  type Line,
  linesPdf,
  standard,
} from '../../support/documents/unembedded-fonts.ts';

beforeAll(() => useSystemFontFolders([]));
afterAll(() => useSystemFontFolders(undefined));

async function remarksOn(...lines: Line[]) {
  const inspected = await inspectPdf(linesPdf(lines), { maxPages: 1 });
  return inspected.ok ? inspected.remarks : undefined;
}

const korean = (text: string) => byCollection(text, 'HYSMyeongJo-Medium', 'Korea1', 'UniKS-UCS2-H');

describe('a page without a font for its letters', () => {
  test('keeps each line from the first to the last character that is not shown', async () => {
    expect(
      await remarksOn(standard('Contract'), korean('No. 7: 계약 금액 1,000원 net'), korean('서명')),
    ).toEqual([
      { code: 'fonts_missing', page: 0, what: 'HYSMyeongJo-Medium', text: '계약 금액 1,000원\n서명' },
    ]);
  });

  test('keeps nothing of what our own fonts show', async () => {
    expect(await remarksOn(byGlyphName('Жук'), byGlyphNumber('값'))).toEqual([
      { code: 'fonts_missing', page: 0, what: 'ArialMT', text: '값' },
    ]);
  });

  test('says that there is more where the letters of some text cannot be told', async () => {
    const [remark] = (await remarksOn(korean('서명'), byGlyphName('a', { name: 'Wingdings' }))) ?? [];
    expect(remark?.text).toBe('서명\n…');
    expect(await remarksOn(byGlyphName('a', { name: 'Wingdings' }))).toEqual([
      { code: 'fonts_missing', page: 0, what: 'Wingdings' },
    ]);
  });
});

describe('what is kept', () => {
  const page = (index: number, ...lines: string[]) => ({
    page: index,
    fonts: ['Odd'],
    lines,
    hasMore: false,
  });

  test('is cut, and has no marks of direction and no control characters', () => {
    const [long, marked] = missingTextRemarks(
      [page(0, '값'.repeat(5000)), page(1, '\u202e값\u0007\u2066 힣\u0000')],
      true,
    );
    expect([...(long?.text ?? '')]).toHaveLength(FONT_LIMITS.textOfRemark + 1);
    expect(long?.text?.endsWith('값…')).toBe(true);
    expect(marked?.text).toBe('값 힣');
  });

  test('is that of the first pages; one remark without a number stands for the others', () => {
    const pages = Array.from({ length: FONT_LIMITS.remarks + 1 }, (_, index) => page(index, '값'));
    const remarks = missingTextRemarks(pages, true);
    expect(remarks).toHaveLength(FONT_LIMITS.remarks + 1);
    expect(remarks.at(-1)).toEqual({ code: 'fonts_missing' });
    expect(missingTextRemarks(pages.slice(1), true)).toHaveLength(FONT_LIMITS.remarks);
    expect(missingTextRemarks([page(0, '값')], false).at(-1)).toEqual({ code: 'fonts_missing' });
    expect(missingTextRemarks([], false)).toEqual([]);
  });
});

describe('the sentence for the sender', () => {
  const sentence = (text?: string) => remarkOf({ code: 'fonts_missing', page: 2, what: 'Odd', text });

  test.each([
    ['계약 契約', 'no installed font has Korean characters', '(Debian: fonts-noto-cjk)'],
    ['やまだ 山田', 'no installed font has Japanese characters', '(Debian: fonts-noto-cjk)'],
    ['王小明', 'no installed font has Chinese characters', '(Debian: fonts-noto-cjk)'],
    ['한 ก', 'no installed font has Korean and Thai characters', '(Debian: fonts-noto-cjk, fonts-noto-core)'],
    ['\u{f0123}', 'no installed font has its characters', 'on the machine of the service or in'],
  ])('names the script and the way out: %s', (text, why, hint) => {
    const { message, ...rest } = sentence(text);
    expect(message).toContain(
      `Some text on page 3 cannot be displayed, because the file lacks its font (Odd) and ${why}.`,
    );
    expect(message).toContain(hint);
    expect(message).toContain('ESIGN_FONTS');
    expect(message).toContain('Recipients must confirm this before they sign.');
    expect(rest).toEqual({ code: 'fonts_missing', page: 2 });
  });

  test('names no font to install where the letters are unknown, and no page where it stands for others', () => {
    expect(sentence().message).toContain('its font is missing (Odd)');
    expect(sentence().message).not.toContain('ESIGN_FONTS');
    expect(remarkOf({ code: 'fonts_missing' })).toEqual({
      code: 'fonts_missing',
      message: 'Further pages may also have text that cannot be displayed.',
    });
  });
});
