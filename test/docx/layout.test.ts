// The layout of a DOCX: where text, lists, tables and pages end up. Looks at the marks, not at a picture.
import { describe, expect, test } from 'vitest';
import { openPackage, readParts } from '../../src/docx/package.ts';
import { type LaidOutPage, layoutPages } from '../../src/docx/pages.ts';
import { readWordDocument } from '../../src/docx/read-document.ts';
import {
  cell,
  type DocxParts,
  docxField,
  docxOf,
  item,
  LISTS,
  paragraph,
  picture,
  row,
  run,
  STYLES,
  section,
  table,
} from '../support/documents/docx.ts';
import { sampleOf } from '../support/tier.ts';

const layout = async (parts: DocxParts | string): Promise<LaidOutPage[]> =>
  layoutPages(readWordDocument(readParts(await openPackage(docxOf(parts)))));

type Text = { text: string; x: number; y: number; size: number; color: string };

const textsOf = (page: LaidOutPage | undefined): Text[] =>
  (page?.marks ?? []).flatMap((mark) =>
    mark.kind === 'text'
      ? [
          {
            text: mark.runs.map(({ text }) => text).join(''),
            x: mark.x,
            y: mark.y,
            size: mark.size,
            color: mark.color,
          },
        ]
      : [],
  );

/** Lists the text of each line, from the top. */
function linesOf(page: LaidOutPage | undefined): string[] {
  const lines = new Map<number, Text[]>();
  for (const entry of textsOf(page)) {
    const y = Math.round(entry.y);
    lines.set(y, [...(lines.get(y) ?? []), entry]);
  }
  const sorted = [...lines].sort(([a], [b]) => a - b).map(([, line]) => line.sort((a, b) => a.x - b.x));
  return sorted.map((line) => line.map(({ text }) => text.trim()).join(' | '));
}

const placeOf = (page: LaidOutPage | undefined, text: string): Text => {
  const result = textsOf(page).find((entry) => entry.text.trim() === text);
  if (!result)
    throw new Error(`No "${text}" among ${JSON.stringify(textsOf(page).map((entry) => entry.text))}`);
  return result;
};

const barsOf = (page: LaidOutPage | undefined) =>
  (page?.marks ?? []).flatMap((mark) => (mark.kind === 'bar' ? [mark] : []));
const MARGIN = 72;
const A4_WIDTH = 595.3;
const A4 = section('');
const lorem = (words: number): string =>
  Array.from({ length: words }, (_, index) => `word${index}`).join(' ');

