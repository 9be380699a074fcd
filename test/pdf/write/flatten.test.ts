// A form becomes a part of its pages and looks as before; what acts by itself is gone and named; files in the file stay.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFRawStream,
} from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { STAMP_LIMITS } from '../../../src/pdf/limits.ts';
import { evidenceIn } from '../../../src/pdf/write/certificate/evidence-file.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { colorName, shown } from '../../support/documents/pixels.ts';
import { expectSound, outputOf, stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';
import { SLOW } from '../../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus } from '../../support/tools.ts';

const qpdf = needsCommand('qpdf');
const poppler = needsCommand('pdfdetach');

/** A square of one color that fills its box. */
const square = (color: string, entries = '') =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 10 10]${entries}/Length ${`${color} rg 0 0 10 10 re f`.length}>>\nstream\n${color} rg 0 0 10 10 re f\nendstream`;
const RED = '1 0 0';
const GREEN = '0 1 0';
const BLUE = '0 0 1';

type Parts = { catalog?: string; pages?: string[]; objects?: string[] };

/** Objects 1 and 2 are the catalog and the page tree, then come the pages, then `objects`. */
function file({ catalog = '', pages = [''], objects = [] }: Parts): Buffer {
  const kids = pages.map((_, index) => `${index + 3} 0 R`).join(' ');
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]/MediaBox[0 0 100 100]>>`,
    ...pages.map((page) => `<</Type/Page/Parent 2 0 R${page}>>`),
    ...objects,
  ]);
}

const widget = (rect: string, entries: string) =>
  `<</Type/Annot/Subtype/Widget/F 4/FT/Tx/T(name)/Rect[${rect}]${entries}>>`;

async function looksAsBefore(pdf: Uint8Array, pages = 1) {
  const result = await stampedPdf(pdf);
  for (let page = 0; page < pages; page += 1) {
    const [before, after] = [await shown(pdf, page, 100), await shown(result.pdf, page, 100)];
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    expect(differing(before.rgba, after.rgba)).toBeLessThan(DIFFERENT);
  }
  const document = await PDFDocument.load(result.pdf, { updateMetadata: false });
  expect(document.catalog.has(PDFName.of('AcroForm'))).toBe(false);
  return { ...result, document };
}

/**
 * It is a share of all pixels. PDFium draws a field twice, one over the other, so that the edges of its letters are darker than those of a
 * drawing.
 */
const DIFFERENT = 0.002;
const DARKER = 128;

function differing(a: Uint8Array, b: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 4) {
    const far = [0, 1, 2].some((sample) => Math.abs(a[at + sample]! - b[at + sample]!) > DARKER);
    if (far) count += 1;
  }
  return (count * 4) / a.length;
}

const colorAt = async (pdf: Uint8Array, x: number, y: number, page = 0) =>
  colorName((await shown(pdf, page)).at(x, y));

