// Sentences of a Word document whose numbers and words are easily lost: the PDF is read by another program with the same characters in the
// same order, or the document is refused.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { safeDocx } from '../../src/docx/safe-docx.ts';
import { readText } from '../../src/pdf/text/text-layer.ts';
import { type DocxParts, docxField, docxOf, paragraph, run, section } from '../support/documents/docx.ts';
import { sampleOf } from '../support/tier.ts';
import { needsCommand } from '../support/tools.ts';

const up = '<w:vertAlign w:val="superscript"/>';
const down = '<w:vertAlign w:val="subscript"/>';
const raised = (halfPoints: number, size = 16) =>
  `<w:position w:val="${halfPoints}"/><w:sz w:val="${size}"/>`;
const deleted = (text: string) =>
  `<w:del><w:r><w:delText xml:space="preserve">${text}</w:delText></w:r></w:del>`;
const inserted = (text: string) => `<w:ins>${run(text)}</w:ins>`;
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const withoutResult = (text: string) => `${mark('begin')}${code(text)}${mark('end')}`;
const sign = (font: string, at: string) => `<w:r><w:sym w:font="${font}" w:char="${at}"/></w:r>`;
const simple = (text: string, inside: string) => `<w:fldSimple w:instr="${text}">${inside}</w:fldSimple>`;
const checkBox = (isOn: boolean) =>
  `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${isOn ? 1 : 0}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run(isOn ? '☒' : '☐')}</w:sdtContent></w:sdt>`;
