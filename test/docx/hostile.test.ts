// DOCX that are built to hurt: each is refused by name, by our own layout and before another program would be given it.
import { describe, expect, test } from 'vitest';
import { MEANINGS } from '../../src/api/contract/documents.ts';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { safeDocx } from '../../src/docx/safe-docx.ts';
import { DOCUMENT_LIMITS } from '../../src/pdf/limits.ts';
import { docxOf, paragraph, picture, run } from '../support/documents/docx.ts';
import {
  deepPng,
  encryptedEntry,
  entry,
  HOSTILE,
  manyPages,
  zipOf,
} from '../support/documents/hostile/index.mjs';
import { SLOW, sampleOf } from '../support/tier.ts';

const MIB = 1024 * 1024;
/** Making or reading them takes a second. */
const LARGE = new Set([
  'zip bomb of 900 MB',
  'zip of many bombs',
  'zip of many entries',
  '10,000 tables',
  'a paragraph of 10 MB',
  'a paragraph of 600,000 runs',
  'attributes without end',
  'a word of 290,000 letters',
]);
const files = HOSTILE.filter(({ kind, name }) => kind === 'docx' && (SLOW || !LARGE.has(name)));

test.each(
  sampleOf(
    files.filter(({ limit }) => limit),
    6,
  ),
)('$name passes the limit $limit', async ({ bytes, limit }) => {
  expect(bytes.length).toBeLessThanOrEqual(10 * MIB);
  const refusal = { ok: false, reason: 'too_complex', limit };
  expect(await docxToPdf(bytes)).toEqual(refusal);
  expect(await safeDocx(bytes)).toEqual(refusal);
  expect(MEANINGS).toHaveProperty(limit!);
});

test.each(files.filter(({ limit }) => !limit))('$name is done', async ({ bytes }) => {
  expect(await docxToPdf(bytes)).toMatchObject({ ok: true });
});

test.skipIf(!SLOW)('a document of 5000 pages', async () => {
  const pageCount = DOCUMENT_LIMITS.docxPages + 1;
  expect(await docxToPdf(manyPages())).toEqual({ ok: false, reason: 'too_many_pages', pageCount });
});

test('a password on an entry', async () => {
  expect(await docxToPdf(encryptedEntry())).toEqual({ ok: false, reason: 'password_required' });
});

const COUNT = 150_000;
const many = (part: string) => part.repeat(Math.floor(COUNT / part.length));
const LONG: [string, string][] = [
  ['a thousand marks on each letter', run(many(`a${'\u0301'.repeat(999)}`))],
  ['marks on many letters', run(many('a\u0301\u0302\u0323'))],
  ['controls of direction', run(many('\u202e'))],
  ['isolates', run(many('\u2067a\u2069'))],
  ['joiners without width', run(many('\u200d'))],
  ['spaces', run(many(' '))],
  ['one word', run(many('a'))],
  ['letters of both directions', run(many('a\u05d0'))],
  ['Arabic letters that join', run(many('\u0628'))],
  ['conjuncts of Devanagari', run(many('\u0915\u094d'))],
  ['Thai letters', run(many('\u0e01'))],
  ['Khmer letters', run(many('\u1780\u17d2'))],
  ['signs that begin no line', run(many('\u3002'))],
  ['formulas', '<m:oMath><m:r><m:t>1</m:t></m:r></m:oMath>'.repeat(20_000)],
  ['a formula of many parts', `<m:oMath>${'<m:r><m:t>1</m:t></m:r>'.repeat(20_000)}</m:oMath>`],
];
/** Each of them took minutes, or all the memory there is, before its steps grew with its length only. */
test.each(sampleOf(LONG, 1))('a paragraph of nothing but %s is done', async (_, content) => {
  const bytes = docxOf(paragraph(content));
  expect(await docxToPdf(bytes)).toMatchObject({ ok: true });
  expect(await safeDocx(bytes)).toMatchObject({ ok: true });
});