describe('paragraphs', () => {
  test('stand in the margins, one under the other, and break at words', async () => {
    const [page] = await layout(paragraph(lorem(60)) + paragraph('next') + A4);
    const lines = linesOf(page);
    expect(lines.join(' ')).toBe(`${lorem(60)} next`);
    expect(lines.length).toBeGreaterThan(4);
    for (const { x } of textsOf(page)) expect(x).toBeCloseTo(MARGIN, 1);
  });

  test.each(
    sampleOf(
      [
        ['right', (x: number) => expect(x).toBeGreaterThan(400)],
        ['center', (x: number) => expect(x).toBeCloseTo(285, -1)],
        ['left', (x: number) => expect(x).toBeCloseTo(MARGIN, 1)],
      ],
      2,
    ),
  )('%s', async (align, check) => {
    const [page] = await layout(paragraph('text', `<w:jc w:val="${align}"/>`) + A4);
    check(placeOf(page, 'text').x);
  });

  test('justified lines end at the right margin, the last one does not', async () => {
    const [page] = await layout(paragraph(lorem(40), '<w:jc w:val="both"/>') + A4);
    const first = textsOf(page).filter(({ y }) => y === textsOf(page)[0]!.y);
    const free = await layout(paragraph(lorem(40)) + A4);
    expect(first.length).toBeGreaterThan(1);
    expect(linesOf(page).at(-1)).toBe(linesOf(free[0]).at(-1));
  });

  test('properties of styles: defaults, what a style is based on, its own, and those of the text', async () => {
    const heading = paragraph('Heading', '<w:pStyle w:val="Heading2"/>');
    const [page] = await layout({
      body: heading + paragraph(run('red', '<w:color w:val="FF0000"/>')) + A4,
      styles: STYLES,
    });
    expect(placeOf(page, 'Heading')).toMatchObject({ color: '2F5496' });
    expect(placeOf(page, 'Heading').size / placeOf(page, 'red').size).toBeCloseTo(26 / 22, 2);
    expect(placeOf(page, 'red').color).toBe('FF0000');
  });

  test('underlined, struck, highlighted and shaded text has bars', async () => {
    const marked =
      run('a', '<w:u w:val="single"/>') + run('b', '<w:strike/>') + run('c', '<w:highlight w:val="yellow"/>');
    const [page] = await layout(paragraph(marked) + A4);
    expect(
      barsOf(page)
        .map(({ color }) => color)
        .sort(),
    ).toEqual(['000000', '000000', 'FFFF00']);
  });

  test('tabs: to the left, to the right with dots, and the default stops', async () => {
    const tabs =
      '<w:tabs><w:tab w:val="left" w:pos="2880"/><w:tab w:val="right" w:leader="dot" w:pos="9000"/></w:tabs>';
    const tab = '<w:r><w:tab/></w:r>';
    const [page] = await layout(
      paragraph(`${run('a')}${tab}${run('b')}${tab}${run('end')}`, tabs) +
        paragraph(`${tab}${run('c')}`) +
        A4,
    );
    expect(placeOf(page, 'b').x).toBeCloseTo(MARGIN + 144, 1);
    expect(placeOf(page, 'end').x).toBeGreaterThan(MARGIN + 420);
    expect(textsOf(page).some(({ text }) => /^\.{20,}$/.test(text))).toBe(true);
    expect(placeOf(page, 'c').x).toBeCloseTo(MARGIN + 36, 1);
  });

  test('a word that is longer than a line comes apart, and none of it is lost', async () => {
    const [page] = await layout(paragraph('x'.repeat(300)) + A4);
    expect(linesOf(page).join('')).toBe('x'.repeat(300));
    for (const line of linesOf(page)) expect(line.length).toBeLessThan(150);
  });

  test('text from right to left begins at the right, and keeps its numbers', async () => {
    const [page] = await layout(paragraph(run('שלום 123 עולם', '<w:rtl/>'), '<w:bidi/>') + A4);
    const [left, right] = [placeOf(page, 'עולם'), placeOf(page, 'שלום')];
    expect(left.x).toBeLessThan(right.x);
    expect(right.x).toBeGreaterThan(A4_WIDTH - MARGIN - 40);
    expect(textsOf(page).some(({ text }) => text.includes('123'))).toBe(true);
  });

  test('symbols of fonts of symbols, and boxes of forms', async () => {
    const box = '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>';
    const form =
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>';
    const [page] = await layout(
      paragraph(box) + paragraph(form) + paragraph(run('\uf0fc', '<w:rFonts w:ascii="Wingdings"/>')) + A4,
    );
    expect(linesOf(page)).toEqual(['☑', '☒', '✓']);
  });
});

