// What a signer saw is what is sealed: for each kind of annotation and form field, with a look of its own and without, the stamped page has the
// same picture as the page that was sent, outside of the values that were filled in.
import { expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { showsOther } from '../../../src/pdf/write/compare-stamped.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { shown } from '../../support/documents/pixels.ts';
import { stampedPdf, stampField } from '../../support/documents/stamped-pdf.ts';
import { sampleOf } from '../../support/tier.ts';

const LOOK = '/AP<</N 5 0 R>>';
const STATES = '/AP<</N<</Yes 5 0 R>>>>';
const BOTH_STATES = '/AP<</N<</Yes 5 0 R/Off 7 0 R>>>>';
const FORM = '/DR<</Font<</Helv 6 0 R>>>>/DA(/Helv 12 Tf 0 g)';
/** A field that no form lists is drawn all the same. */
const FORMS = [
  `/AcroForm<</Fields[4 0 R]${FORM}>>`,
  `/AcroForm<</Fields[4 0 R]${FORM}/NeedAppearances true>>`,
  `/AcroForm<</Fields[]${FORM}>>`,
  '',
];
const square =
  '<</Type/XObject/Subtype/Form/BBox[0 0 10 10]/Length 24>>\nstream\n1 0 0 rg 0 0 10 10 re f \nendstream';

const QUADS = '/QuadPoints[40 80 120 80 40 60 120 60]';
const TWO_QUADS = '/QuadPoints[40 80 80 80 40 70 80 70 20 40 120 40 20 30 120 30]';
const KINDS: Record<string, string> = {
  Text: '/Contents(a note)',
  FreeText: '/DA(/Helv 12 Tf 1 0 0 rg)/Contents(EUR 900)',
  Line: '/L[40 60 120 80]/C[1 0 0]',
  Square: '/C[1 0 0]/IC[0 0 1]',
  Circle: '/C[1 0 0]',
  Polygon: '/Vertices[40 60 120 60 80 80]/C[1 0 0]',
  PolyLine: '/Vertices[40 60 120 60 80 80]/C[1 0 0]',
  Highlight: `${QUADS}/C[1 1 0]`,
  Underline: `${QUADS}/C[1 0 0]`,
  Squiggly: `${QUADS}/C[1 0 0]`,
  StrikeOut: `${QUADS}/C[1 0 0]`,
  // Where the text is, wherever the rectangle is.
  'Highlight/Rect[500 500 510 505]': `${TWO_QUADS}/C[1 0 0]`,
  'Underline/Rect[150 150 160 155]': `${TWO_QUADS}/C[1 0 0]`,
  Stamp: '/Name/Approved',
  Caret: '',
  Ink: '/InkList[[40 60 120 80 60 80]]/C[1 0 0]',
  FileAttachment: '/Contents(a file)',
  Redact: `${QUADS}/IC[0 0 0]`,
  Popup: '/Open true/Contents(words)',
  Link: '',
  'Link/Border[0 0 2]/C[1 0 0]': '',
  'Link/Border[0 0 0]': '',
  'Link/BS<</W 3/S/U>>/C[0 1 0]': '',
  Watermark: '',
  Screen: '',
  Sound: '',
  Movie: '',
  Unknown: '',
};
const WIDGETS: Record<string, string> = {
  'text field': '/FT/Tx/T(a)/V(Grace)/DA(/Helv 12 Tf 0 g)',
  'empty text field': '/FT/Tx/T(a)/DA(/Helv 12 Tf 0 g)/MK<</BC[1 0 0]/BG[0 0 1]>>',
  'checked box by value': '/FT/Btn/T(a)/V/Yes',
  'checked box by state': '/FT/Btn/T(a)/AS/Yes/V/Yes',
  'box whose value is not its state': '/FT/Btn/T(a)/AS/Off/V/Yes',
  'box of an unknown state': '/FT/Btn/T(a)/AS/Other',
  'radio button': '/FT/Btn/Ff 32768/T(a)/V/Yes/MK<</CA(l)>>',
  'push button': '/FT/Btn/Ff 65536/T(a)/MK<</CA(Press)/BG[0 1 0]>>',
  choice: '/FT/Ch/T(a)/V(one)/Opt[(one)(two)]/DA(/Helv 12 Tf 0 g)',
  list: '/FT/Ch/T(a)/V(two)/I[1]/Opt[(one)(two)]/DA(/Helv 12 Tf 0 g)',
  'signature field': '/FT/Sig/T(a)',
};
const FLAGS = {
  plain: 0,
  printed: 4,
  invisible: 1,
  hidden: 2,
  'not viewed': 32,
  'not printed and locked': 128,
};

const file = (annotation: string, catalog: string): Uint8Array =>
  pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 200]>>',
    '<</Type/Page/Parent 2 0 R/Annots[4 0 R]/Resources<</Font<</Helv 6 0 R>>>>>>',
    annotation,
    square,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    square.replace('1 0 0 rg', '0 0 1 rg'),
  ]);

/** A value is filled in over a part of the annotation, whose rectangle is from 40 to 120 and 60 to 80, or far from it. */
const BOXES = {
  over: { x: 100, y: 118, width: 60, height: 14 },
  beside: { x: 20, y: 20, width: 60, height: 14 },
};
/** Draws it as the signing page shows it, without what was filled in. */
async function pictureOf(pdf: Uint8Array, { x, y, width, height }: (typeof BOXES)['over']) {
  const picture = await shown(pdf, 0, LIMITS.pagePngDpi);
  const scale = picture.width / 200;
  const [left, top] = [x, y].map((side) => Math.floor((side - AROUND) * scale)) as [number, number];
  const [right, bottom] = [x + width, y + height].map((side) => Math.ceil((side + AROUND) * scale));
  for (let row = top; row < bottom!; row += 1)
    picture.rgba.fill(0xff, (row * picture.width + left) * 4, (row * picture.width + right!) * 4);
  return { rgbx: picture.rgba, width: picture.width, height: picture.height };
}

const AROUND = 2;

const CASES = [
  ...Object.entries(KINDS).flatMap(([subtype, entries]) =>
    ['', LOOK].map((appearance): [string, string, string] => [
      `${subtype}${appearance && ' with a look'}`,
      `/Subtype/${subtype}${entries}${appearance}`,
      '',
    ]),
  ),
  ...Object.entries(WIDGETS).flatMap(([name, entries]) =>
    ['', LOOK, STATES, BOTH_STATES].flatMap((appearance) =>
      FORMS.map((form): [string, string, string] => [
        `${name} ${appearance} ${form}`,
        `/Subtype/Widget${entries}${appearance}`,
        form,
      ]),
    ),
  ),
];

test.each(sampleOf(CASES, 12))('%s', async (_, entries, catalog) => {
  const wrong: string[] = [];
  for (const [name, flags] of Object.entries(FLAGS))
    for (const [place, box] of Object.entries(BOXES)) {
      const pdf = file(
        `<</Type/Annot${entries.includes('/Rect') ? '' : '/Rect[40 60 120 80]'}/F ${flags}${entries}>>`,
        catalog,
      );
      const { pdf: stamped } = await stampedPdf(pdf, [stampField({ value: 'Ada', ...box })]);
      if (showsOther(await pictureOf(pdf, box), await pictureOf(stamped, box)))
        wrong.push(`${name}, ${place} the value`);
    }
  expect(wrong).toEqual([]);
});