/** LibreOffice works half a minute on each of them. */
test.each([
  ['accents', run(`a${many('\u0301')}`)],
  ['accents on nothing', run(many('\u0301'))],
  ['variation selectors', run(`a${many('\ufe0f')}`)],
  ['accents of several runs', `${run('a')}\n ${run('\u0301'.repeat(100)).repeat(20)}`],
])('thousands of %s on one letter are refused', async (_, content) => {
  const bytes = docxOf(paragraph(content));
  const refusal = { ok: false, reason: 'too_complex', limit: 'marks' };
  expect(await docxToPdf(bytes)).toEqual(refusal);
  expect(await safeDocx(bytes)).toEqual(refusal);
  expect(MEANINGS).toHaveProperty('marks');
});

const WHOLE =
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>';

test('the least that is one', async () => {
  expect(await docxToPdf(zipOf([entry('word/document.xml', WHOLE)]))).toMatchObject({ ok: true });
});

describe('no Word document', () => {
  test.each<[string, Uint8Array]>([
    ['no ZIP', Buffer.from('PK\x03\x04 and nothing else')],
    ['a ZIP without its end', docxOf('<w:p/>').subarray(0, -30)],
    ['a ZIP of something else', zipOf([entry('hello.txt', 'hello')])],
    ['a document without a body', zipOf([entry('word/document.xml', '<document/>')])],
    ['XML that breaks off', zipOf([entry('word/document.xml', '<w:document')])],
    [
      'XML in bytes that are no UTF-8',
      zipOf([entry('word/document.xml', Buffer.from([0x3c, 0x61, 0xff, 0x2f, 0x3e]))]),
    ],
    ['a part with another checksum', zipOf([entry('word/document.xml', WHOLE, { crc: 1 })])],
  ])('%s is no Word document', async (_, bytes) => {
    expect(await docxToPdf(bytes)).toEqual({ ok: false, reason: 'unreadable' });
    expect(await safeDocx(bytes)).toEqual({ ok: false, reason: 'unreadable' });
  });
});

test('a picture that is far too large', async () => {
  const docx = docxOf({
    body: paragraph(picture('i1', 10, 10)),
    files: { 'media/a.png': deepPng(8000, 4999) },
    relationships: [['i1', 'image', 'media/a.png']],
  });
  expect(await docxToPdf(docx)).toEqual({ ok: false, reason: 'too_complex', limit: 'image_bytes' });
});

describe('what another program is given', () => {
  const bad = docxOf({
    body: paragraph(run('text')),
    files: {
      'vbaProject.bin': 'macro',
      'vbaData.xml': '<macro/>',
      'embeddings/inner.docx': docxOf('<w:p/>'),
      'media/a.png': 'picture',
    },
    relationships: [
      ['x1', 'image', 'http://example.com/a.png', 'External'],
      ['x2', 'image', 'file:///etc/passwd'],
      ['x3', 'attachedTemplate', 'https://example.com/t.dotm', 'External'],
      ['x4', 'hyperlink', 'https://example.com/?a=1&amp;b="', 'External'],
      ['x5', 'hyperlink', 'javascript:alert(1)', 'External'],
      ['x6', 'image', 'media/a.png'],
    ].map((item) => item.map((word) => word.replaceAll('"', '&quot;'))) as never,
  });

  test('names nothing outside but addresses of links, and has neither macros nor other files in it', async () => {
    const { unzipSync } = await import('fflate');
    const safe = await safeDocx(bad);
    if (!safe.ok) throw new Error(safe.reason);
    const files = unzipSync(safe.docx);
    expect(Object.keys(files).filter((name) => name.includes('vba'))).toEqual([]);
    expect(Object.keys(files).some((name) => name.includes('embeddings'))).toBe(false);
    expect(Object.keys(files)).toContain('word/media/a.png');
    const links = Buffer.from(files['word/_rels/document.xml.rels']!).toString();
    expect(links.match(/Id="x\d"/g)).toEqual(['Id="x4"', 'Id="x6"']);
    expect(links).toContain('https://example.com/?a=1&amp;b=&quot;');
  });

  test('is the same for the same file', async () => {
    expect(await safeDocx(bad)).toEqual(await safeDocx(bad));
  });
});
