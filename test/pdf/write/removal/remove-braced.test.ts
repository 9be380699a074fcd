// Texts in double braces are removed from what shows them, whatever way the content shows text, and everything else stays where it is.
import { PDFDict, PDFDocument, PDFHexString, PDFName } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { removeBraced } from '../../../../src/pdf/write/removal/remove-braced.ts';
import {
  bracedIn,
  drawingOf,
  everythingIn,
  FIRST_OBJECT,
  FONTS,
  line,
  streamOf,
  type TagPdf,
  tagPdf,
  textsOf,
} from '../../../support/documents/tag-pdf.ts';
import { sampleOf } from '../../../support/tier.ts';

const TAG = '{{signature, r1}}';
const DRAWING = `/XObject<</D ${FIRST_OBJECT} 0 R>>`;

const hex = (text: string): string => `<${Buffer.from(text, 'latin1').toString('hex')}>`;

/** Shows each letter with an operator of its own. */
const lettered = (text: string): string => [...text].map((letter) => `(${letter}) Tj`).join(' ');

/** Shows each letter in a string of its own, with offsets between them. */
const kerned = (text: string): string => `[${[...text].map((letter) => `(${letter}) -20`).join(' ')}] TJ`;

const SHOWN: [title: string, content: string, more?: Omit<TagPdf, 'pages'>][] = [
  ['one string', line(TAG)],
  ['between other text', line(`before ${TAG} after`)],
  ['right beside other text', line(`before${TAG}after`)],
  ['one operator for each letter', `BT /F 12 Tf 30 200 Td (a ) Tj ${lettered(TAG)} ( b) Tj ET`],
  ['an array with offsets', `BT /F 12 Tf 30 200 Td (a ) Tj ${kerned(TAG)} ( b) Tj ET`],
  [
    'one array with other text',
    `BT /F 12 Tf 30 200 Td [(a ) -100 (${TAG.slice(0, 5)}) 30 (${TAG.slice(5)} b) 4 (c)] TJ ET`,
  ],
  ['hexadecimal digits', `BT /F 12 Tf 30 200 Td ${hex(`x ${TAG} y`)} Tj ET`],
  ['the operator that begins a line', `BT /F 12 Tf 14 TL 30 200 Td (above) Tj (${TAG} b) ' (below) ' ET`],
  ['the operator that sets spaces', `BT /F 12 Tf 14 TL 30 200 Td (above) Tj 3 1 (a ${TAG} b) " (c d) ' ET`],
  ['spaces between letters and words', `BT /F 12 Tf 2 Tc 5 Tw 80 Tz 3 Ts 30 200 Td (a ${TAG} b) Tj ET`],
  ['two lines', 'BT /F 12 Tf 14 TL 30 200 Td (a {{signature,) Tj T* (r1}} b) Tj ET'],
  ['two lines by places', 'BT /F 12 Tf 250 200 Td (a {{signature,) Tj -220 -14 Td (r1}} b) Tj ET'],
  ['two runs of different fonts', 'BT /F 12 Tf 30 200 Td (a {{signa) Tj /C 11 Tf (ture, r1}} b) Tj ET'],
  ['a turned line', `BT /F 12 Tf 0 1 -1 0 200 40 Tm (a ${TAG} b) Tj ET`],
  ['a slanted and scaled line', `BT /F 1 Tf 12 0 4 12 30 200 Tm (a ${TAG} b) Tj ET`],
  ['a mirrored page', `q 1 0 0 -1 0 300 cm BT /F 12 Tf 1 0 0 -1 30 100 Tm (a ${TAG} b) Tj ET Q`],
  ['a negative size', `BT /F -12 Tf -1 0 0 -1 30 200 Tm (a ${TAG} b) Tj ET`],
  ['a scaled drawing area', `q .24 0 0 .24 0 0 cm BT /F 50 Tf 120 800 Td (a ${TAG} b) Tj ET Q`],
  [
    'a font of a graphics state',
    `/G gs BT 30 200 Td (a ${TAG} b) Tj ET`,
    { resources: '/ExtGState<</G<</Font[15 0 R 12]>>>>' },
  ],
  [
    'a font of a graphics state whose size is an object',
    `/G gs BT 30 200 Td (a ${TAG} b) Tj ET`,
    { resources: `/ExtGState<</G<</Font[15 0 R ${FIRST_OBJECT} 0 R]>>>>`, objects: ['12'] },
  ],
  ['a font with widths', line(`a ${TAG} b`, 200, '/W 12')],
  ['a font without an encoding', line(`a ${TAG} b`, 200, '/C 10')],
  ['marked content', `/P <</MCID 0>> BDC ${line(`a ${TAG} b`)} EMC`],
  [
    'beside a picture in the content',
    `${line(`a ${TAG} b`)} q 9 0 0 9 5 5 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI Q`,
  ],
  ['bold letters that are drawn twice', `${line(`a ${TAG} b`)} BT /F 12 Tf 30.3 200 Td (a ${TAG} b) Tj ET`],
  ['an outline around the letters', `BT 2 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET`],
  [
    'a drawing',
    '/D Do',
    { resources: DRAWING, objects: [drawingOf(line(`a ${TAG} b`), `/Resources<<${FONTS}>>`)] },
  ],
  ['a drawing without resources', '/D Do', { resources: DRAWING, objects: [drawingOf(line(`a ${TAG} b`))] }],
  [
    'a drawing in a drawing',
    '/D Do',
    {
      resources: DRAWING,
      objects: [
        drawingOf(
          `q 1 0 0 1 10 0 cm /E Do Q ${line('c', 100)}`,
          `/Resources<<${FONTS}/XObject<</E ${FIRST_OBJECT + 1} 0 R>>>>`,
        ),
        drawingOf(line(`a ${TAG} b`), `/Matrix[.9 0 0 .9 0 0]/Resources<<${FONTS}>>`),
      ],
    },
  ],
  [
    'a drawing that is shown twice',
    '/D Do q 1 0 0 1 0 50 cm /D Do Q',
    { resources: DRAWING, objects: [drawingOf(line(`a ${TAG} b`), `/Resources<<${FONTS}>>`)] },
  ],
  [
    'a drawing that takes its font and its spaces from the page',
    'q BT /F 12 Tf 1 Tc 3 Tw 90 Tz 2 Ts ET /D Do Q',
    { resources: DRAWING, objects: [drawingOf(`BT 30 200 Td (a ${TAG} b) Tj ET`)] },
  ],
  ['a turned page', line(`a ${TAG} b`), { page: '/Rotate 90' }],
  ['a page with an area that is cut off', line(`a ${TAG} b`), { page: '/CropBox[20 150 380 280]' }],
  ['a page with a unit', line(`a ${TAG} b`), { page: '/UserUnit 2' }],
  [
    'a page with a small picture of it',
    line(`a ${TAG} b`),
    {
      page: `/Thumb ${FIRST_OBJECT} 0 R`,
      objects: [streamOf('\0', '/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray')],
    },
  ],
  [
    'text that is read in place of glyphs',
    `BT /F 12 Tf 30 200 Td (a ) Tj /Span <</ActualText (${TAG})>> BDC (${TAG}) Tj EMC ( b) Tj ET`,
  ],
  [
    'text in place of some of the glyphs',
    'BT /F 12 Tf 30 200 Td (a {{sig) Tj /Span <</ActualText (nat)>> BDC (nat) Tj EMC (ure, r1}} b) Tj ET',
  ],
  [
    'text in place of glyphs by a name',
    `BT /F 12 Tf 30 200 Td (a ) Tj /Span /T BDC (${TAG}) Tj EMC ( b) Tj ET`,
    { resources: `/Properties<</T<</ActualText(${TAG})>>>>` },
  ],
];

