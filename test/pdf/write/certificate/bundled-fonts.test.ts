// On a machine without fonts of its own, a certificate is drawn whatever the names on it: characters that the bundled fonts lack
// are shown by their numbers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facesFor, hasCharacter, type Typeface } from '../../../../src/pdf/fonts/faces.ts';
import { missingCharacters } from '../../../../src/pdf/fonts/runs.ts';
import { useSystemFontFolders } from '../../../../src/pdf/fonts/system-fonts.ts';
import { certifyPdf } from '../../../../src/pdf/write/certificate/certify-pdf.ts';
import { showable } from '../../../../src/pdf/write/certificate/flow.ts';
import { certificateContent, certificateParty, wordsOnPage } from '../../../support/documents/certificate.ts';
import { pagesPdf } from '../../../support/documents/pdf.ts';
import { stampedPdf } from '../../../support/documents/stamped-pdf.ts';
import { sampleOf } from '../../../support/tier.ts';

beforeAll(() => useSystemFontFolders([]));
afterAll(() => useSystemFontFolders(undefined));

const TYPEFACES: Typeface[] = (['sans', 'serif', 'mono', 'handwriting', 'script'] as const).flatMap(
  (family) =>
    [false, true].flatMap((isBold) => [false, true].map((isItalic) => ({ family, isBold, isItalic }))),
);

/** They are in scripts that the bundled fonts lack, with marks, joiners and a letter that is cut in two. */
const NAMES = {
  Han: '王小明',
  Hangul: '김철수',
  Kana: 'やまだ',
  Thai: 'สมชาย ที่',
  Georgian: 'გიორგი',
  Armenian: 'Արամ',
  emoji: 'Ada 👩‍👩‍👧 ☺️',
  'a joiner alone': '\u200d',
  'half a pair': 'Ada \ud83d',
  'Han beside Hebrew': 'שלום 王 (小)',
  'a mark on Han': '王\u0301\u0e31',
};

let base: Uint8Array;
beforeAll(async () => {
  base = (await stampedPdf(pagesPdf(['/MediaBox[0 0 595 842]']))).pdf;
});

test.each(TYPEFACES)('the bundled fonts have the whole placeholder: %o', (typeface) => {
  const placeholder = showable('\u{10FFFD}', typeface);
  expect(placeholder).toContain('U+10FFFD');
  const characters = [...`${placeholder}0123456789ABCDEF`];
  const lacking = characters.filter(
    (character) => !facesFor(typeface).some((face) => hasCharacter(face, character.codePointAt(0)!)),
  );
  expect(lacking).toEqual([]);
});

test.each(Object.entries(NAMES))('nothing is missing in what is shown of a name in %s', (_, name) => {
  for (const typeface of TYPEFACES) expect(missingCharacters(showable(name, typeface), typeface)).toEqual([]);
});

test.each(sampleOf(Object.entries(NAMES), 5))(
  'a certificate is made with every name in %s',
  async (_, name) => {
    const { transaction, documents } = certificateContent();
    const { pdf } = await certifyPdf(
      base,
      certificateContent({
        transaction: { ...transaction, name, company: name },
        documents: documents.map((document) => ({
          ...document,
          name: `${name}.pdf`,
          remarks: [name],
          removed: [name],
        })),
        parties: [
          certificateParty({
            name,
            marks: (['handwriting', 'script'] as const).map((face) => ({
              mark: 'signature',
              kind: 'typed',
              face,
              value: name,
            })),
            steps: [
              {
                at: '2026-11-21T23:41:02.000Z',
                action: 'Signed',
                origin: [name],
                timeZone: null,
              },
            ],
          }),
        ],
      }),
      '{}',
    );
    const words = (await wordsOnPage(pdf, 1)).replace(/\s+/g, '');
    for (const item of missingCharacters(name, { family: 'sans' }))
      expect(words).toContain(`U+${item.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  },
);
