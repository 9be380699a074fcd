// Fields of a Word document show what Word has stored for them, in our own layout and in what LibreOffice is given: no program computes
// another number. Numbers of pages in headers and footers are those of the page. What has no stored result is named.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { recordedRemark, remarkOf } from '../../src/api/contract/documents.ts';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { safeDocx } from '../../src/docx/safe-docx.ts';
import { readText } from '../../src/pdf/text/text-layer.ts';
import {
  cell,
  type DocxParts,
  docxField,
  docxOf,
  paragraph,
  row,
  run,
  section,
  table,
} from '../support/documents/docx.ts';
import { sampleOf } from '../support/tier.ts';
import { needsCommand, unmet } from '../support/tools.ts';

const mark = (type: string, more = '') => `<w:r><w:fldChar w:fldCharType="${type}"${more}/></w:r>`;
const code = (text: string) => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const simple = (text: string, inside: string, more = '') =>
  `<w:fldSimple w:instr="${text}"${more}>${inside}</w:fldSimple>`;
const textBox = (content: string) =>
  `<w:r><w:pict><v:shape><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;
const pageBreak = paragraph('<w:r><w:br w:type="page"/></w:r>');

/** Each page as it is read, and the remarks but the one on the layout. */
async function ownLayout(parts: DocxParts | string): Promise<{ pages: string[]; remarks: object[] }> {
  const converted = await docxToPdf(docxOf(parts));
  if (!converted.ok) throw new Error(JSON.stringify(converted));
  const pages: string[] = [];
  for (const index of converted.pages.keys()) {
    const read = await readText(converted.pdf, index);
    if (!read.ok) throw new Error(read.limit);
    pages.push(
      read.runs
        .map(({ text }) => text)
        .join(' ')
        .replace(/\s+/g, ' '),
    );
  }
  return { pages, remarks: converted.remarks.slice(1) };
}

/** Joins the parts that LibreOffice is given in one string, and lists the remarks. */
async function input(parts: DocxParts | string): Promise<{ xml: string; remarks: object[] }> {
  const safe = await safeDocx(docxOf(parts));
  if (!safe.ok) throw new Error(JSON.stringify(safe));
  const files = Object.entries(unzipSync(safe.docx)).filter(([name]) => /\/[a-z]+\d*\.xml$/.test(name));
  return { xml: files.map(([, bytes]) => Buffer.from(bytes).toString()).join(''), remarks: safe.remarks };
}

const wordsOf = (xml: string) => xml.replace(/<[^>]*>/g, '');
const FIELDS = /fldChar|instrText|fldSimple/;

const KINDS = [
  'REF _Ref1',
  'REF _Ref1 \\h',
  'REF _Ref1 \\r \\h',
  'REF _Ref1 \\w \\h',
  'REF _Ref1 \\n \\h',
  'ref _Ref1 \\p \\* MERGEFORMAT',
  '_Ref1',
  'PAGEREF _Ref1 \\h',
  'NOTEREF _Ref1 \\f',
  'SEQ Annex \\* ARABIC',
  'SEQ Annex \\r 7',
  'STYLEREF &quot;Heading 1&quot; \\n',
  'LISTNUM LegalDefault \\l 2',
  'AUTONUM',
  'AUTONUMLGL',
  '= 2 * 300 \\# &quot;0.00&quot;',
  '=SUM(ABOVE)',
  'DATE \\@ &quot;d MMMM yyyy&quot;',
  'TIME',
  'CREATEDATE',
  'SAVEDATE',
  'PRINTDATE',
  'EDITTIME',
  'DOCPROPERTY Client',
  'DOCVARIABLE Client',
  'TITLE',
  'SUBJECT',
  'AUTHOR',
  'KEYWORDS',
  'COMMENTS',
  'LASTSAVEDBY',
  'USERNAME',
  'FILENAME \\p',
  'NUMWORDS',
  'NUMCHARS',
  'REVNUM',
  'SECTION',
  'PAGE',
  'NUMPAGES',
  'SECTIONPAGES',
  'IF 1 = 1 &quot;yes&quot; &quot;no&quot;',
  'MERGEFIELD Client',
  'INDEX',
  'TOC \\o',
  'EQ \\f(1,2)',
  'INCLUDETEXT a.docx',
];

describe('what Word has stored for a field is shown', () => {
  test.each(sampleOf(KINDS, 12))('%s', async (instruction) => {
    for (const field of [docxField(instruction, '7.4(b)'), simple(instruction, run('7.4(b)'))]) {
      const body = paragraph(`${run('Section ')}${field}${run(' applies.')}`);
      expect(await ownLayout(body)).toEqual({ pages: ['Section 7.4(b) applies.'], remarks: [] });
      const { xml, remarks } = await input(body);
      expect(wordsOf(xml)).toBe('Section 7.4(b) applies.');
      expect(xml).not.toMatch(FIELDS);
      expect(remarks).toEqual([]);
    }
  });

  const reference = docxField('REF _Ref1 \\r \\h', '7.4');
  const PLACES: [string, DocxParts, string][] = [
    ['a table', { body: table([4000], [row([cell(paragraph(reference))])]) }, '7.4'],
    ['a text box', { body: paragraph(textBox(paragraph(reference))) }, '7.4'],
    [
      'a header and a footer',
      {
        body:
          paragraph('text') +
          section(
            '<w:headerReference w:type="default" r:id="header1"/><w:footerReference w:type="default" r:id="footer1"/>',
          ),
        running: { header1: paragraph(reference), footer1: paragraph(simple('SEQ a', run('9'))) },
      },
      'text 7.4 9',
    ],
    [
      'a footnote',
      {
        body: paragraph(`${run('text')}<w:r><w:footnoteReference w:id="1"/></w:r>`),
        footnotes: `<w:footnote w:id="1">${paragraph(reference)}</w:footnote>`,
      },
      'text¹ 7.4',
    ],
    [
      'a content control',
      { body: `<w:sdt><w:sdtContent>${paragraph(reference)}</w:sdtContent></w:sdt>` },
      '7.4',
    ],
    ['a link', { body: paragraph(`<w:hyperlink w:anchor="_Ref1">${reference}</w:hyperlink>`) }, '7.4'],
    ['inserted text', { body: paragraph(`<w:ins>${reference}</w:ins>`) }, '7.4'],
  ];
  test.each(sampleOf(PLACES, 3))('in %s', async (_, pieces, expected) => {
    expect((await ownLayout(pieces)).pages).toEqual([expected]);
    const { xml } = await input(pieces);
    expect(xml).not.toMatch(FIELDS);
    for (const word of expected.match(/\d\.\d|^9$/g)!) expect(wordsOf(xml)).toContain(word);
  });

  test('of a table of contents over several paragraphs, with the links and pages of its entries', async () => {
    const entry = (text: string, page: string) =>
      paragraph(
        `${mark('begin')}${code(' HYPERLINK \\l "_Toc1" ')}${mark('separate')}${run(text)}<w:r><w:tab/></w:r>${docxField('PAGEREF _Toc1 \\h', page)}${mark('end')}`,
      );
    const body =
      paragraph(`${mark('begin')}${code(' TOC \\o "1-3" \\h ')}${mark('separate')}${run('Contents')}`) +
      entry('1. Term', '8') +
      entry('2. Fees', '11') +
      paragraph(mark('end')) +
      paragraph('text');
    expect(await ownLayout(body)).toEqual({ pages: ['Contents 1. Term 8 2. Fees 11 text'], remarks: [] });
    const { xml, remarks } = await input(body);
    expect(wordsOf(xml)).toMatch(/^Contents .*1\. Term8.*2\. Fees11text$/);
    expect(xml).not.toMatch(/TOC|PAGEREF/);
    expect(xml.match(/instrText/g)).toHaveLength(4);
    expect(remarks).toEqual([]);
  });

  test('of a field in the code or the result of another', async () => {
    const inner = docxField('REF a', '5');
    const inCode = `${mark('begin')}${code(' IF ')}${inner}${code(' = 5 ')}${simple('NUMPAGES', run('9'))}${code('"yes" "no" ')}${mark('separate')}${run('yes')}${mark('end')}`;
    const inResult = `${mark('begin')}${code(' REF b \\h ')}${mark('separate')}${run('clause ')}${inner}${mark('end')}`;
    const inSimple = simple('TITLE', `${run('of ')}${simple('REF c', run('6'))}`);
    const body = paragraph(inCode + run(', ') + inResult + run(', ') + inSimple);
    expect((await ownLayout(body)).pages).toEqual(['yes, clause 5, of 6']);
    const { xml } = await input(body);
    expect(wordsOf(xml)).toBe('yes, clause 5, of 6');
    expect(xml).not.toMatch(FIELDS);
  });
});

describe('a number of pages', () => {
  const running = (footer: string): DocxParts => ({
    body:
      paragraph('first') +
      pageBreak +
      paragraph('second') +
      section('<w:footerReference w:type="default" r:id="footer1"/>'),
    running: { footer1: paragraph(footer) },
  });
  const [page, pages] = [docxField('PAGE', '9'), docxField('NUMPAGES \\* MERGEFORMAT', '9')];

  test('is that of the page in a header or a footer, also in a text box or a link', async () => {
    const simpler = `${simple('PAGE', run('9'))}${run('/')}${simple('SECTIONPAGES', '')}`;
    for (const footer of [
      page + run('/') + pages,
      simpler,
      textBox(paragraph(page + run('/') + pages)),
      `<w:hyperlink w:anchor="top">${page}${run('/')}${pages}</w:hyperlink>`,
      `${mark('begin')}${code('REF a')}${mark('separate')}${page}${run('/')}${pages}${mark('end')}`,
    ]) {
      const layout = await ownLayout(running(footer));
      expect(layout).toEqual({ pages: ['first 1/2', 'second 2/2'], remarks: [] });
      const { xml } = await input(running(footer));
      expect(xml.match(/PAGE|PAGES/g)).toHaveLength(2);
      expect(xml.match(/fldCharType|<w:fldSimple/g)).toHaveLength(footer === simpler ? 2 : 6);
    }
  });

  test('that no page can show, because a field computes with it, refuses the document', async () => {
    const computed = `${mark('begin')}${code(' = ')}${page}${code(' - 1 ')}${mark('separate')}${run('8')}${mark('end')}`;
    const refused = { ok: false, reason: 'too_complex', limit: 'number_field' };
    expect(await docxToPdf(docxOf(running(computed)))).toMatchObject(refused);
    expect(await safeDocx(docxOf(running(computed)))).toMatchObject(refused);
    // In the text there is only one result.
    expect((await ownLayout(paragraph(computed))).pages).toEqual(['8']);
    const { xml } = await input(paragraph(computed));
    expect(wordsOf(xml)).toBe('8');
  });

  test('that is not stored in the text stays with LibreOffice, which knows it', async () => {
    const body = paragraph(run('page ') + mark('begin') + code('PAGE') + mark('end'));
    expect((await input(body)).xml).toMatch(/fldChar/);
    expect(await docxToPdf(docxOf(body))).toMatchObject({ ok: false, limit: 'number_field' });
  });
});

describe('a field that was not updated', () => {
  const named = (...codes: string[]) => [{ code: 'fields_not_updated', what: codes.join(', ') }];
  const without = (text: string) => mark('begin') + code(` ${text} `) + mark('end');
  const empty = (text: string) => mark('begin') + code(` ${text} `) + mark('separate') + mark('end');

  const CASES: [string, DocxParts | string, object[]][] = [
    ['a reference without a result', paragraph(without('REF _Ref1 \\r \\h')), named('REF _Ref1 \\r \\h')],
    ['a reference with an empty one', paragraph(empty('REF _Ref1')), named('REF _Ref1')],
    ['a simple one', paragraph(simple(' SEQ Annex ', '')), named('SEQ Annex')],
    ['a calculation', paragraph(without('= 2*50')), named('= 2*50')],
    ['a table of contents', paragraph(empty('TOC \\o')), named('TOC \\o')],
    ['a page of a bookmark', paragraph(without('PAGEREF a')), named('PAGEREF a')],
    ['a property', paragraph(without('DOCPROPERTY Client')), named('DOCPROPERTY Client')],
    ['each once', paragraph(without('REF a') + without('REF a') + empty('REF b')), named('REF a', 'REF b')],
    [
      'many in one line',
      paragraph(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => without(`REF ${name}`)).join('')),
      named('REF a', 'REF b', 'REF c', 'REF d', 'REF e', '2 more'),
    ],
    [
      'one whose result the document calls outdated',
      paragraph(mark('begin', ' w:dirty="1"') + code('REF a') + mark('separate') + run('7') + mark('end')),
      named('REF a'),
    ],
    ['a simple one of that kind', paragraph(simple('REF a', run('7'), ' w:dirty="true"')), named('REF a')],
    [
      'all where the document asks for an update',
      { body: paragraph(docxField('REF a', '7')), settings: '<w:updateFields w:val="true"/>' },
      named('REF a'),
    ],
    [
      'none where it only says so',
      { body: paragraph(docxField('REF a', '7')), settings: '<w:updateFields w:val="0"/>' },
      [],
    ],
    ['no property that is empty', paragraph(empty('TITLE')), []],
    [
      'no entry of an index, whose code shows nothing',
      paragraph(without('XE "term"') + without('TC "term"')),
      [],
    ],
    ['no condition without words', paragraph(empty('IF 1 = 1 "" "no"')), []],
    [
      'nothing that is hidden',
      paragraph(
        `<w:r><w:rPr><w:vanish/></w:rPr><w:fldChar w:fldCharType="begin"/><w:instrText>REF a</w:instrText><w:fldChar w:fldCharType="end"/></w:r>`,
      ),
      [],
    ],
    [
      'none over several paragraphs',
      paragraph(mark('begin') + code('TOC') + mark('separate')) +
        paragraph('1. Term') +
        paragraph(mark('end')),
      [],
    ],
  ];
  test.each(sampleOf(CASES, 6))('is named: %s', async (_, pieces, expected) => {
    expect((await ownLayout(pieces)).remarks).toEqual(expected);
    const { xml, remarks } = await input(pieces);
    expect(remarks).toEqual(expected);
    expect(xml).not.toMatch(FIELDS);
  });

  test('is said with the way out; on a certificate it is too late for that', () => {
    const details = { code: 'fields_not_updated', what: 'REF a' } as const;
    const { message } = remarkOf(details);
    expect(message).toMatch(
      /not been updated \(REF a\)\. The pages show .* stored .*, or nothing\. Open it in Word/,
    );
    expect(message.startsWith(recordedRemark(details))).toBe(true);
    expect(recordedRemark(details)).not.toMatch(/Open it/);
  });
});

describe('a field that is not written to its end', () => {
  const BROKEN: [string, string][] = [
    ['has no end', paragraph(`${run('a ')}${mark('begin')}${code(' REF x ')}${run('b')}`) + paragraph('c')],
    [
      'ends in another',
      paragraph(`${run('a ')}${simple('REF x', `${mark('begin')}${code('REF y')}${run('b')}`)}`) +
        paragraph('c'),
    ],
    [
      'ends outside of the one that it begins in',
      paragraph(
        `${run('a ')}${mark('begin')}${code('REF y')}${mark('separate')}${simple('REF x', run('b') + mark('end'))}`,
      ) + paragraph('c'),
    ],
    [
      'has no beginning',
      paragraph(`${run('a ')}${mark('separate')}${run('b')}${mark('end')}`) + paragraph('c'),
    ],
  ];
  test.each(BROKEN)('hides nothing behind it: one that %s', async (_, body) => {
    expect((await ownLayout(body)).pages).toEqual(['a b c']);
    const { xml } = await input(body);
    expect(wordsOf(xml)).toBe('a bc');
    expect(xml).not.toMatch(FIELDS);
  });

  test('and fields in fields without an end are refused, in our layout and before LibreOffice', async () => {
    const deep = paragraph(`${mark('begin')}${code('IF ')}`.repeat(60) + mark('end').repeat(60));
    const refused = { ok: false, limit: 'nesting' };
    expect(await docxToPdf(docxOf(deep))).toMatchObject(refused);
    expect(await safeDocx(docxOf(deep))).toMatchObject(refused);
    const endless = paragraph(`${mark('begin')}${code('IF ')}`.repeat(60));
    expect(await safeDocx(docxOf(endless))).toMatchObject(refused);
  });
});

const office = unmet(needsCommand('soffice'), needsCommand('pdftotext'));

test.skipIf(office.skip)(`LibreOffice shows what Word has stored${office.why}`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'esign-fields-'));
  try {
    const safe = await safeDocx(readFileSync(new URL('../fixtures/fields.docx', import.meta.url)));
    if (!safe.ok) throw new Error(JSON.stringify(safe));
    const [docx, pdf] = ['fields.docx', 'fields.pdf'].map((name) => join(folder, name));
    writeFileSync(docx!, safe.docx);
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    execFileSync('soffice', [profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, docx!], {
      stdio: 'ignore',
    });
    const lines = execFileSync('pdftotext', [pdf!, '-'], { encoding: 'utf8' }).split('\n');
    const read = lines.flatMap((line) => [...line.matchAll(/cached=(.*) shown=(.*)\|/g)]);
    expect(read).toHaveLength(23);
    for (const [, stored, shown] of read) expect(shown).toBe(stored);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
