// What another program is given of a Word document holds nothing that reads a file, asks an address or starts a program; the last result of
// every field stays as text.
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { isKeptField } from '../../src/docx/field-codes.ts';
import { inertXml, safeDocx } from '../../src/docx/safe-docx.ts';
import { newBudget, readXml } from '../../src/docx/xml.ts';
import { type DocxParts, docxOf, paragraph, partsOfDocx, zipOf } from '../support/documents/docx.ts';
import { sampleOf } from '../support/tier.ts';

async function packed(
  parts: DocxParts | Record<string, string | Uint8Array>,
): Promise<Record<string, string>> {
  const safe = await safeDocx('body' in parts ? docxOf(parts as DocxParts) : zipOf(parts));
  if (!safe.ok) throw new Error(safe.reason);
  return Object.fromEntries(
    Object.entries(unzipSync(safe.docx)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  );
}

const documentOf = async (body: string): Promise<string> =>
  (await packed({ body }))['word/document.xml'] ?? '';

const mark = (type: string, inside = ''): string =>
  `<w:r><w:fldChar w:fldCharType="${type}">${inside}</w:fldChar></w:r>`;
const code = (text: string): string => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const shown = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const field = (instruction: string, result = 'last result'): string =>
  paragraph(mark('begin') + code(instruction) + mark('separate') + shown(result) + mark('end'));

const ACTIVE = [
  'INCLUDETEXT "/etc/passwd"',
  'includetext /etc/passwd',
  'INCLUDE "/etc/passwd"',
  'INCLUDEPICTURE "http://127.0.0.1:1/a.png" \\d',
  'IMPORT "http://127.0.0.1:1/a.png"',
  'LINK Word.Document.8 "/etc/passwd" "" \\a',
  'DDE cmd "/c calc"',
  'DDEAUTO cmd "/c calc"',
  'DATABASE \\d "/etc/passwd"',
  'RD "/etc/passwd"',
  'EMBED Package',
  'CONTROL Forms.HTML:Image.1',
  'AUTOTEXT x',
  'MACROBUTTON Run x',
  'GOTOBUTTON x y',
  'PRINT 27',
  'HYPERLINK "file:///etc/passwd"',
  'QUOTE INCLUDETEXT',
  '"INCLUDETEXT" "/etc/passwd"',
  'PAGEX',
  '',
];

describe('a field that acts', () => {
  test.each(sampleOf(ACTIVE, 7))('is gone, and its last result is text: %s', async (instruction) => {
    const escaped = instruction.replaceAll('"', '&quot;');
    for (const body of [
      field(escaped),
      paragraph(`<w:fldSimple w:instr="${escaped}">${shown('last result')}</w:fldSimple>`),
    ]) {
      const xml = await documentOf(body);
      expect(xml).toContain('<w:t>last result</w:t>');
      expect(xml).not.toMatch(/fldChar|instrText|fldSimple|passwd|127\.0\.0\.1|calc/);
    }
  });

  test.each(sampleOf(['HYPERLINK "https://example.com/"', 'HYPERLINK \\l "part"', 'FORMTEXT'], 2))(
    'but a link or a part of a form stays a field: %s',
    async (instruction) => {
      expect(isKeptField(instruction, { inHeaderFooter: false, hasResult: true })).toBe(true);
      const xml = await documentOf(field(instruction.replaceAll('"', '&quot;')));
      expect(xml.match(/<w:fldChar /g)).toHaveLength(3);
      expect(xml).toContain(instruction.trim().split(' ')[0]);
    },
  );

  test('is found whatever runs and paragraphs its code is spread over', async () => {
    const xml = await documentOf(
      paragraph(mark('begin') + code(' INCL')) +
        paragraph(code('UDETEXT "/etc/pa') + code('sswd" ') + mark('separate') + shown('one')) +
        paragraph(shown('two') + mark('end') + shown('three')),
    );
    expect(xml).not.toMatch(/fldChar|instrText|INCL|UDETEXT|passwd/);
    expect(xml.match(/<w:t>[a-z]+/g)).toEqual(['<w:t>one', '<w:t>two', '<w:t>three']);
  });

  test('is found inside of another field, and what a code is made of is not shown', async () => {
    const inner =
      mark('begin') + code('QUOTE "INCLUDETEXT"') + mark('separate') + shown('INCLUDETEXT') + mark('end');
    const xml = await documentOf(
      paragraph(
        mark('begin') + inner + code(' "/etc/passwd"') + mark('separate') + shown('result') + mark('end'),
      ) +
        paragraph(mark('begin') + code('PAGE ') + inner + mark('separate') + shown('1') + mark('end')) +
        paragraph(
          mark('begin') + code('TOC') + mark('separate') + field('DDEAUTO cmd', 'entry') + mark('end'),
        ),
    );
    expect(xml).not.toMatch(/INCLUDETEXT|passwd|DDEAUTO|QUOTE|PAGE/);
    expect(xml).toContain('<w:t>result</w:t>');
    expect(xml).toContain('<w:t>1</w:t>');
    expect(xml).toContain('<w:t>entry</w:t>');
    expect(xml).not.toMatch(/fldChar/);
  });

  test('without an end or a beginning is gone as well, and the text after it stays', async () => {
    const xml = await documentOf(
      paragraph(mark('end') + code('DDE x') + shown('before')) +
        paragraph(mark('begin') + code('INCLUDETEXT "/etc/passwd"') + shown('behind')),
    );
    expect(xml).not.toMatch(/fldChar|instrText|INCLUDETEXT|DDE/);
    expect(xml).toContain('<w:t>before</w:t>');
    expect(xml).toContain('<w:t>behind</w:t>');
  });

  test('is gone from headers, footers, notes and every vocabulary of XML', async () => {
    const instruction = 'INCLUDETEXT &quot;/etc/passwd&quot;';
    const files = await packed({
      body: field(instruction),
      running: { header1: field(instruction), footer1: field(instruction) },
      footnotes: `<w:footnote w:id="1">${field(instruction)}</w:footnote>`,
    });
    for (const [name, text] of Object.entries(files))
      expect([name, text]).not.toEqual([name, expect.stringMatching(/INCLUDETEXT/)]);
    const strict = partsOfDocx({ body: field(instruction) });
    strict['word/document.xml'] = String(strict['word/document.xml'])
      .replaceAll(
        'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
        'http://purl.oclc.org/ooxml/wordprocessingml/main',
      )
      .replaceAll(/<(\/?)w:/g, '<$1x:')
      .replaceAll(' w:', ' x:')
      .replace('xmlns:w=', 'xmlns:x=');
    const xml = (await packed(strict))['word/document.xml'];
    expect(xml).toContain('<x:t>last result</x:t>');
    expect(xml).not.toMatch(/INCLUDETEXT|fldChar/);
  });
});

describe('an address outside', () => {
  const address = 'http://127.0.0.1:1/marker';

  test.each([
    [
      'VML picture',
      `<w:pict><v:shape href="${address}"><v:imagedata src="${address}" r:href="m1" o:href="${address}" r:id="i1"/></v:shape></w:pict>`,
    ],
    [
      'VML fill',
      `<w:pict><v:rect><v:fill type="frame" src="${address}" o:althref="${address}"/><v:stroke src="${address}"/></v:rect></w:pict>`,
    ],
    [
      'DrawingML picture',
      '<w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:link="m1" r:embed="i1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>',
    ],
    [
      'OLE object',
      `<w:object><v:shape/><o:OLEObject Type="Link" ProgID="Word.Document.8" r:id="m1"><o:LinkType>${address}</o:LinkType></o:OLEObject></w:object>`,
    ],
    ['ActiveX control', '<w:object><w:control r:id="m1" w:name="marker"/></w:object>'],
    [
      'film',
      `<w:drawing><wp:inline><a:graphic><a:graphicData><a:videoFile r:link="m1"/></a:graphicData></a:graphic></wp:inline></w:drawing>`,
    ],
  ])('is gone from a %s', async (_, inside) => {
    const files = await packed({
      body: paragraph(`<w:r>${inside}</w:r>`) + paragraph(shown('text')),
      files: { 'media/a.png': 'picture' },
      relationships: [
        ['i1', 'image', 'media/a.png'],
        ['m1', 'image', address, 'External'],
        ['m2', 'oleObject', address, 'External'],
        ['m3', 'video', address, 'External'],
      ],
    });
    const xml = files['word/document.xml'] ?? '';
    expect(xml).not.toMatch(/127\.0\.0\.1|"m1"|OLEObject|w:control|videoFile/);
    expect(xml).toContain('<w:t>text</w:t>');
    expect(files['word/_rels/document.xml.rels']).not.toMatch(/127\.0\.0\.1|"m\d"/);
    if (inside.includes('"i1"')) expect(xml).toContain('"i1"');
  });

  test('is gone from settings: templates, schemas, and the database of a mail merge', async () => {
    const files = await packed({
      body: paragraph(shown('text')),
      settings: `<w:attachedTemplate r:id="m1"/><w:attachedSchema w:val="${address}"/><w:defaultTabStop w:val="720"/><w:mailMerge><w:connectString w:val="${address}"/><w:dataSource r:id="m2"/></w:mailMerge>`,
      files: {
        '_rels/settings.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="m1" Type="http://x/attachedTemplate" Target="${address}" TargetMode="External"/><Relationship Id="m2" Type="http://x/mailMergeSource" Target="file:///etc/passwd" TargetMode="External"/></Relationships>`,
        'webSettings.xml': `<w:webSettings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:frameset/></w:webSettings>`,
      },
    });
    expect(files['word/settings.xml']).toContain('w:val="720"');
    for (const name of ['word/settings.xml', 'word/_rels/settings.xml.rels'])
      expect([name, files[name]]).not.toEqual([
        name,
        expect.stringMatching(/127\.0\.0\.1|passwd|Template|mailMerge/),
      ]);
    expect(Object.keys(files)).not.toContain('word/webSettings.xml');
  });

  test.each(
    sampleOf(
      [
        ['image', 'file:///etc/passwd', undefined],
        ['image', '/etc/passwd', undefined],
        ['image', '../../../../etc/passwd', undefined],
        ['image', '//host/share/a.png', undefined],
        ['image', '\\\\host\\share\\a.png', undefined],
        ['image', 'http://127.0.0.1:1/a.png', 'external'],
        ['image', ' http://127.0.0.1:1/a.png', undefined],
        ['aFChunk', 'media/a.png', undefined],
        ['subDocument', 'media/a.png', undefined],
        ['oleObject', 'media/a.png', undefined],
        ['hyperlink', 'file:///etc/passwd', 'External'],
        ['hyperlink', '\\\\host\\share', 'External'],
        ['hyperlink', 'media/a.png', undefined],
      ],
      2,
    ),
  )('is gone from relationships: %s to %s', async (kind, target, mode) => {
    const files = await packed({
      body: paragraph(shown('text')),
      files: { 'media/a.png': 'picture' },
      relationships: [
        ['i1', 'image', 'media/a.png'],
        mode ? ['m1', kind, target, mode] : ['m1', kind, target],
      ],
    });
    expect(files['word/_rels/document.xml.rels']?.match(/Id="\w+"/g)).toEqual(['Id="i1"']);
  });
});

test('everything else says the same as before', () => {
  const xml =
    '<?xml version="1.0"?><!-- note --><a:x xmlns:a="urn:a" xmlns="urn:b" a:p="1 &amp; &lt;2&gt; &quot;&#10;&#9;">' +
    'text &amp; &lt;b&gt; ]]&gt;<a:z/><![CDATA[<raw> & more]]><y xml:space="preserve"> \u00e4\ud83d\ude00 </y><a:z/></a:x>';
  const before = readXml(Buffer.from(xml), newBudget());
  const after = readXml(inertXml(Buffer.from(xml)), newBudget());
  expect(after).toEqual(before);
  expect(inertXml(Buffer.from(`\ufeff${xml}`, 'utf16le'))).toEqual(inertXml(Buffer.from(xml)));
});

test('a field that declares a namespace for what is in it leaves it behind', () => {
  const xml =
    '<w:p xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:fldSimple xmlns:x="urn:x" w:instr="DDE"><w:r><x:y/></w:r></w:fldSimple></w:p>';
  const written = Buffer.from(inertXml(Buffer.from(xml))).toString();
  expect(written).toContain('<w:r xmlns:x="urn:x"><x:y></x:y></w:r>');
  expect(() => readXml(Buffer.from(written), newBudget())).not.toThrow();
});

test('a damaged part that no page needs is left out, and does not refuse the document', async () => {
  const parts = partsOfDocx({ body: paragraph(shown('text')) });
  const unneeded = ['docProps/custom.xml', 'docProps/app.xml', 'customXml/item1.xml'];
  for (const name of unneeded) parts[name] = '<Properties><vt:lpwstr>no prefix</vt:lpwstr>';
  const files = await packed(parts);
  expect(files['word/document.xml']).toContain('<w:t>text</w:t>');
  for (const name of unneeded) expect(Object.keys(files)).not.toContain(name);
});

describe('what a page shows is kept wherever its part is', () => {
  const moved = (from: string, to: string): Record<string, string | Uint8Array> => {
    const parts = partsOfDocx({
      body: paragraph(shown('text')),
      running: { header1: field('INCLUDETEXT &quot;/etc/passwd&quot;', 'without liability') },
    });
    parts[to] = parts[`word/${from}`]!;
    delete parts[`word/${from}`];
    for (const name of ['[Content_Types].xml', 'word/_rels/document.xml.rels'])
      parts[name] = String(parts[name])
        .replaceAll(`Target="${from}"`, `Target="/${to}"`)
        .replaceAll(`PartName="/word/${from}"`, `PartName="/${to}"`);
    return parts;
  };

  test.each([
    'customXml/header1.xml',
    'docProps/header1.xml',
    'word/embeddings/header1.xml',
    'word/glossary/header1.xml',
    'word/webSettings.xml',
    'word/header1.data',
    'word/header1.png',
  ])('a header in %s, without its field', async (name) => {
    const files = await packed(moved('header1.xml', name));
    expect(files[name]).toContain('without liability');
    expect(files[name]).not.toMatch(/INCLUDETEXT|fldChar/);
    expect(files['word/_rels/document.xml.rels']).toContain(`Target="/${name}"`);
  });

  test('a picture in the folder of embedded files', async () => {
    const files = await packed({
      body: paragraph(shown('text')),
      files: { 'embeddings/a.png': 'picture', 'embeddings/a.xml': '<a/>', 'glossary/document.xml': '<a/>' },
      relationships: [
        ['i1', 'image', 'embeddings/a.png'],
        ['i2', 'package', 'embeddings/a.xml'],
        ['i3', 'glossaryDocument', 'glossary/document.xml'],
      ],
    });
    expect(Object.keys(files).filter((name) => /embeddings|glossary/.test(name))).toEqual([
      'word/embeddings/a.png',
    ]);
  });

  test('a header among relationships refuses the document', async () => {
    const safe = await safeDocx(zipOf(moved('header1.xml', 'word/_rels/header1.rels')));
    expect(safe).toEqual({ ok: false, reason: 'unreadable' });
  });
});
