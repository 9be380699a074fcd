// Numbers of a Word document in its PDF: formulas, exponents, notes, lists, tracked changes, fields and text from right to left are read
// as they are seen, or the document is refused.
import { describe, expect, test } from 'vitest';
import { tooComplex } from '../../src/api/contract/documents.ts';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { readText } from '../../src/pdf/text/text-layer.ts';
import { docxField, docxOf, item, LISTS, paragraph, run, STYLES } from '../support/documents/docx.ts';
import { sampleOf } from '../support/tier.ts';

async function textOf(content: string, parts: Partial<Parameters<typeof docxOf>[0] & object> = {}) {
  const converted = await docxToPdf(docxOf({ body: content, ...parts }));
  if (!converted.ok) throw new Error(JSON.stringify(converted));
  const read = await readText(converted.pdf, 0);
  if (!read.ok) throw new Error(read.limit);
  return read.runs
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const r = (text: string, properties = '') =>
  `<m:r>${properties}<m:t xml:space="preserve">${text}</m:t></m:r>`;
const math = (...content: string[]) => `<m:oMath>${content.join('')}</m:oMath>`;
const arg = (name: string, content: string) => `<m:${name}>${content}</m:${name}>`;
const fraction = (above: string, below: string, type = 'bar') =>
  `<m:f><m:fPr><m:type m:val="${type}"/></m:fPr>${arg('num', above)}${arg('den', below)}</m:f>`;
const power = (base: string, exponent: string) => `<m:sSup>${arg('e', base)}${arg('sup', exponent)}</m:sSup>`;
const index = (base: string, lower: string) => `<m:sSub>${arg('e', base)}${arg('sub', lower)}</m:sSub>`;
const sum = (sign: string, lower: string, upper: string, body: string) =>
  `<m:nary><m:naryPr>${sign && `<m:chr m:val="${sign}"/>`}</m:naryPr>${arg('sub', lower)}${arg('sup', upper)}${arg('e', body)}</m:nary>`;
const root = (degree: string, body: string) =>
  `<m:rad><m:radPr>${degree ? '' : '<m:degHide m:val="1"/>'}</m:radPr>${arg('deg', degree)}${arg('e', body)}</m:rad>`;
const brackets = (content: string, begin = '(', end = ')') =>
  `<m:d><m:dPr><m:begChr m:val="${begin}"/><m:endChr m:val="${end}"/></m:dPr>${arg('e', content)}</m:d>`;

const half = fraction(r('1'), r('2'));

const READ: [string, string, string][] = [
  [
    'a fraction and an exponent in a sentence',
    `${run('The penalty is ')}${math(half, r(' %'))}${run(' per day, at most ')}${math(power(r('10'), r('3')))}${run(' euros.')}`,
    'The penalty is 1/2 % per day, at most 10³ euros.',
  ],
  ['a number with a fraction', `${run('for 1')}${math(half)}${run('months')}`, 'for 1 1/2 months'],
  ['a fraction before a letter', math(half, r('x')), '(1/2) x'],
  ['a fraction of a fraction', math(fraction(half, r('3'))), '(1/2)/3'],
  ['a fraction of sums', math(fraction(r('a+b'), r('c-d'))), '(a+b)/(c-d)'],
  ['a product below the line', math(fraction(r('1'), r('2x'))), '1/(2x)'],
  ['a power of a fraction', math(power(half, r('2'))), '(1/2)²'],
  ['a power of a power', math(power(power(r('2'), r('3')), r('4'))), '(2³)⁴'],
  ['a negative exponent', math(power(r('10'), r('-6'))), '10⁻⁶'],
  ['an exponent of letters', math(power(r('2'), r('n+1')), r('x')), '2ⁿ⁺¹x'],
  ['an exponent that has no raised characters', math(power(r('2'), r('k+1')), r('x')), '2^(k+1)x'],
  ['an exponent of one letter that is followed by another', math(power(r('2'), r('k')), r('x')), '2^k x'],
  ['an exponent that is a fraction', math(power(r('x'), half)), 'x^(1/2)'],
  ['an index', math(index(r('P'), r('max')), r('='), index(r('x'), r('12'))), 'Pₘₐₓ=x₁₂'],
  [
    'an index and an exponent',
    math(`<m:sSubSup>${arg('e', r('x'))}${arg('sub', r('1'))}${arg('sup', r('2'))}</m:sSubSup>`),
    'x₁²',
  ],
  [
    'a sum with its limits',
    math(r('S='), sum('∑', r('i=1'), r('12'), index(r('a'), r('1')))),
    'S=∑_(i=1)^12 a₁',
  ],
  ['an integral, whose sign is not written', math(sum('', r('0'), r('1'), r('x'))), '∫_0^1 x'],
  ['a square root', math(r('2'), root('', r('16'))), '2√(16)'],
  ['a cube root behind a number', math(r('2'), root(r('3'), r('8'))), '2 ³√(8)'],
  ['brackets', math(r('3'), brackets(r('1+i'))), '3(1+i)'],
  ['brackets around a fraction of two sums', math(fraction(brackets(r('a+b')), r('2'))), '(a+b)/2'],
  ['a function', math(r('2'), `<m:func>${arg('fName', r('ln'))}${arg('e', r('x'))}</m:func>`), '2 ln x'],
  [
    'a limit',
    math(
      `<m:func>${arg('fName', `<m:limLow>${arg('e', r('lim'))}${arg('lim', r('x→0'))}</m:limLow>`)}${arg('e', r('x'))}</m:func>`,
    ),
    'lim_(x→0) x',
  ],
  [
    'equations under each other',
    math(`<m:eqArr>${arg('e', r('a&amp;=1'))}${arg('e', r('b&amp;=2'))}</m:eqArr>`),
    'a=1; b=2',
  ],
  [
    'a matrix',
    math(
      `<m:m><m:mr>${arg('e', r('1'))}${arg('e', r('2'))}</m:mr><m:mr>${arg('e', r('3'))}${arg('e', r('4'))}</m:mr></m:m>`,
    ),
    '[1, 2; 3, 4]',
  ],
  ['a formula on a line of its own', `<m:oMathPara>${math(half)}</m:oMathPara>`, '1/2'],
  [
    'a raised digit',
    run('10') +
      run('3', '<w:vertAlign w:val="superscript"/>') +
      run(' euros, m') +
      run('2', '<w:vertAlign w:val="superscript"/>'),
    '10³ euros, m²',
  ],
  ['a lowered digit', run('CO') + run('2', '<w:vertAlign w:val="subscript"/>'), 'CO₂'],
  [
    'a tracked change of a number',
    `${run('pay ')}<w:del><w:r><w:delText>100</w:delText></w:r></w:del><w:ins>${run('200')}</w:ins>${run(' euros')}`,
    'pay 100 200 euros',
  ],
  [
    'a field with its result',
    `${run('on ')}${docxField('DATE', '31.12.2026')}${run(', clause ')}${docxField('REF c', '4.1')}`,
    'on 31.12.2026, clause 4.1',
  ],
  ['currencies', run('€ 1.234,50, $1,234.50, ¥100, £5 and ₹ 7'), '€ 1.234,50, $1,234.50, ¥100, £5 and ₹ 7'],
];

describe('the text of the PDF has the same numbers as the page', () => {
  test.each(sampleOf(READ, 19))('%s', async (_, content, expected) => {
    expect(await textOf(paragraph(content))).toBe(expected);
  });

  test('a formula between paragraphs', async () => {
    expect(await textOf(`${paragraph('a')}<m:oMathPara>${math(half)}</m:oMathPara>${paragraph('b')}`)).toBe(
      'a 1/2 b',
    );
  });

  test('numbers of lists', async () => {
    const body = item(1, 0, 'ten') + item(1, 1, 'eleven') + item(1, 0, 'twelve');
    expect(await textOf(body, { styles: STYLES, numbering: LISTS })).toBe('1. ten 1.1. eleven 2. twelve');
  });

  const inList = (content: string, properties = '') =>
    paragraph(content, `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>${properties}`);
  const sectionBreak = '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>';
  const hidden = '<w:rPr><w:vanish/></w:rPr>';
  const deleted = '<w:rPr><w:del w:id="1" w:author="A"/></w:rPr>';
  const removed = '<w:del w:id="2" w:author="A"><w:r><w:delText>gone</w:delText></w:r></w:del>';
  test.each([
    ['an empty paragraph that only breaks the section', inList('', sectionBreak), '1. one 2. two'],
    [
      'a bookmark in such a paragraph',
      inList('<w:bookmarkStart w:id="9" w:name="b"/>', sectionBreak),
      '1. one 2. two',
    ],
    ['a run without text in it', inList('<w:r><w:rPr><w:b/></w:rPr></w:r>', sectionBreak), '1. one 2. two'],
    [
      'a paragraph that breaks the section with text',
      inList(run('here'), sectionBreak),
      '1. one 2. here 3. two',
    ],
    ['a hidden paragraph', inList(run('unseen', '<w:vanish/>'), hidden), '1. one 2. two'],
    [
      'a paragraph that was deleted, whose text is shown struck out',
      inList(removed, deleted),
      '1. one gone 2. two',
    ],
    [
      'a paragraph taken out of its list',
      paragraph('', '<w:numPr><w:numId w:val="0"/></w:numPr>'),
      '1. one 2. two',
    ],
    ['an empty paragraph, which Word counts', inList(''), '1. one 2. 3. two'],
  ])('numbers of a list around %s', async (_, between, expected) => {
    const body = inList(run('one')) + between + inList(run('two'));
    const converted = await docxToPdf(docxOf({ body, styles: STYLES, numbering: LISTS }));
    if (!converted.ok) throw new Error(JSON.stringify(converted));
    const texts: string[] = [];
    for (let page = 0; page < converted.pages.length; page += 1) {
      const read = await readText(converted.pdf, page);
      if (read.ok) texts.push(...read.runs.map(({ text }) => text));
    }
    expect(texts.join(' ').replace(/\s+/g, ' ').trim()).toBe(expected);
  });

  test('words that were written in pieces stay words in a justified paragraph', async () => {
    const pieces = [
      'The Sel',
      'ler pays at its ware',
      'house ',
      'the Purchase Ord',
      'er price, (',
      'x',
      ') of it, ',
    ];
    const text = Array.from({ length: 12 }, () => pieces).flat();
    const content = text.map((piece) => run(piece)).join('');
    // The less a line holds, the more is left to be spread between its words.
    for (const right of [0, 1500, 3000, 4500, 6000]) {
      const read = await textOf(paragraph(content, `<w:ind w:right="${right}"/><w:jc w:val="both"/>`));
      expect(read).toBe(text.join('').trim());
    }
  });

  test('the mark of a note behind a number', async () => {
    const reference =
      '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r>';
    const footnotes = `<w:footnote w:id="2">${paragraph('See clause 7.')}</w:footnote>`;
    expect(await textOf(paragraph(run('at most 10') + reference + run(' euros')), { footnotes })).toMatch(
      /^at most 10¹ euros .*See clause 7\.$/,
    );
  });

  test('numbers between words from right to left', async () => {
    const text = await textOf(paragraph(run('שלם 1,250 שקל', '<w:rtl/>'), '<w:bidi/>'));
    expect(text).toContain('1,250');
  });
});

describe('what cannot be said on one line is refused', () => {
  const refused: [string, string][] = [
    ['a binomial', fraction(r('n'), r('k'), 'noBar')],
    [
      'a struck frame',
      `<m:borderBox><m:borderBoxPr><m:strikeH m:val="1"/></m:borderBoxPr>${arg('e', r('5'))}</m:borderBox>`,
    ],
    ['a brace', `<m:groupChr>${arg('e', r('a+b'))}</m:groupChr>`],
    ['what is above', `<m:limUpp>${arg('e', r('x'))}${arg('lim', r('2'))}</m:limUpp>`],
    ['cells with commas', `<m:m><m:mr>${arg('e', r('1,5'))}${arg('e', r('2'))}</m:mr></m:m>`],
    ['what is not known', `<m:later>${arg('e', r('5'))}</m:later>`],
    ['a picture in a formula', '<m:r><w:drawing/></m:r>'],
  ];
  test.each(refused)('%s', async (_, content) => {
    const body = paragraph(run('The price is ') + math(r('7+'), content));
    expect(await docxToPdf(docxOf(body))).toMatchObject({
      ok: false,
      reason: 'too_complex',
      limit: 'formula',
      near: expect.stringMatching(/^The price is/),
    });
  });

  test.each(['', '<w:r><w:fldChar w:fldCharType="separate"/></w:r>'])(
    'a formula that is a field',
    async (empty) => {
      const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
      const code = '<w:r><w:instrText> EQ \\f(1,2) </w:instrText></w:r>';
      const body = paragraph(run('Pay ') + mark('begin') + code + empty + mark('end'));
      expect(await docxToPdf(docxOf(body))).toMatchObject({
        ok: false,
        limit: 'formula',
        near: 'Pay EQ \\f(1,2)',
      });
    },
  );

  test('with the words that say where', () => {
    const { what, hint } = tooComplex({ limit: 'formula', near: 'The price is 7', type: 'docx' });
    expect(`"a.docx" ${what}. ${hint}.`).toBe(
      '"a.docx" contains a formula that cannot be converted without changing it ("The price is 7"). Save it as PDF in Word.',
    );
  });
});
