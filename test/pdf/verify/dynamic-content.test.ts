// What makes programs show a signed document differently is named with its place, each kind of it; what waits for a click is not.
import { expect, test } from 'vitest';
import { VERIFY_LIMITS } from '../../../src/pdf/limits.ts';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { dynamicContentOf } from '../../../src/pdf/verify/verify.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../support/documents/signed-pdf.ts';

function contentOf(bytes: Buffer) {
  const file = readPdf(bytes);
  if (!file.ok) throw new Error(file.reason);
  return dynamicContentOf(file.latest);
}

const contentWith = (objects: Objects) => contentOf(updated(basePdf(), objects, '/Root 1 0 R/Info 11 0 R'));

const SCRIPT = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
const catalog = (entries: string, more: Objects = {}): Objects => ({
  [N.catalog]: CATALOG(entries),
  ...more,
});
const page = (entries: string, more: Objects = {}): Objects => ({
  [N.page]: PAGE(PAGE_ANNOTATIONS, entries),
  ...more,
});
const text = (entries: string, more: Objects = {}): Objects => ({
  [N.text]: TEXT_FIELD('/V(1)', entries),
  ...more,
});
const annotation = (entries: string, more: Objects = {}): Objects => ({
  [N.note]: `<</Type/Annot/Rect[200 150 220 170]/P 3 0 R${entries}>>`,
  ...more,
});
const drawing = (entries: string | Buffer): Objects => ({
  [N.page]: PAGE(PAGE_ANNOTATIONS).replace('/Resources<<', '/Resources<</XObject<</X 40 0 R>>'),
  40: typeof entries === 'string' ? streamOf('', `/Type/XObject${entries}`) : entries,
});
const form = (entries: string): Objects => ({ [N.form]: FORM('7 0 R 9 0 R', entries) });
const layer = (usage: string, usual = ''): Objects => ({
  [N.catalog]: CATALOG(`/OCProperties<</OCGs[41 0 R]/D<<${usual}>>>>`),
  41: `<</Type/OCG/Name(Price)/Usage<<${usage}>>>>`,
});

test('a plain file with a form, a note and a link has none', () => {
  expect(contentOf(basePdf())).toEqual([]);
  expect(contentWith(annotation('/Subtype/Link/A<</S/URI/URI(https://example.com)>>'))).toEqual([]);
});

const HERE = { page: 0, more: 0, action: undefined };
const OF_DOCUMENT = { ...HERE, page: undefined };