describe('form fields', () => {
  test('are drawn where they stand, and gone', async () => {
    const pdf = file({
      catalog: '/AcroForm<</Fields[4 0 R]>>',
      pages: ['/Annots[4 0 R]'],
      objects: [widget('20 20 60 60', '/AP<</N 5 0 R>>'), square(RED)],
    });
    const { removed, pdf: after, document } = await looksAsBefore(pdf);
    expect(await colorAt(after, 40, 60)).toBe('red');
    expect(removed).toEqual([{ code: 'form_fields', count: 1, names: ['name'] }]);
    expect(document.getPage(0).node.Annots()).toBeUndefined();
  });

  test('one that belongs to no form is drawn too', async () => {
    const pdf = file({
      pages: ['/Annots[4 0 R]'],
      objects: [widget('20 20 60 60', '/AP<</N 5 0 R>>'), square(RED)],
    });
    expect(await colorAt((await looksAsBefore(pdf)).pdf, 40, 60)).toBe('red');
  });

  test.each([
    ['hidden', '/F 2'],
    ['not to be shown', '/F 32'],
  ])('one that is %s is not drawn', async (_, flags) => {
    const hidden = widget('20 20 60 60', '/AP<</N 5 0 R>>').replace('/F 4', flags);
    const pdf = file({
      catalog: '/AcroForm<</Fields[4 0 R]>>',
      pages: ['/Annots[4 0 R]'],
      objects: [hidden, square(RED)],
    });
    expect(await colorAt((await stampedPdf(pdf)).pdf, 40, 60)).toBe('white');
  });

  test.each([
    ['/AS/On', 'green'],
    ['/AS/Off', 'white'],
    // PDFium shows nothing of it, so that the signers saw nothing.
    ['/V/On', 'white'],
    ['/AS/Other', 'white'],
  ])('a button shows the state it is in: %s', async (state, color) => {
    const button = widget('20 20 60 60', `/AP<</N<</On 5 0 R>>>>${state}`).replace('/FT/Tx', '/FT/Btn');
    const pdf = file({
      catalog: '/AcroForm<</Fields[4 0 R]>>',
      pages: ['/Annots[4 0 R]'],
      objects: [button, square(GREEN)],
    });
    expect(await colorAt((await stampedPdf(pdf)).pdf, 40, 60)).toBe(color);
  });

  test('what they show is turned and moved as they say', async () => {
    const pdf = file({
      catalog: '/AcroForm<</Fields[4 0 R]>>',
      pages: ['/Rotate 90/Annots[4 0 R]'],
      objects: [widget('10 20 50 90', '/AP<</N 5 0 R>>'), square(BLUE, '/Matrix[0 2 -2 0 5 5]')],
    });
    const { pdf: after } = await looksAsBefore(pdf);
    // Turned by a quarter, the box lies from (20, 10) to (90, 50).
    expect(await colorAt(after, 55, 30)).toBe('blue');
    expect(await colorAt(after, 10, 30)).toBe('white');
  });

  test('pages that share their resources show what is theirs', async () => {
    const pdf = file({
      catalog: '/AcroForm<</Fields[6 0 R 7 0 R]>>',
      pages: ['/Resources 5 0 R/Annots[6 0 R]', '/Resources 5 0 R/Annots[7 0 R]'],
      objects: [
        '<</XObject<<>>>>',
        widget('20 20 60 60', '/AP<</N 8 0 R>>'),
        widget('20 20 60 60', '/AP<</N 9 0 R>>'),
        square(RED),
        square(GREEN),
      ],
    });
    const { pdf: after, document } = await looksAsBefore(pdf, 2);
    expect(await colorAt(after, 40, 60, 0)).toBe('red');
    expect(await colorAt(after, 40, 60, 1)).toBe('green');
    for (const page of document.getPages()) {
      const drawings = page.node.Resources()?.lookup(PDFName.of('XObject'), PDFDict);
      expect(drawings?.keys()).toHaveLength(1);
    }
  });

  const TEXT = '/V(Handgloves)/DA(/Helv 12 Tf 0 g)';
  const HELV = '/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';
  test.each([
    ['the file asks for it', `/NeedAppearances true${HELV}`, '/AP<</N 5 0 R>>'],
    ['a field has none', HELV, ''],
  ])('a look is made where %s', async (_, form, number) => {
    const pdf = file({
      catalog: `/AcroForm<</Fields[4 0 R]${form}>>`,
      pages: ['/Annots[4 0 R]'],
      objects: [widget('10 40 95 60', `${TEXT}${number}`), square(RED)],
    });
    const { pdf: after } = await looksAsBefore(pdf);
    const { rgba } = await shown(after);
    expect([...rgba].some((sample) => sample < 64)).toBe(true);
  });

  test('the form of a program is gone, its pages are as they were', async () => {
    const xfa = '<</Length 5>>\nstream\n<xdp>\nendstream';
    const pdf = file({
      catalog: '/AcroForm<</Fields[4 0 R]/XFA 6 0 R>>',
      pages: ['/Annots[4 0 R]'],
      objects: [widget('20 20 60 60', '/AP<</N 5 0 R>>'), square(RED), xfa],
    });
    const { removed, pdf: after } = await looksAsBefore(pdf);
    expect(removed).toContainEqual({ code: 'xfa', count: 1 });
    expect(Buffer.from(after).includes('xdp')).toBe(false);
  });
});

