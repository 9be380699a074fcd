// What our own layout of a Word document does not draw is named, one by one, with its page.
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { remarkOf } from '../../src/api/contract/documents.ts';
import { docxToPdf } from '../../src/docx/docx-to-pdf.ts';
import { type DocxParts, docxOf, paragraph, picture, run, section } from '../support/documents/docx.ts';
import { photograph } from '../support/documents/pictures.ts';
import { sampleOf } from '../support/tier.ts';

const inline = (graphic: string) =>
  `<w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="x">${graphic}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
const shape = (form: string, more = '', content = '') =>
  `<wps:wsp><wps:spPr><a:prstGeom prst="${form}"/>${more}</wps:spPr>${content}</wps:wsp>`;
const chart = inline('<c:chart r:id="none"/>');
const pageBreak = paragraph('<w:r><w:br w:type="page"/></w:r>');
const box = '<wps:txbx><w:txbxContent><w:p><w:r><w:t>words</w:t></w:r></w:p></w:txbxContent></wps:txbx>';

async function lostIn(parts: DocxParts | string): Promise<string[]> {
  const converted = await docxToPdf(docxOf(parts));
  if (!converted.ok) throw new Error(JSON.stringify(converted));
  return converted.remarks
    .filter(({ code }) => code === 'content_not_shown')
    .map(({ what, page }) => `${what} ${page! + 1}`);
}

test.each<[string, string, string[]]>(
  sampleOf(
    [
      ['a chart on its page', paragraph('first') + pageBreak + paragraph(chart), ['chart 2']],
      ['each of two', paragraph(chart) + pageBreak + paragraph(chart), ['chart 1', 'chart 2']],
      ['a shape without text', paragraph(inline(shape('star5'))), ['shape 1']],
      ['a curved line', paragraph(inline(shape('curvedConnector3'))), ['line 1']],
      ['a box that could cover text', paragraph(inline(shape('rect'))), ['shape 1']],
      ['a box that is turned', paragraph(inline(shape('line', '<a:xfrm rot="900000"/>'))), ['line 1']],
      ['an object that is not known', paragraph(inline('<w:later/>')), ['object 1']],
      ['a picture that is not in the file', paragraph(picture('none', 10, 10)), ['image 1']],
      [
        'shapes of an older format, a kind once',
        paragraph('<w:r><w:pict><v:group><v:rect/><v:rect/><v:line/></v:group></w:pict></w:r>'),
        ['shape 1', 'line 1'],
      ],
      ['an embedded object without a picture', paragraph('<w:r><w:object/></w:r>'), ['object 1']],
    ],
    2,
  ),
)('%s', async (_, body, expected) => {
  expect(await lostIn(body)).toEqual(expected);
});

test.each<[string, string]>([
  ['text', paragraph('text')],
  ['a line', paragraph(inline(shape('line')))],
  ['an empty box', paragraph(inline(shape('rect', '<a:noFill/>')))],
  ['a rule between paragraphs', paragraph('<w:r><w:pict><v:rect o:hr="t" fillcolor="gray"/></w:pict></w:r>')],
  ['a shape with text', paragraph(inline(shape('rect', '', box)))],
  ['a shape that cannot be seen', paragraph(inline(shape('rect', '<a:noFill/><a:ln><a:noFill/></a:ln>')))],
  [
    'an invisible shape of an older format',
    paragraph('<w:r><w:pict><v:rect stroked="f" filled="f"/></w:pict></w:r>'),
  ],
  ['the definition of a shape', paragraph('<w:r><w:pict><v:shapetype/></w:pict></w:r>')],
  [
    'words behind the page',
    paragraph('<w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r>'),
  ],
])('%s loses nothing', async (_, body) => {
  expect(await lostIn(body)).toEqual([]);
});

test('a straight line and an empty box are drawn where the document has them', async () => {
  const flipped = shape(
    'line',
    '<a:xfrm flipV="1"/><a:ln w="25400"><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></a:ln>',
  );
  const body = paragraph(inline(flipped)) + paragraph(inline(shape('rect', '<a:noFill/>')));
  const converted = await docxToPdf(docxOf(body));
  if (!converted.ok) throw new Error(JSON.stringify(converted));
  const content = contentOf(converted.pdf);
  // 100 points wide and 50 high, from the bottom left corner to the top right one.
  const line = /1 0 0 RG 2 w (\S+) (\S+) m (\S+) (\S+) l S/.exec(content)?.slice(1).map(Number);
  expect([line![2]! - line![0]!, line![3]! - line![1]!]).toEqual([100, 50]);
  expect(content).toMatch(/0 0 0 RG 0.75 w \S+ \S+ 100 50 re S/);
});

/** Reads the operators of its first page. */
function contentOf(pdf: Uint8Array): string {
  const bytes = Buffer.from(pdf);
  for (let at = bytes.indexOf('stream\n'); at !== -1; at = bytes.indexOf('stream\n', at + 1)) {
    try {
      const content = inflateSync(bytes.subarray(at + 7)).toString('latin1');
      if (content.includes(' RG ')) return content;
    } catch {
      // Another kind of stream.
    }
  }
  return '';
}

test('a picture is lost only where it cannot be drawn, and what a header repeats is reported once', async () => {
  const pieces = (bytes: Uint8Array): DocxParts => ({
    body:
      paragraph(picture('i1', 10, 10)) +
      pageBreak +
      section('<w:headerReference w:type="default" r:id="header1"/>'),
    running: { header1: paragraph(run('head') + inline(shape('star5'))) },
    files: { 'media/a.jpg': bytes },
    relationships: [['i1', 'image', 'media/a.jpg']],
  });
  expect(await lostIn(pieces(photograph()))).toEqual(['shape 1']);
  expect((await lostIn(pieces(Buffer.from('\xd7\xcd\xc6\x9a')))).sort()).toEqual(['image 1', 'shape 1']);
});

test('the remark names what it is and the page', () => {
  expect(remarkOf({ code: 'content_not_shown', page: 1, what: 'chart' }).message).toMatch(
    /^A chart on page 2 is not shown/,
  );
});

test.each(['LISTNUM \\l 1', 'AUTONUM'])('a number that only Word computes is refused: %s', async (code) => {
  const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
  const body = paragraph(
    `${run('Clause ')}${mark('begin')}<w:r><w:instrText> ${code} </w:instrText></w:r>${mark('end')}`,
  );
  expect(await docxToPdf(docxOf(body))).toMatchObject({
    ok: false,
    limit: 'number_field',
    near: `Clause ${code}`,
  });
});