test.each<[string, Objects, object]>([
  [
    'a script of the document',
    catalog('/Names<</JavaScript<</Names[(a) 40 0 R]>>>>', { 40: SCRIPT }),
    { ...OF_DOCUMENT, kind: 'script', object: 40 },
  ],
  [
    'a script below a node of the names',
    catalog('/Names<</JavaScript<</Kids[42 0 R]>>>>', { 42: `<</Names[(a)${SCRIPT}(b)${SCRIPT}]>>` }),
    { ...OF_DOCUMENT, kind: 'script', object: 42, more: 1 },
  ],
  [
    'a script when the document is opened',
    catalog(`/OpenAction${SCRIPT}`),
    { ...OF_DOCUMENT, kind: 'script', object: N.catalog },
  ],
  [
    'a script behind an action that only turns the page',
    catalog('/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[40 0 R]>>', { 40: SCRIPT }),
    { ...OF_DOCUMENT, kind: 'script', object: 40 },
  ],
  [
    'a script of a rendition',
    catalog('/OpenAction<</S/Rendition/OP 0/JS(1)>>'),
    { ...OF_DOCUMENT, kind: 'script', object: N.catalog },
  ],
  [
    'a script before printing',
    catalog(`/AA<</WP${SCRIPT}>>`),
    { ...OF_DOCUMENT, kind: 'script', object: N.catalog },
  ],
  ['a script of a page', page(`/AA<</O${SCRIPT}>>`), { ...HERE, kind: 'script', object: N.page }],
  [
    'a script of an annotation',
    annotation(`/Subtype/Text/AA<</PV${SCRIPT}>>`),
    { ...HERE, kind: 'script', object: N.note },
  ],
  [
    'another document that is opened',
    catalog('/OpenAction<</S/GoToR/F(other.pdf)/D[0/Fit]>>'),
    { ...OF_DOCUMENT, kind: 'action', action: 'GoToR', object: N.catalog },
  ],
  [
    'a program that is started',
    catalog('/OpenAction<</S/Launch/F(a.exe)>>'),
    { ...OF_DOCUMENT, kind: 'action', action: 'Launch', object: N.catalog },
  ],
  [
    'values that are sent when a page is opened',
    page('/AA<</O<</S/SubmitForm/F(https://example.com)>>>>'),
    { ...HERE, kind: 'action', action: 'SubmitForm', object: N.page },
  ],
  [
    'values that are loaded when a page is opened',
    page('/AA<</O<</S/ImportData/F(a.fdf)>>>>'),
    { ...HERE, kind: 'action', action: 'ImportData', object: N.page },
  ],
  [
    'layers that are switched when the document is opened',
    catalog('/OpenAction<</S/SetOCGState/State[/OFF 41 0 R]>>'),
    { ...OF_DOCUMENT, kind: 'action', action: 'SetOCGState', object: N.catalog },
  ],
  [
    'an action of an unknown type',
    catalog('/OpenAction<</S/Show#20this>>'),
    { ...OF_DOCUMENT, kind: 'action', action: 'unknown', object: N.catalog },
  ],
  [
    'an order of calculation',
    form('/CO[7 0 R]'),
    { ...OF_DOCUMENT, kind: 'calculated_fields', object: N.form },
  ],
  [
    'a field that is calculated',
    text(`/AA<</C${SCRIPT}>>`),
    { ...HERE, kind: 'calculated_fields', object: 7 },
  ],
  [
    'a field that is formatted, above its box',
    {
      [N.text]: '<</Type/Annot/Subtype/Widget/Rect[10 10 100 30]/F 4/P 3 0 R/Parent 40 0 R>>',
      40: `<</FT/Tx/T(amount)/Kids[7 0 R]/AA<</F${SCRIPT}>>>>`,
      [N.form]: FORM('40 0 R 9 0 R'),
    },
    { ...HERE, kind: 'formatted_fields', object: 40 },
  ],
  ['a dynamic form', form('/XFA[(a) 40 0 R]'), { ...OF_DOCUMENT, kind: 'dynamic_form', object: N.form }],
  [
    'a form that has to be drawn by the program',
    catalog('/NeedsRendering true'),
    { ...OF_DOCUMENT, kind: 'dynamic_form', object: N.form },
  ],
  [
    'a page of another document',
    drawing('/Subtype/Form/BBox[0 0 9 9]/Ref<</F(other.pdf)/Page 0>>'),
    { ...HERE, kind: 'external_content', object: 40 },
  ],
  [
    'an image in another file',
    drawing('/Subtype/Image/F<</FS/URL/F(https://example.com/a.png)>>'),
    { ...HERE, kind: 'external_content', object: 40 },
  ],
  [
    'an image that is replaced when it is printed',
    drawing('/Subtype/Image/OPI<<>>'),
    { ...HERE, kind: 'external_content', object: 40 },
  ],
  [
    'an image with an alternate',
    drawing('/Subtype/Image/Alternates[<</Image 42 0 R/DefaultForPrinting true>>]'),
    { ...HERE, kind: 'alternate_image', object: 40 },
  ],
  ['PostScript', drawing('/Subtype/PS'), { ...HERE, kind: 'postscript', object: 40 }],
  [
    'PostScript in a form',
    drawing('/Subtype/Form/Subtype2/PS/BBox[0 0 9 9]'),
    { ...HERE, kind: 'postscript', object: 40 },
  ],
  [
    'a model that starts with its page',
    annotation('/Subtype/3D/3DA<</A/PO>>'),
    { ...HERE, kind: 'media', object: N.note },
  ],
  [
    'media that start when they are visible',
    annotation('/Subtype/RichMedia/RichMediaSettings<</Activation<</Condition/PV>>>>'),
    { ...HERE, kind: 'media', object: N.note },
  ],
  [
    'a field on paper only',
    { [N.text]: TEXT_FIELD('/V(1)').replace('/F 4', '/F 36') },
    { ...HERE, kind: 'paper_only', object: 7 },
  ],
  [
    'a layer on paper only',
    layer('/Print<</PrintState/ON>>/View<</ViewState/OFF>>', '/OFF[41 0 R]'),
    { ...OF_DOCUMENT, kind: 'layers', object: 41 },
  ],
  [
    'a layer on the screen only',
    layer('/Print<</PrintState/OFF>>'),
    { ...OF_DOCUMENT, kind: 'layers', object: 41 },
  ],
  ['a layer by zoom', layer('/Zoom<</min 2>>'), { ...OF_DOCUMENT, kind: 'layers', object: 41 }],
  ['a layer by language', layer('/Language<</Lang(de)>>'), { ...OF_DOCUMENT, kind: 'layers', object: 41 }],
  [
    'a layer by an expression, used by a page',
    {
      [N.page]: PAGE(PAGE_ANNOTATIONS).replace('/Resources<<', '/Resources<</Properties<</L 42 0 R>>'),
      42: '<</Type/OCMD/VE[/Not 41 0 R]>>',
      41: '<</Type/OCG/Name(Price)>>',
    },
    { ...HERE, kind: 'layers', object: 42 },
  ],
  ['a portfolio', catalog('/Collection<<>>'), { ...OF_DOCUMENT, kind: 'portfolio', object: N.catalog }],
  ['pages of websites', catalog('/SpiderInfo<</V 1.0>>'), { ...OF_DOCUMENT, kind: 'web_capture', object: 1 }],
])('%s is found', (_, objects, item) => {
  expect(contentWith(objects)).toEqual([item]);
});

