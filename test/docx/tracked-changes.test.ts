// A Word document whose changes were tracked and neither accepted nor rejected: the pages show them, and a remark counts them.
import { expect, test } from 'vitest';
import { recordedRemark, remarkOf } from '../../src/api/contract/documents.ts';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { safeDocx } from '../../src/docx/safe-docx.ts';
import { type DocxParts, docxOf, paragraph, run, section } from '../support/documents/docx.ts';
import { sampleOf } from '../support/tier.ts';

const inserted = (text: string) => `<w:ins>${run(text)}</w:ins>`;
const deleted = (text: string) => `<w:del><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
const math = (properties: string, text: string) =>
  `<m:oMath><m:r><w:rPr>${properties}</w:rPr><m:t>${text}</m:t></m:r></m:oMath>`;

/** Lists the changes in our own conversion, and in what is given to LibreOffice. */
async function changesIn(parts: DocxParts | string) {
  const bytes = docxOf(parts);
  const answers = await Promise.all([docxToPdf(bytes), safeDocx(bytes)]);
  const [number, input] = answers.map((answer) => {
    if (!answer.ok) throw new Error(JSON.stringify(answer));
    return answer.remarks.flatMap(({ code, what }) => (code === 'tracked_changes' ? [what] : []));
  });
  expect(input).toEqual(number);
  return number;
}

test.each<[string, DocxParts | string, string[]]>(
  sampleOf(
    [
      ['nothing in a document without any', paragraph(run('pay 200 euros')), []],
      ['an insertion', paragraph(run('pay ') + inserted('200')), ['1 insertion']],
      ['a deletion', paragraph(run('pay ') + deleted('100')), ['1 deletion']],
      [
        'each of several, in paragraphs and tables',
        paragraph(deleted('100') + inserted('200')) +
          `<w:tbl><w:tr><w:tc>${paragraph(inserted('300'))}</w:tc></w:tr></w:tbl>`,
        ['2 insertions, 1 deletion'],
      ],
      [
        'text that was moved, at both places',
        paragraph(`<w:moveFrom>${run('a')}</w:moveFrom>`) + paragraph(`<w:moveTo>${run('a')}</w:moveTo>`),
        ['1 insertion, 1 deletion'],
      ],
      [
        'those of headers and footnotes',
        {
          body: `${paragraph('<w:r><w:footnoteReference w:id="2"/></w:r>')}${section('<w:headerReference w:type="default" r:id="header1"/>')}`,
          running: { header1: paragraph(inserted('draft')) },
          footnotes: `<w:footnote w:id="2">${paragraph(deleted('not'))}</w:footnote>`,
        },
        ['1 insertion, 1 deletion'],
      ],
      [
        'those of a formula',
        paragraph(math('<w:del/>', '1') + math('<w:ins/>', '2')),
        ['1 insertion, 1 deletion'],
      ],
      [
        'a formula once that was inserted with its sentence',
        paragraph(`<w:ins>${math('', '2')}</w:ins>`),
        ['1 insertion'],
      ],
      ['no mark that holds nothing', paragraph('<w:ins/>text'), []],
    ],
    5,
  ),
)('counts %s', async (_, pieces, expected) => {
  expect(await changesIn(pieces)).toEqual(expected);
});

test('is said with what the pages show and the way out; on a certificate it is too late for that', () => {
  const details = { code: 'tracked_changes', what: '2 insertions, 1 deletion' } as const;
  const { message } = remarkOf(details);
  expect(message).toMatch(/tracked changes \(2 insertions, 1 deletion\)/);
  expect(message).toMatch(/inserted text is underlined, deleted text is struck through/);
  expect(message).toMatch(/accept or reject the changes in Word/);
  expect(recordedRemark(details)).not.toMatch(/Word and upload/);
  expect(message.startsWith(recordedRemark(details))).toBe(true);
});