describe('a text is removed that is shown by', () => {
  test.each(sampleOf(SHOWN, 19))('%s', async (_, content, more) => {
    const pdf = tagPdf({
      pages: [`${line('Above the tag', 260)} ${content} ${line('Below the tag', 30)}`],
      ...more,
    });
    const before = await textsOf(pdf);
    const texts = await bracedIn(pdf);
    expect(texts.length).toBeGreaterThan(0);
    const removed = await removeBraced(pdf, texts);
    if (!removed.ok) throw new Error(JSON.stringify(removed));
    const left = (await textsOf(removed.pdf))[0]!;
    expect(left).toBe(
      texts.reduce((text, item) => text.replace(item.text.replace(/\s+/g, ''), ''), before[0]!),
    );
    expect(left).toContain('Abovethetag');
    expect(everythingIn(removed.pdf)).not.toMatch(/\{\{|7B7B|signature/i);
  });
});

test('the same document and texts give the same bytes', async () => {
  const pdf = tagPdf({ pages: [line(`a ${TAG} b`)] });
  const [answer, other] = [
    await removeBraced(pdf, await bracedIn(pdf)),
    await removeBraced(pdf, await bracedIn(pdf)),
  ];
  expect(answer).toEqual(other);
});

test('a drawing on two pages is copied for the page whose text is removed', async () => {
  const pdf = tagPdf({
    pages: [`/D Do ${line('one', 50)}`, `/D Do ${line('two', 50)}`],
    resources: DRAWING,
    objects: [drawingOf(line(`a ${TAG} b`), `/Resources<<${FONTS}>>`)],
  });
  const [first] = await bracedIn(pdf);
  const removed = await removeBraced(pdf, [first!]);
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  expect(await textsOf(removed.pdf)).toEqual(['abone', 'a{{signature,r1}}btwo']);
});

test('a tag under a white box is removed, and not only hidden: it does not stay searchable', async () => {
  const pdf = tagPdf({ pages: [`${line(`Name: ${TAG}`)} 1 g 60 195 200 20 re f 0 g ${line('after', 50)}`] });
  const texts = await bracedIn(pdf);
  expect(texts).toHaveLength(1);
  const removed = await removeBraced(pdf, texts);
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  expect(await textsOf(removed.pdf)).toEqual(['Name:after']);
  expect(everythingIn(removed.pdf)).not.toMatch(/signature|\{\{/);
});

test('docuseal #491: body text that equals the tag, or a part of it, stays', async () => {
  const body = 'signature, r1 and {signature, r1} stay';
  const pdf = tagPdf({
    pages: [`${line(body, 240)} ${line(`x ${TAG} signature, r1`)} ${line('signature, r1', 150)}`],
  });
  const removed = await removeBraced(pdf, await bracedIn(pdf));
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  expect(await textsOf(removed.pdf)).toEqual(['signature,r1and{signature,r1}stayxsignature,r1signature,r1']);
});

test('the same text twice: the one that is not chosen stays', async () => {
  const pdf = tagPdf({ pages: [`${line(`a ${TAG} b`, 240)} ${line(`c ${TAG} d`)}`] });
  const [, second] = await bracedIn(pdf);
  const removed = await removeBraced(pdf, [second!]);
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  expect(await textsOf(removed.pdf)).toEqual(['a{{signature,r1}}bcd']);
});

test('copies that are objects of their own go as well, and one of the spaces beside them', async () => {
  const pdf = tagPdf({
    pages: [line(`a ${TAG} b`)],
    page: `/Annots[<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents ${FIRST_OBJECT} 0 R>>]`,
    objects: [`(Sign ${TAG} here)`, `<</Title ${FIRST_OBJECT + 2} 0 R>>`, `(Contract ${TAG})`],
    trailer: `/Info ${FIRST_OBJECT + 1} 0 R`,
  });
  const removed = await removeBraced(pdf, await bracedIn(pdf));
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  const document = await PDFDocument.load(removed.pdf, { updateMetadata: false });
  expect(document.getTitle()).toBe('Contract');
  const note = document.getPage(0).node.Annots()?.lookup(0, PDFDict);
  expect(note?.lookup(PDFName.of('Contents'), PDFHexString).decodeText()).toBe('Sign here');
  expect(everythingIn(removed.pdf)).not.toContain('signature');
});

test('copies for people go as well: titles of the outline, notes, properties, text that is read aloud', async () => {
  const pdf = tagPdf({
    pages: [line(`a ${TAG} b`)],
    page: `/Annots[<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Sign ${TAG} here)>>]`,
    catalog: `/Outlines ${FIRST_OBJECT} 0 R/StructTreeRoot<</Type/StructTreeRoot/K<</S/P/Alt(${TAG})/ActualText(a ${TAG} b)>>>>`,
    objects: [
      `<</First ${FIRST_OBJECT + 1} 0 R/Last ${FIRST_OBJECT + 1} 0 R/Count 1>>`,
      `<</Title(Part ${TAG})/Parent ${FIRST_OBJECT} 0 R/Dest[3 0 R/Fit]>>`,
      `<</Title(Contract ${TAG})/Keywords(a)>>`,
    ],
    trailer: `/Info ${FIRST_OBJECT + 2} 0 R`,
  });
  const removed = await removeBraced(pdf, await bracedIn(pdf));
  if (!removed.ok) throw new Error(JSON.stringify(removed));
  const hexOf = Buffer.from('signature', 'utf16le').swap16().toString('hex').toUpperCase();
  expect(everythingIn(removed.pdf)).not.toMatch(new RegExp(`signature|${hexOf}`));
});