test.each<[string, Objects]>([
  ['a destination on opening', catalog('/OpenAction[3 0 R/Fit]')],
  ['another page on opening', catalog('/OpenAction<</S/GoTo/D[3 0 R/Fit]>>')],
  ['a script on closing or saving', catalog(`/AA<</WC${SCRIPT}/WS${SCRIPT}>>`)],
  ['a button', annotation(`/Subtype/Link/A${SCRIPT}`)],
  ['a script on a click', annotation(`/Subtype/Text/AA<</D${SCRIPT}/U${SCRIPT}>>`)],
  ['a check of what is typed', text(`/AA<</K${SCRIPT}/V${SCRIPT}>>`)],
  ['no names of scripts', catalog('/Names<</JavaScript<</Names[]>>>>')],
  ['an empty order of calculation', form('/CO[]')],
  ['a model that starts on a click', annotation('/Subtype/3D/3DA<</A/XA>>')],
  ['a box that is hidden anyway', { [N.seal]: SEAL_FIELD('/AP<</N 8 0 R>>').replace('/F 4', '/F 38') }],
  [
    'a layer that is everywhere the same',
    layer(
      '/CreatorInfo<</Creator(A)>>/Print<</PrintState/ON>>/View<</ViewState/ON>>/Export<</ExportState/OFF>>',
    ),
  ],
  ['a layer that is hidden everywhere', layer('/Print<</PrintState/OFF>>', '/BaseState/OFF')],
  [
    'resources with names of entries',
    drawing('/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F 5 0 R/Ref 5 0 R/OPI 5 0 R>>>>'),
  ],
])('%s is not', (_, objects) => {
  expect(contentWith(objects)).toEqual([]);
});

test('places of one kind are counted, and the first one is named', () => {
  const pages = [3, 4, 5].map(
    (number) => `<</Type/Page/Parent 2 0 R/AA<</O ${number === 3 ? '6' : '7'} 0 R>>>>`,
  );
  const file = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>',
    ...pages,
    '<</S/GoTo>>',
    SCRIPT,
  ]);
  expect(contentOf(file)).toEqual([{ ...HERE, kind: 'script', object: 7, page: 1, more: 1 }]);
});

test('cycles of actions, names and drawings end', () => {
  expect(
    contentWith({
      ...catalog('/OpenAction 40 0 R/Names<</JavaScript 42 0 R>>'),
      40: '<</S/Named/N/NextPage/Next[40 0 R 41 0 R]>>',
      41: '<</S/Hide/T(a)/Next 40 0 R>>',
      42: '<</Kids[42 0 R 42 0 R]>>',
    }),
  ).toEqual([{ ...OF_DOCUMENT, kind: 'action', action: 'Hide', object: 41 }]);
});

test('a document that takes too long to be searched is said not to have been', () => {
  const lists = Array.from({ length: VERIFY_LIMITS.dynamicContentSteps / 1000 }, (_, index) => index + 50);
  const pageOf = (numbers: readonly number[]): Objects => ({
    ...page(`/Z[${numbers.map((number) => `${number} 0 R`).join(' ')}]`),
    ...Object.fromEntries(numbers.map((number) => [number, `[${'<<>>'.repeat(1000)}]`])),
  });
  expect(contentWith(pageOf(lists.slice(0, 10)))).toEqual([]);
  expect(contentWith(pageOf(lists))).toMatchObject([{ kind: 'not_searched' }]);
});