describe('notes', () => {
  const note = '<</Type/Annot/Subtype/Square/Rect[20 20 60 60]/F 4/AP<</N 5 0 R>>>>';
  const pdf = file({ pages: ['/Annots[4 0 R]'], objects: [note, square(RED)] });

  test('stay as they are', async () => {
    const { pdf: after, removed } = await stampedPdf(pdf);
    const document = await PDFDocument.load(after, { updateMetadata: false });
    expect(document.getPage(0).node.Annots()?.size()).toBe(1);
    expect(removed).toEqual([]);
    expect(await colorAt(after, 40, 60)).toBe('red');
  });

  test('do not cover a value', async () => {
    const tick = stampField({ type: 'checkbox', value: 'true', x: 20, y: 40, width: 40, height: 40 });
    const { pdf: after, removed } = await stampedPdf(pdf, [tick]);
    expect(removed).toEqual([{ code: 'annotations', count: 1, names: ['Square'] }]);
    const picture = await shown(after);
    expect(colorName(picture.at(22, 78))).toBe('red');
    expect([...picture.rgba].some((sample, index) => index % 4 === 0 && sample < 64)).toBe(true);
  });
});

describe('links', () => {
  const link = (entries: string) =>
    file({
      pages: ['/Annots[4 0 R]'],
      objects: [
        `<</Type/Annot/Subtype/Link/Rect[60 60 90 90]${entries}/A<</S/URI/URI(http://example.com)>>>>`,
      ],
    });
  const bordersOf = async (pdf: Buffer) => {
    const tick = stampField({ type: 'checkbox', value: 'true', x: 20, y: 60, width: 20, height: 20 });
    const { pdf: after } = await stampedPdf(pdf, [tick]);
    const document = await PDFDocument.load(after, { updateMetadata: false });
    const annotation = document.getPage(0).node.Annots()?.lookup(0, PDFDict);
    return [annotation?.get(PDFName.of('Border'))?.toString(), annotation?.has(PDFName.of('BS'))];
  };

  test('keep a border that lies beside a value', async () => {
    expect(await bordersOf(link('/Border[0 0 2]'))).toEqual(['[ 0 0 2 ]', false]);
  });

  test.each([
    ['/Border[0 0 50]', '/Border'],
    ['/BS<</W 50>>', '/BS'],
  ])('lose one that is wide enough to cover a value: %s', async (entries) => {
    expect(await bordersOf(link(entries))).toEqual(['[ 0 0 0 ]', false]);
  });
});

test.skipIf(!SLOW)('more annotations than viewers read become a part of their page', async () => {
  const count = STAMP_LIMITS.annotations + 1;
  const pdf = file({
    pages: [`/Annots[${'4 0 R '.repeat(count)}]`],
    objects: ['<</Type/Annot/Subtype/Square/Rect[20 20 60 60]/F 4>>'],
  });
  const { pdf: after, removed } = await stampedPdf(pdf);
  expect(removed).toEqual([{ code: 'annotations', count, names: ['Square'] }]);
  expect(Buffer.from(after).includes('/Annots')).toBe(false);
});

