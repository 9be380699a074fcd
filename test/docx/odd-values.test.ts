// Values that no program writes: whatever a document says of itself, it becomes a PDF or is refused, and nothing is thrown.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import {
  cell,
  docxField,
  docxOf,
  item,
  LISTS,
  paragraph,
  partsOfDocx,
  picture,
  row,
  run,
  STYLES,
  section,
  table,
  zipOf,
} from '../support/documents/docx.ts';
import { roundsOf } from '../support/random.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const note =
  '<w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>note</w:t></w:r></w:p></w:footnote>';
const everything = {
  body: [
    paragraph(
      'Heading',
      '<w:pStyle w:val="Heading1"/><w:jc w:val="center"/><w:spacing w:before="240" w:line="300" w:lineRule="atLeast"/>',
    ),
    paragraph(
      run(
        'text',
        '<w:highlight w:val="yellow"/><w:vertAlign w:val="superscript"/><w:sz w:val="30"/><w:color w:val="FF0000"/><w:u w:val="single"/>',
      ) +
        '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:tab/><w:br w:type="page"/><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>',
      '<w:ind w:left="720" w:hanging="360"/><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs><w:pBdr><w:top w:val="single" w:sz="8" w:color="FF0000"/></w:pBdr>',
    ),
    item(1, 0, 'one'),
    item(2, 1, 'bullet'),
    table(
      [3000, 3000],
      [
        row(
          [
            cell(
              'a',
              '<w:gridSpan w:val="2"/><w:shd w:val="clear" w:fill="1F3864"/><w:vAlign w:val="center"/>',
            ),
          ],
          '<w:trHeight w:val="400" w:hRule="exact"/>',
        ),
        row([cell('b', '<w:vMerge w:val="restart"/><w:tcW w:w="3000" w:type="dxa"/>'), cell('c')]),
        row([cell('', '<w:vMerge w:val="continue"/>'), cell('d')]),
      ],
      '<w:tblW w:w="5000" w:type="pct"/><w:jc w:val="right"/><w:tblLook w:val="04A0"/>',
    ),
    paragraph(picture('none', 60, 40)),
    paragraph(
      picture('none', 60, 40, '<wp:positionH relativeFrom="page"><wp:align>center</wp:align></wp:positionH>'),
    ),
    section(
      '<w:type w:val="oddPage"/><w:cols w:num="2" w:space="700"/><w:pgNumType w:start="3" w:fmt="lowerRoman"/><w:footerReference w:type="default" r:id="footer1"/>',
    ),
  ].join(''),
  styles: STYLES,
  numbering: LISTS,
  settings: '<w:defaultTabStop w:val="720"/><w:footnotePr><w:numFmt w:val="upperLetter"/></w:footnotePr>',
  footnotes: note,
  running: { footer1: paragraph(docxField('PAGE', '1')) },
};
const parts = partsOfDocx(everything);

const VALUE = /(?<= (?:w:(?!id|customStyle)\w+|cx|cy|relativeFrom|behindDoc)=")[^"]*(?=")/g;

/** The document with some of its values, by `choose`, replaced. */
function withValues(choose: (value: string) => string): Uint8Array {
  const changed = Object.entries(parts).map(([name, content]) => {
    const isWord = /^word\/\w+\.xml$/.test(name);
    return [name, isWord ? `${content}`.replace(VALUE, choose) : content] as const;
  });
  return zipOf(Object.fromEntries(changed));
}

const ODD = [
  '',
  'constructor',
  '__proto__',
  '-1',
  '0',
  '1e99',
  'NaN',
  '99999999999999999999',
  '-31680',
  '5%',
  '2147483648',
  'ÄÖ',
  '0.0001pt',
];

test('as it is', async () => {
  expect(await docxToPdf(docxOf(everything))).toMatchObject({ ok: true });
});

test.each(sampleOf(ODD, 3))('everything is %j', async (odd) => {
  const converted = await docxToPdf(withValues(() => odd));
  expect(converted.ok || converted.reason === 'too_many_pages').toBe(true);
});

test.skipIf(!SLOW)('here and there', async () => {
  const values = fc.array(fc.tuple(fc.nat(7), fc.constantFrom(...ODD)), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(values, async (some) => {
      let at = 0;
      const converted = await docxToPdf(
        withValues((value) => {
          const [dice, odd] = some[at++ % some.length]!;
          return dice === 0 ? odd : value;
        }),
      );
      expect(converted.ok || converted.reason === 'too_many_pages').toBe(true);
    }),
    { numRuns: roundsOf({ short: 20, landing: 200, full: 500 }) },
  );
});