describe('what must not be lost', () => {
  test.each([
    [
      'a text box',
      '<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><wp:extent cx="999999" cy="99999"/><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r><w:t>twice</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>',
    ],
    [
      'a text box of VML',
      '<w:p><w:r><w:pict><v:shape style="width:100pt;height:20pt"><v:textbox><w:txbxContent><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>',
    ],
    [
      'a content control',
      '<w:sdt><w:sdtContent><w:p><w:r><w:t>kept</w:t></w:r></w:p></w:sdtContent></w:sdt>',
    ],
    [
      'something unknown',
      '<w:whatever><w:p><w:unknown><w:r><w:t>kept</w:t></w:r></w:unknown></w:p></w:whatever>',
    ],
    ['a formula', '<w:p><m:oMath><m:r><m:t>kept</m:t></m:r></m:oMath></w:p>'],
    ['a field', paragraph(docxField('MERGEFIELD Name', 'kept'))],
    ['a simple field', '<w:p><w:fldSimple w:instr="AUTHOR"><w:r><w:t>kept</w:t></w:r></w:fldSimple></w:p>'],
    ['text that was deleted', '<w:p><w:del><w:r><w:delText>kept</w:delText></w:r></w:del></w:p>'],
    ['text that was inserted', '<w:p><w:ins><w:r><w:t>kept</w:t></w:r></w:ins></w:p>'],
    ['a run outside of a paragraph', '<w:r><w:t>kept</w:t></w:r>'],
  ])('%s', async (_, body) => {
    const [page] = await layout(body + A4);
    expect(textsOf(page).map(({ text }) => text)).toEqual(['kept']);
  });

  test('a chart leaves its words, and a picture outside of the file its name', async () => {
    const drawing = (content: string) =>
      `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="999999" cy="999999"/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
    const linked =
      '<pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="Logo"/></pic:nvPicPr><pic:blipFill><a:blip r:link="x1"/></pic:blipFill></pic:pic>';
    const chart =
      '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:t>Sales</a:t><c:v>2026</c:v></c:chartSpace>';
    const [page] = await layout({
      body: drawing('<c:chart r:id="c1"/>') + drawing(linked) + A4,
      files: { 'chart.xml': chart },
      relationships: [
        ['c1', 'chart', 'chart.xml'],
        ['x1', 'image', 'https://example.com/a.png', 'External'],
      ],
    });
    const words = page!.marks.flatMap((mark) => (mark.kind === 'picture' ? mark.drawing.words : []));
    expect(words).toEqual(['Sales', '2026', 'Logo']);
  });

  test('hidden text is not shown', async () => {
    const [page] = await layout(paragraph(run('seen') + run('hidden', '<w:vanish/>')) + A4);
    expect(linesOf(page)).toEqual(['seen']);
  });
});

describe('lists', () => {
  test('count by level, begin again below, and start over where that is said', async () => {
    const body = [
      item(1, 0, 'one'),
      item(1, 1, 'one one'),
      item(1, 1, 'one two'),
      item(1, 2, 'letter'),
      item(1, 0, 'two'),
      item(1, 1, 'two one'),
      item(2, 0, 'bullet'),
      item(1, 0, 'three'),
      item(3, 0, 'again'),
    ].join('');
    const [page] = await layout({ body: body + A4, numbering: LISTS });
    expect(linesOf(page)).toEqual([
      '1. | one',
      '1.1. | one one',
      '1.2. | one two',
      '(a) | letter',
      '2. | two',
      '2.1. | two one',
      '• | bullet',
      '3. | three',
      '1. | again',
    ]);
  });

  test('hang: the second line stands under the text, not under the number', async () => {
    const hanging =
      '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:ind w:left="1000" w:hanging="500"/>';
    const [page] = await layout({ body: paragraph(lorem(40), hanging) + A4, numbering: LISTS });
    const starts = new Set(
      textsOf(page)
        .filter(({ text }) => text !== '1.')
        .map(({ x }) => Math.round(x)),
    );
    expect([...starts]).toEqual([MARGIN + 50]);
    expect(placeOf(page, '1.').x).toBeCloseTo(MARGIN + 25, 1);
  });
});

describe('tables', () => {
  const merged = table(
    [2000, 2000, 2000],
    [
      row([cell('wide', '<w:gridSpan w:val="2"/>'), cell('c')]),
      row([cell('tall', '<w:vMerge w:val="restart"/>'), cell('b2'), cell('c2')]),
      row([cell('', '<w:vMerge/>'), cell('b3'), cell('c3')]),
    ],
  );

  test('cells stand in their columns, over several of them and over several rows', async () => {
    const [page] = await layout(merged + A4);
    expect(linesOf(page)).toEqual(['wide | c', 'tall | b2 | c2', 'b3 | c3']);
    expect(placeOf(page, 'c').x).toBeCloseTo(placeOf(page, 'c2').x, 1);
    expect(placeOf(page, 'b3').x).toBeCloseTo(placeOf(page, 'b2').x, 1);
    expect(placeOf(page, 'b2').x - placeOf(page, 'tall').x).toBeCloseTo(100, 1);
  });

  test('lines of the grid are not drawn through a cell of several rows or columns', async () => {
    const [page] = await layout(merged + A4);
    const isBetween = (value: number, from: number, to: number) => value > from + 2 && value < to - 2;
    const [tall, wide] = [placeOf(page, 'tall'), placeOf(page, 'wide')];
    const across = barsOf(page).filter(
      ({ x, width, y }) =>
        width > 50 && isBetween(tall.x + 5, x, x + width) && isBetween(y, tall.y, placeOf(page, 'b3').y + 2),
    );
    const down = barsOf(page).filter(
      ({ x, height, y }) =>
        height > 5 && isBetween(x, wide.x, placeOf(page, 'c').x - 10) && isBetween(wide.y, y, y + height + 6),
    );
    expect(across).toEqual([]);
    expect(down).toEqual([]);
  });

  test('go on over the end of a page, with their head again', async () => {
    const head = row([cell('head')], '<w:tblHeader/>');
    const rows = Array.from({ length: 120 }, (_, index) => row([cell(`row ${index}`)]));
    const pages = await layout(table([4000], [head, ...rows]) + A4);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(linesOf(page)[0]).toBe('head');
    const all = pages.flatMap(linesOf).filter((line) => line !== 'head');
    expect(all).toEqual(rows.map((_, index) => `row ${index}`));
  });

  test('a row that is higher than a page is cut between its lines', async () => {
    const long = Array.from({ length: 150 }, (_, index) => paragraph(`line ${index}`)).join('');
    const pages = await layout(table([4000, 4000], [row([cell(long), cell('beside')])]) + A4);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(textsOf).filter(({ text }) => text.startsWith('line'))).toHaveLength(150);
    for (const page of pages) for (const { y } of textsOf(page)) expect(y).toBeLessThan(842 - MARGIN);
  });

  test('in a table, and with columns as wide as their text where no width is given', async () => {
    const inner = table([0], [row([cell('inner')])]);
    const [page] = await layout(
      table([0, 0], [row([cell(`${inner}${paragraph('')}`), cell('a rather long text')])]) + A4,
    );
    expect(textsOf(page).map(({ text }) => text.trim())).toEqual(['inner', 'a rather long text']);
  });

  test('automatic text is white on a dark cell', async () => {
    const [page] = await layout(
      table([4000], [row([cell('text', '<w:shd w:val="clear" w:fill="1F3864"/>')])]) + A4,
    );
    expect(placeOf(page, 'text').color).toBe('FFFFFF');
  });
});

describe('pages', () => {
  test('have the size, the direction and the margins of their section', async () => {
    const landscape = section('', '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>');
    const pages = await layout(`<w:p><w:pPr>${A4}</w:pPr></w:p>${paragraph('wide')}${landscape}`);
    expect(pages.map(({ width, height }) => [Math.round(width), Math.round(height)])).toEqual([
      [595, 842],
      [842, 595],
    ]);
    expect(linesOf(pages[1])).toEqual(['wide']);
  });

  test('break where a paragraph says so, and where one begins on a new page', async () => {
    const pageBreak = '<w:r><w:br w:type="page"/></w:r>';
    const pages = await layout(
      paragraph(run('a') + pageBreak + run('b')) + paragraph('c', '<w:pageBreakBefore/>') + A4,
    );
    expect(pages.map(linesOf)).toEqual([['a'], ['b'], ['c']]);
  });

  test('have headers and footers with their number: of the first, of even ones and of all others', async () => {
    const references = ['default', 'first', 'even'].map(
      (type, index) => `<w:headerReference w:type="${type}" r:id="header${index + 1}"/>`,
    );
    const pageBreak = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
    const pages = await layout({
      body: `${paragraph('x')}${pageBreak}${paragraph('y')}${pageBreak}${paragraph('z')}${section(`${references.join('')}<w:footerReference w:type="default" r:id="footer1"/><w:titlePg/>`)}`,
      settings: '<w:evenAndOddHeaders/>',
      running: {
        header1: paragraph('odd'),
        header2: paragraph('title'),
        header3: paragraph('even'),
        footer1: paragraph(run('Page ') + docxField('PAGE', '9') + run(' of ') + docxField('NUMPAGES', '9')),
      },
    });
    expect(pages.map((page) => linesOf(page)[0])).toEqual(['title', 'even', 'odd']);
    expect(pages[2] && linesOf(pages[2]).at(-1)?.replaceAll(' | ', ' ')).toBe('Page 3 of 3');
  });

  test('a heading is not left alone at the end of one', async () => {
    const filler = Array.from({ length: 60 }, (_, index) => paragraph(`filler ${index}`)).join('');
    for (let count = 0; count < 6; count += 1) {
      const more = paragraph('more').repeat(count);
      const pages = await layout({
        body: filler + more + paragraph('Heading', '<w:pStyle w:val="Heading1"/>') + paragraph('text') + A4,
        styles: STYLES,
      });
      const page = pages.find((entry) => linesOf(entry).includes('Heading'));
      expect(linesOf(page)).toContain('text');
    }
  });

  test('footnotes stand at the foot of the page that names them, endnotes at the end', async () => {
    const note = (kind: string) =>
      `<w:${kind} w:id="2"><w:p><w:r><w:${kind}Ref/></w:r>${run(` ${kind}`)}</w:p></w:${kind}>`;
    const reference = (kind: string) => `<w:r><w:${kind}Reference w:id="2"/></w:r>`;
    const pages = await layout({
      body: `${paragraph(run('text') + reference('footnote') + reference('endnote'))}<w:p><w:r><w:br w:type="page"/></w:r></w:p>${paragraph('last')}${A4}`,
      footnotes: note('footnote'),
      endnotes: note('endnote'),
    });
    expect(pages).toHaveLength(2);
    expect(linesOf(pages[0]).at(-1)).toContain('footnote');
    expect(textsOf(pages[0]).find(({ text }) => text.includes('footnote'))?.y).toBeGreaterThan(700);
    expect(linesOf(pages[1]).at(-1)).toContain('endnote');
  });

  test('columns: text continues at the top of the next one', async () => {
    const pages = await layout(paragraph(lorem(900)) + section('<w:cols w:num="2" w:space="720"/>'));
    const xs = new Set(textsOf(pages[0]).map(({ x }) => Math.round(x)));
    expect([...xs].sort((a, b) => a - b)[0]).toBe(MARGIN);
    expect([...xs].some((x) => x > A4_WIDTH / 2)).toBe(true);
    expect(
      pages
        .flatMap(linesOf)
        .join(' ')
        .match(/word\d+/g),
    ).toHaveLength(900);
  });

  test('a picture with a place of its own is drawn there, behind the text', async () => {
    const position =
      '<wp:positionH relativeFrom="page"><wp:posOffset>1270000</wp:posOffset></wp:positionH><wp:positionV relativeFrom="page"><wp:posOffset>2540000</wp:posOffset></wp:positionV>';
    const [page] = await layout({
      body: paragraph(run('text') + picture('i1', 50, 40, position)) + A4,
      files: { 'media/a.png': 'picture' },
      relationships: [['i1', 'image', 'media/a.png']],
    });
    expect(page!.behind).toMatchObject([{ kind: 'picture', x: 100, y: 200, width: 50, height: 40 }]);
  });

  test('links lead to pages and letters, and nowhere else', async () => {
    const link = (id: string) => `<w:hyperlink r:id="${id}">${run(id)}</w:hyperlink>`;
    const [page] = await layout({
      body:
        paragraph(link('ok') + link('bad') + docxField('HYPERLINK "mailto:ada@example.com"', 'mail')) + A4,
      relationships: [
        ['ok', 'hyperlink', 'https://example.com/', 'External'],
        ['bad', 'hyperlink', 'file:///etc/passwd', 'External'],
      ],
    });
    const links = page!.marks.flatMap((mark) => (mark.kind === 'link' ? [mark.address] : []));
    expect(links).toEqual(['https://example.com/', 'mailto:ada@example.com']);
  });
});

test('strict files have other namespaces and may say their units', async () => {
  const strict = (text: string) =>
    text
      .replaceAll(
        'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
        'http://purl.oclc.org/ooxml/wordprocessingml/main',
      )
      .replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
        'http://purl.oclc.org/ooxml/officeDocument/relationships',
      );
  const { partsOfDocx, zipOf } = await import('../support/documents/docx.ts');
  const parts = Object.entries(partsOfDocx({ body: paragraph('text', '<w:ind w:start="1in"/>') + A4 }));
  const docx = zipOf(Object.fromEntries(parts.map(([name, content]) => [name, strict(`${content}`)])));
  const [page] = layoutPages(readWordDocument(readParts(await openPackage(docx))));
  expect(placeOf(page, 'text').x).toBeCloseTo(MARGIN + 72, 1);
});