describe('what acts by itself', () => {
  const SCRIPT = '<</S/JavaScript/JS(app.alert\\(1\\))>>';
  test.each<[string, Parts, object[]]>([
    ['when the file is opened', { catalog: `/OpenAction${SCRIPT}` }, [{ code: 'javascript', count: 1 }]],
    [
      'under a name',
      { catalog: `/Names<</JavaScript<</Names[(a) ${SCRIPT}]>>>>` },
      [{ code: 'javascript', count: 1 }],
    ],
    ['when the file is closed', { catalog: `/AA<</WC ${SCRIPT}>>` }, [{ code: 'javascript', count: 1 }]],
    [
      'when a page is opened',
      { pages: [`/AA<</O ${SCRIPT}/C ${SCRIPT}>>`] },
      [{ code: 'javascript', count: 2 }],
    ],
    [
      'when a field is left',
      { pages: ['/Annots[4 0 R]'], objects: [widget('0 0 1 1', `/AA<</Bl ${SCRIPT}>>`)] },
      [
        { code: 'form_fields', count: 1, names: ['name'] },
        { code: 'javascript', count: 1 },
      ],
    ],
    [
      'behind a link',
      {
        pages: ['/Annots[4 0 R]'],
        objects: [`<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://a)/Next ${SCRIPT}>>>>`],
      },
      [{ code: 'javascript', count: 1 }],
    ],
    [
      'a program that is started',
      { pages: ['/Annots[4 0 R]'], objects: ['<</Subtype/Link/Rect[0 0 9 9]/A<</S/Launch/F(app.alert)>>>>'] },
      [{ code: 'actions', count: 1, names: ['Launch'] }],
    ],
    [
      'a list of actions',
      { catalog: `/OpenAction<</S/GoTo/D[3 0 R/Fit]/Next[${SCRIPT}]>>` },
      [{ code: 'javascript', count: 1 }],
    ],
  ])('is taken out and named: %s', async (_, pieces, expected) => {
    const pdf = file(pieces);
    const { pdf: after, removed } = await stampedPdf(pdf);
    expect(Buffer.from(pdf).includes('app.alert')).toBe(true);
    expect(Buffer.from(after).includes('app.alert')).toBe(false);
    expect(removed).toEqual(expected);
  });

  test.each([
    [
      'a link',
      {
        pages: ['/Annots[4 0 R]'],
        objects: ['<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://a.example)>>>>'],
      },
      'a.example',
    ],
    ['where to begin', { catalog: '/OpenAction[3 0 R/FitH 70]' }, '/FitH'],
    [
      'attributes of tags',
      { catalog: '/StructTreeRoot<</Type/StructTreeRoot/K<</S/P/A<</O/Layout/S/Odd/Kept true>>>>>>' },
      '/Kept',
    ],
  ])('stays when it is harmless: %s', async (_, parts: Parts, remaining) => {
    const { pdf: after, removed } = await stampedPdf(file(parts));
    expect(Buffer.from(after).includes(remaining)).toBe(true);
    expect(removed).toEqual([]);
  });

  test('nothing is written that nothing leads to', async () => {
    const { pdf: after } = await stampedPdf(file({ objects: ['(left over from before)'] }));
    expect(Buffer.from(after).includes('left over')).toBe(false);
  });
});

describe('earlier signatures', () => {
  const pdf = file({
    catalog: '/AcroForm<</Fields[4 0 R]/SigFlags 3>>/Perms<</DocMDP 6 0 R>>',
    pages: ['/Annots[4 0 R]'],
    objects: [
      widget('20 20 60 60', '/AP<</N 5 0 R>>/V 6 0 R').replace('/FT/Tx', '/FT/Sig'),
      square(GREEN),
      '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 9 12 20]/Contents<3000>>>',
    ],
  });

  test('look as before, and the file they are of is inside, byte for byte', async () => {
    const result = await stampedPdf(pdf, [], { keepOriginal: { name: 'contract.pdf' } });
    expect(result.removed).toEqual([{ code: 'earlier_signatures', count: 1, names: ['name'] }]);
    expect(await colorAt(result.pdf, 40, 60)).toBe('green');
    expect(await embedded(result.pdf)).toEqual([['contract.pdf', pdf.toString('latin1')]]);
    const document = await PDFDocument.load(result.pdf, { updateMetadata: false });
    expect(document.catalog.has(PDFName.of('Perms'))).toBe(false);
    expect(Buffer.from(result.pdf).includes('/ByteRange')).toBe(false);
  });

  test.skipIf(poppler.skip)(`poppler finds the file${poppler.why}`, async () => {
    const result = await stampedPdf(pdf, [], { keepOriginal: { name: 'Vertrag ä.pdf' } });
    expect(await outputOf(result.pdf, 'pdfdetach', '-list', 'FILE')).toContain('Vertrag ä.pdf');
  });
});