const formBox = (isOn: boolean) =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="${isOn ? 1 : 0}"/></w:checkBox></w:ffData></w:fldChar></w:r>${code(' FORMCHECKBOX ')}${mark('separate')}${mark('end')}`;

/** A sentence as WordprocessingML, and how it is read. */
const SENTENCES: [string, string, string][] = [
  ['signs of fractions', run('½ % a day, ¾ of 1⅓'), '½ % a day, ¾ of 1⅓'],
  [
    'a fraction of raised and lowered digits',
    `${run('1', up)}${run('/')}${run('2', down)}${run(' %')}`,
    '¹/₂ %',
  ],
  ['an exponent', `${run('at most 10')}${run('3', up)}${run(' euros')}`, 'at most 10³ euros'],
  ['a negative exponent', `${run('10')}${run('-6', up)}${run(' m')}`, '10⁻⁶ m'],
  [
    'an exponent that is raised by its position',
    `${run('10')}${run('3', raised(6))}${run(' euros')}`,
    '10³ euros',
  ],
  [
    'an exponent in pieces, raised by its position',
    `${run('10')}${run('1', raised(6))}${run('2', raised(6))}`,
    '10¹²',
  ],
  ['an index that is lowered by its position', `${run('x')}${run('2', raised(-6))}${run(' = 5')}`, 'x₂ = 5'],
  ['an exponent before its base on the line', `${run('3', raised(6))}${run('√8')}`, '³√8'],
  ['a superscript that is raised further', `${run('10')}${run('3', up + raised(4))}`, '10³'],
  ['a line of which all is raised', run('in 2026 for 5 years', raised(6)), 'in 2026 for 5 years'],
  ['a year that is raised a little', `${run('in ')}${run('2026', raised(1, 20))}${run('.')}`, 'in 2026.'],
  [
    'square metres and carbon dioxide',
    `${run('5 m')}${run('2', up)}${run(' of CO')}${run('2', down)}`,
    '5 m² of CO₂',
  ],
  ['raised letters', `${run('the 31')}${run('st', up)}${run(' of May')}`, 'the 31st of May'],
  ['a sum', run('Σ 1 + 2 − 3 = 0, ± 5, ≤ 7, ≈ 9, 3 × 4'), 'Σ 1 + 2 − 3 = 0, ± 5, ≤ 7, ≈ 9, 3 × 4'],
  [
    'a deleted and an inserted number',
    `${run('pay ')}${deleted('100')}${inserted('200')}${run(' euros')}`,
    'pay 100 200 euros',
  ],
  ['an inserted number before a deleted one', `${inserted('200')}${deleted('100')}`, '200 100'],
  ['a digit that was deleted', `${run('pay 1')}${deleted('0')}${run('0 euros')}`, 'pay 1 0 0 euros'],
  ['a part of a number that was deleted', `${run('1')}${deleted('.000')}${run(' euros')}`, '1 .000 euros'],
  ['a digit that was inserted', `${run('pay 1')}${inserted('0')}${run('0 euros')}`, 'pay 100 euros'],
  ['a word with a deleted ending', `${run('contract')}${deleted('s')}${run(' of')}`, 'contracts of'],
  [
    'a number that was moved',
    `<w:moveFrom>${run('50')}</w:moveFrom><w:moveTo>${run('60')}</w:moveTo>`,
    '50 60',
  ],
  ['a date', `${run('on ')}${docxField('DATE \\@ "d.M.yyyy"', '31.12.2026')}`, 'on 31.12.2026'],
  [
    'a reference',
    `${run('see ')}${docxField('REF a \\r', '4.1')}${run(', page ')}${docxField('PAGEREF a', '7')}`,
    'see 4.1, page 7',
  ],
  ['a calculation', docxField('= 2*50', '100'), '100'],
  ['a simple field', `${run('Table ')}${simple('SEQ Table', run('3'))}${run(': rates')}`, 'Table 3: rates'],
  [
    'a field in the code of another',
    `${mark('begin')}${code(' IF ')}${docxField('REF a', '5')}${code(' = 5 "yes" "no" ')}${mark('separate')}${run('yes')}${mark('end')}`,
    'yes',
  ],
  [
    'a field in the result of another',
    `${mark('begin')}${code(' HYPERLINK "https://example.com" ')}${mark('separate')}${run('clause ')}${docxField('REF a', '5')}${mark('end')}`,
    'clause 5',
  ],
  ['a character by its number', `${run('pay ')}${withoutResult(' SYMBOL 163 ')}${run('50')}`, 'pay £50'],
  ['a character of Unicode by its number', withoutResult(' SYMBOL 8364 \\u '), '€'],
  ['a character of a font of symbols', withoutResult(' SYMBOL 163 \\f "Symbol" \\s 12 '), '≤'],
  ['a character that Word has drawn', docxField('SYMBOL 163', '£'), '£'],
  ['a character as a simple field', simple('SYMBOL 163', ''), '£'],
  [
    'the words of a button',
    `${run('by ')}${withoutResult(' MACROBUTTON NoMacro [type the name] ')}${run('.')}`,
    'by [type the name].',
  ],
  [
    'a button in two pieces',
    `${mark('begin')}${code(' MACROBUTTON No')}${code('Macro interest of 5 % ')}${mark('end')}`,
    'interest of 5 %',
  ],
  ['quoted text', withoutResult(' QUOTE "12 months" '), '12 months'],
  [
    'text beside a content control',
    `${run('I ')}${checkBox(true)}${run(' agree')}${checkBox(false)}${run(' disagree')}`,
    'I ☒ agree☐ disagree',
  ],
  [
    'text beside a box of a form',
    `${formBox(true)}${run(' yes ')}${formBox(false)}${run(' no')}`,
    '☒ yes ☐ no',
  ],
  [
    'a field within a content control',
    `<w:sdt><w:sdtContent>${run('no. ')}${docxField('SEQ a', '7')}</w:sdtContent></w:sdt>${run('!')}`,
    'no. 7!',
  ],
  [
    'boxes in fonts of symbols',
    `${sign('Wingdings', 'F0FE')}${sign('Wingdings', 'F0A8')}${sign('Wingdings 2', 'F052')}${sign('Wingdings 2', 'F0A3')}${sign('Webdings', 'F061')}`,
    '☑☐☑☐✓',
  ],
  ['text in the font Symbol', run('&#xF061;&#xF0B1;5', '<w:rFonts w:ascii="Symbol"/>'), 'α±5'],
  [
    'currencies',
    run('€ 1.234,50, $1,234.50, ¥100, £5, ₹ 7, 5 ₽, ₺9, ₩80'),
    '€ 1.234,50, $1,234.50, ¥100, £5, ₹ 7, 5 ₽, ₺9, ₩80',
  ],
  [
    'numbers with spaces that do not break',
    run('1\u00a0000\u202f000,50 and 5\u00a0%'),
    '1 000 000,50 and 5 %',
  ],
  [
    'hyphens',
    `${run('2')}<w:r><w:noBreakHyphen/></w:r>${run('3 pay')}<w:r><w:softHyphen/></w:r>${run('ments')}`,
    '2‑3 payments',
  ],
  ['small capitals', run('Article 5 applies', '<w:smallCaps/>'), 'ARTICLE 5 APPLIES'],
  [
    'a reading above signs',
    `<w:r><w:ruby><w:rt>${run('b')}</w:rt><w:rubyBase>${run('a')}</w:rubyBase></w:ruby></w:r>`,
    'a(b)',
  ],
  ['a tab between numbers', '<w:r><w:t>clauses 1</w:t><w:tab/><w:t>and 2</w:t></w:r>', 'clauses 1 and 2'],
  ['vowels before their letter', run('हिन्दी में 100 रुपये'), 'हिन्दी में 100 रुपये'],
  ['hidden text', `${run('interest of 5')}${run('0', '<w:vanish/>')}${run(' %')}`, 'interest of 5 %'],
];

/** They run from right to left, on paragraphs that run this way. */
const RIGHT_TO_LEFT: [string, string, string][] = [
  ['an amount', 'שלם 1,250.75 שקל', '1,250.75'],
  ['a date', 'ביום 31/12/2026 בערב', '31/12/2026'],
  ['a share', 'ריבית 5% לשנה', '5%'],
  ['an amount with its currency', 'סך 1,250.75 ₪', '1,250.75'],
  ['Persian digits', 'مبلغ ۱۲۳۴ ریال', '۱۲۳۴'],
  ['Arabic digits', 'المبلغ ١٢٣٤ دينار', '١٢٣٤'],
  ['a telephone number', 'טלפון בבית – 09-7425733', '09-7425733'],
  ['the number of a company', 'החברה ABC (ח.פ. 51-234567-8) תשלם', '51-234567-8'],
  ['clauses from and to', 'סעיפים 4-5 וסעיף 3.2', '4-5'],
  ['an account in parts', 'חשבון 12-345-678901 בבנק', '12-345-678901'],
  ['a negative number', 'יתרה של -1,250.00 שקל', '1,250.00'],
  ['letters that differ in their dots', 'يدفع المشتري قدره 1,250.75 دينار خلال 30 يوم', '1,250.75'],
];

const poppler = needsCommand('pdftotext');
const plain = (text: string) => text.replace(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ').trim();

/** Between words from right to left, each reader puts signs, dots and brackets where it takes them to belong. */
const words = (text: string) => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).sort();

async function pdfOf(parts: DocxParts | string): Promise<Uint8Array> {
  const converted = await docxToPdf(docxOf(parts));
  if (!converted.ok) throw new Error(JSON.stringify(converted));
  expect(converted.remarks.filter(({ code }) => code !== 'tracked_changes')).toMatchObject([
    { code: 'approximate_layout' },
  ]);
  return converted.pdf;
}

function byPoppler(pdf: Uint8Array): string {
  const { stdout } = spawnSync('pdftotext', ['-', '-'], { input: pdf });
  return plain(stdout.toString());
}

async function bySigningPage(pdf: Uint8Array): Promise<string> {
  const read = await readText(pdf, 0);
  if (!read.ok) throw new Error(read.limit);
  return plain(read.runs.map(({ text }) => text).join(' '));
}

describe('a sentence is read as it is seen', () => {
  test.each(sampleOf(SENTENCES, 14))('%s', async (_, content, expected) => {
    const pdf = await pdfOf(paragraph(content));
    expect(await bySigningPage(pdf)).toBe(plain(expected));
    if (!poppler.skip) expect(byPoppler(pdf)).toBe(plain(expected));
  });

  test.each(
    sampleOf(
      [
        'המבצע Windows 11 Pro פועל',
        'הקונה ישלם 5000 שקל תוך 30 יום',
        'סך (1,250.75) ₪ ביום 31/12/2026',
        'يدفع المشتري قدره 1,250.75 دينار خلال 30 يوم',
        'The word שלום means peace and עולם means world',
        'The clauses שלום 12 עולם 34 שלום follow',
      ],
      3,
    ),
  )('letters of two directions on the signing page: %s', async (text) => {
    const isLatin = text.startsWith('The');
    const pdf = await pdfOf(paragraph(run(text, isLatin ? '' : '<w:rtl/>'), isLatin ? '' : '<w:bidi/>'));
    expect(await bySigningPage(pdf)).toBe(text);
  });

  test('vowels of Arabic stand on their letters on the signing page', async () => {
    const text = 'الجمهورية التونسيّة، مُحَمَّد';
    const pdf = await pdfOf(paragraph(run(text, '<w:rtl/>'), '<w:bidi/>'));
    // The order of marks on one letter has no meaning, and PDFium finds spaces in Arabic words.
    const letters = (words: string) => words.replaceAll(' ', '').normalize();
    expect(letters(await bySigningPage(pdf))).toBe(letters(text));
  });

  test.each(sampleOf(RIGHT_TO_LEFT, 3))('from right to left: %s', async (_, text, number) => {
    const pdf = await pdfOf(paragraph(run(text, '<w:rtl/>'), '<w:bidi/>'));
    expect(await bySigningPage(pdf)).toContain(number);
    if (poppler.skip) return;
    expect(byPoppler(pdf)).toContain(number);
    expect(words(byPoppler(pdf))).toEqual(words(plain(text)));
  });

  test('the number of a page, as its field asks for it', async () => {
    const pdf = await pdfOf({
      body: paragraph('text') + section('<w:footerReference w:type="default" r:id="footer1"/>'),
      running: {
        footer1: paragraph(
          `${run('page ')}${docxField('PAGE \\* ROMAN', '9')}${run(' of ')}${simple('NUMPAGES', run('9'))}`,
        ),
      },
    });
    expect(await bySigningPage(pdf)).toBe('text page I of 1');
  });
});

describe('a number that is in no result is refused', () => {
  const near = expect.stringMatching(/^Pay /);
  const fields: [string, string, string][] = [
    ['a formula', 'EQ \\f(1,2)', 'formula'],
    ['a number of a list', 'LISTNUM', 'number_field'],
    ['a date', 'DATE', 'number_field'],
    ['a page in the text', 'PAGE', 'number_field'],
  ];
  test.each(fields)('%s', async (_, code, limit) => {
    for (const content of [withoutResult(` ${code} `), simple(code, '')]) {
      const refused = await docxToPdf(docxOf(paragraph(run('Pay ') + content)));
      expect(refused).toMatchObject({ ok: false, reason: 'too_complex', limit, near });
    }
  });

  test('the day of today, which Word puts in', async () => {
    const body = paragraph(`${run('Pay by ')}<w:r><w:monthLong/></w:r>`);
    expect(await docxToPdf(docxOf(body))).toMatchObject({ ok: false, limit: 'number_field', near: 'Pay by' });
  });

  test('also for LibreOffice, but for what it computes itself', async () => {
    const input = (code: string) => safeDocx(docxOf(paragraph(run('Pay ') + withoutResult(code))));
    expect(await input('LISTNUM')).toMatchObject({ ok: false, limit: 'number_field' });
    expect(await input('PAGE')).toMatchObject({ ok: true });
  });
});