/** Names and contents. */
async function embedded(pdf: Uint8Array): Promise<[string, string][]> {
  const { catalog, context } = await PDFDocument.load(pdf, { updateMetadata: false });
  const names = catalog.lookup(PDFName.of('Names'), PDFDict).lookup(PDFName.of('EmbeddedFiles'), PDFDict);
  const flat = names.lookup(PDFName.of('Names'), PDFArray);
  const matches: [string, string][] = [];
  for (let index = 1; index < flat.size(); index += 2) {
    const specification = flat.lookup(index, PDFDict);
    const stream = specification.lookup(PDFName.of('EF'), PDFDict).get(PDFName.of('F'));
    const content = decodePDFRawStream(context.lookup(stream) as PDFRawStream).decode();
    const name = specification.lookup(PDFName.of('UF')) as unknown as { decodeText(): string };
    matches.push([name.decodeText(), Buffer.from(content).toString('latin1')]);
  }
  return matches;
}

describe('files in the file', () => {
  const attached = (name: string, content: string) =>
    `<</Type/Filespec/F(${name})/UF(${name})/EF<</F<</Type/EmbeddedFile>>>>>>`.replace(
      '<</F<</Type/EmbeddedFile>>>>',
      `<</F ${content} 0 R>>`,
    );
  const stream = (text: string) => `<</Type/EmbeddedFile/Length ${text.length}>>\nstream\n${text}\nendstream`;

  test('stay and are named, however deep their tree is', async () => {
    const pdf = file({
      catalog:
        '/Names<</EmbeddedFiles<</Kids[<</Kids[<</Limits[(a)(a)]/Names[(a) 4 0 R]>>]>><</Names[(b) 6 0 R]>>]>>>>',
      objects: [attached('one.txt', '5'), stream('first'), attached('two.txt', '7'), stream('second')],
    });
    const { pdf: after, removed } = await stampedPdf(pdf);
    expect(removed).toEqual([{ code: 'embedded_files_kept', count: 2, names: ['one.txt', 'two.txt'] }]);
    expect(await embedded(after)).toEqual([
      ['one.txt', 'first'],
      ['two.txt', 'second'],
    ]);
  });

  test('none of them passes for the record of the transaction', async () => {
    const pdf = file({
      catalog: '/Names<</EmbeddedFiles<</Names[(x) 4 0 R]>>>>',
      objects: [attached('esign-evidence.json', '5'), stream('{}')],
    });
    const { pdf: after } = await stampedPdf(pdf);
    expect(await embedded(after)).toEqual([['esign-evidence (2).json', '{}']]);
  });

  test.each([
    ['an associated file that no tree names', '/AF[4 0 R]', 'esign-evidence.json'],
    [
      'a file whose name is in UTF-8',
      '/Names<</EmbeddedFiles<</Names[(x) 4 0 R]>>>>/AF[4 0 R]',
      '\\357\\273\\277esign-evidence.json',
    ],
  ])('%s does not pass for the record either', async (_, catalog, name) => {
    const pdf = file({ catalog, objects: [attached(name, '5'), stream('{}')] });
    const { pdf: after, removed } = await stampedPdf(pdf);
    expect(await embedded(after)).toEqual([['esign-evidence (2).json', '{}']]);
    expect(evidenceIn(after)).toBeUndefined();
    expect(removed).toEqual([{ code: 'embedded_files_kept', count: 1, names: ['esign-evidence (2).json'] }]);
  });
});

const corpus = needsCorpus();
const real = (name: string) => join(CORPUS, 'py-pdf-sample-files', name);

describe.skipIf(corpus.skip)(`forms of real files${corpus.why}`, () => {
  test.each(['libreoffice-form.pdf', 'pdflatex-forms.pdf'])('%s looks as before', async (name) => {
    if (!existsSync(real(name))) throw new Error(`There is no ${name}.`);
    const { pdf } = await looksAsBefore(readFileSync(real(name)));
    if (!qpdf.skip) await expectSound(pdf);
  });
});
