// A document whose tags cannot be removed alone is refused, with the reason, the page and the text.

import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import type { NotRemovableReason } from '../../../../src/pdf/write/removal/removal.ts';
import { removeBraced } from '../../../../src/pdf/write/removal/remove-braced.ts';
import {
  bracedIn,
  drawingOf,
  FIRST_OBJECT,
  line,
  streamOf,
  type TagPdf,
  tagPdf,
} from '../../../support/documents/tag-pdf.ts';
import { sampleOf } from '../../../support/tier.ts';

const TAG = '{{signature, r1}}';
const TEXT = line(`a ${TAG} b`);
const first = (at = 0) => `${FIRST_OBJECT + at} 0 R`;

/** A font with one glyph more than Helvetica has, which shows the end of the tag and another letter. */
const wide = (text: string): string => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const SAME_WIDTHS = Array.from({ length: 95 }, () => 500).join(' ');

const withMeaning = (meaning: string): string[] => [
  `<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126/Widths[${SAME_WIDTHS}]/ToUnicode ${first(1)}>>`,
  streamOf(
    `/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <20> <7d> <0020> endbfrange 1 beginbfchar <7e> ${wide(meaning)} endbfchar endcmap end`,
  ),
];

const COMPOSITE = (encoding: string, descendant = '/DW 500') => [
  `<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/${encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>${descendant}>>]/ToUnicode ${first(1)}>>`,
  streamOf(
    '/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0020> <007e> <0020> endbfrange endcmap end',
  ),
];

const FONT = `/Font<</F 15 0 R/X ${first()}>>`;

type Refused = [title: string, why: NotRemovableReason, content: string, more?: Omit<TagPdf, 'pages'>];

const SIGNED = {
  catalog: `/AcroForm<</SigFlags 3/Fields[${first()}]>>`,
  page: `/Annots[${first()}]`,
  objects: [
    `<</Type/Annot/Subtype/Widget/F 132/Rect[0 0 0 0]/FT/Sig/T(s)/P 3 0 R/V ${first(1)}>>`,
    '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 10 20 10]/Contents<00>>>',
  ],
};

/** Packs a text as a program does with the standard filter. */
const packed = (text: string): string => deflateSync(Buffer.from(text)).toString('latin1');

const REFUSED: Refused[] = [
  ['a signature', 'signed', TEXT, SIGNED],
  ['a signature that the form does not list', 'signed', TEXT, { ...SIGNED, catalog: '' }],
  [
    'a copy in packed metadata',
    'copy',
    TEXT,
    {
      catalog: `/Metadata ${first()}`,
      objects: [streamOf(packed(`<x>${TAG}</x>`), '/Type/Metadata/Subtype/XML/Filter/FlateDecode')],
    },
  ],
  ['hidden text over a scan', 'hidden', `BT 3 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET`],
  [
    'hidden text in a drawing',
    'hidden',
    '/D Do',
    {
      resources: `/XObject<</D ${first()}>>`,
      objects: [drawingOf(`BT 3 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET`)],
    },
  ],
  [
    'one hidden letter',
    'hidden',
    'BT /F 12 Tf 30 200 Td (a {{signa) Tj 3 Tr (t) Tj 0 Tr (ure, r1}} b) Tj ET',
  ],
  [
    'letters that cut out what follows',
    'clip',
    `q BT 7 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET 1 0 0 rg 0 0 400 300 re f Q`,
  ],
  ['letters that are filled and cut out', 'clip', `q BT 4 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET Q`],
  ['letters that are outlined and cut out', 'clip', `q BT 5 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET Q`],
  ['letters that are both and cut out', 'clip', `q BT 6 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET Q`],
  [
    'a glyph for the end of the tag and a letter',
    'shared',
    'BT /X 12 Tf 30 200 Td (a {{signature, r1~ b) Tj ET',
    {
      page: `/Resources<<${FONT}>>`,
      objects: withMeaning('}}x'),
    },
  ],
  [
    'a glyph for a letter and the beginning of the tag',
    'shared',
    'BT /X 12 Tf 30 200 Td (a ~signature, r1}} b) Tj ET',
    {
      page: `/Resources<<${FONT}>>`,
      objects: withMeaning('x{{'),
    },
  ],
  [
    'text for glyphs of the tag and others',
    'shared',
    `BT /F 12 Tf 30 200 Td /Span <</ActualText (a ${TAG} b)>> BDC (a ${TAG} b) Tj EMC ET`,
  ],
  [
    'text for the end of the tag and a word',
    'shared',
    'BT /F 12 Tf 30 200 Td (a {{signature, ) Tj /Span <</ActualText (r1}} word)>> BDC (r1}} word) Tj EMC ET',
  ],
  ['other letters in the same places', 'shared', `${line(TAG)} ${line('mmmmmmmmmm')}`],
  [
    'vertical writing',
    'glyphs',
    `BT /X 12 Tf 200 280 Td ${wide(TAG)} Tj ET`,
    { page: `/Resources<<${FONT}>>`, objects: COMPOSITE('Identity-V') },
  ],
  [
    'an encoding that is not known',
    'glyphs',
    `BT /X 12 Tf 30 200 Td ${wide(TAG)} Tj ET`,
    { page: `/Resources<<${FONT}>>`, objects: COMPOSITE('UniJIS-UCS2-H') },
  ],
  [
    'a font that is no standard one and states no widths',
    'glyphs',
    `BT /X 12 Tf 30 200 Td (a ${TAG} b) Tj ET`,
    {
      page: `/Resources<<${FONT}>>`,
      objects: ['<</Type/Font/Subtype/TrueType/BaseFont/Arial/Encoding/WinAnsiEncoding>>'],
    },
  ],
  [
    'a standard font with an encoding of its own and no widths',
    'glyphs',
    `BT /X 12 Tf 30 200 Td (a ${TAG} b) Tj ET`,
    {
      page: `/Resources<<${FONT}>>`,
      objects: [
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</BaseEncoding/WinAnsiEncoding/Differences[65/B]>>>>',
      ],
    },
  ],
  [
    'a form field with a copy as its value',
    'copy',
    TEXT,
    {
      catalog: `/AcroForm<</Fields[${first()}]>>`,
      page: `/Annots[${first()}]`,
      objects: [`<</Type/Annot/Subtype/Widget/F 4/Rect[9 9 90 20]/FT/Tx/T(t)/V(${TAG})>>`],
    },
  ],
  [
    'a form field with a copy among its options',
    'copy',
    TEXT,
    {
      catalog: `/AcroForm<</Fields[${first()}]>>`,
      page: `/Annots[${first()}]`,
      objects: [`<</Type/Annot/Subtype/Widget/F 4/Rect[9 9 90 20]/FT/Ch/T(t)/Opt[(x)(${TAG})]>>`],
    },
  ],
  [
    'a copy in a note that is drawn on the page',
    'copy',
    TEXT,
    {
      page: `/Annots[<</Type/Annot/Subtype/FreeText/Rect[9 9 90 20]/DA(/F 9 Tf)/Contents(${TAG})>>]`,
    },
  ],
  ['a copy in a script', 'copy', TEXT, { catalog: `/OpenAction<</S/JavaScript/JS(var tag = "${TAG}")>>` }],
  [
    'a copy in the metadata',
    'copy',
    TEXT,
    {
      catalog: `/Metadata ${first()}`,
      objects: [
        streamOf(
          `<x:xmpmeta xmlns:x="adobe:ns:meta/"><t>${TAG}</t></x:xmpmeta>`,
          '/Type/Metadata/Subtype/XML',
        ),
      ],
    },
  ],
  [
    'a copy in the name of a place',
    'copy',
    TEXT,
    { catalog: `/Names<</Dests<</Names[(${TAG})[3 0 R/Fit]]>>>>` },
  ],
  [
    'a part of it in text that is read aloud',
    'copy',
    TEXT,
    {
      catalog: '/StructTreeRoot<</Type/StructTreeRoot/K<</S/P/ActualText(a {{signature,)>>>>',
    },
  ],
  [
    'the end of it in text that is read aloud',
    'copy',
    TEXT,
    {
      catalog: '/StructTreeRoot<</Type/StructTreeRoot/K<</S/P/Alt(r1}} b)>>>>',
    },
  ],
  ['an operator without its operands', 'content', `${TEXT} 1 0 rg`],
  ['content that viewers read in different ways', 'content', `${TEXT} } 1 0 0 rg`],
  ['numbers that viewers read in different ways', 'content', `${TEXT} 1..2 g`],
  ['a picture in the content without an end', 'content', `${TEXT} BI /W 1 /H 1 ID xx`],
  ['states that are saved without an end', 'content', `${'q '.repeat(600)} ${TEXT}`],
  [
    'outlines that are drawn far from their letters',
    'picture',
    `BT 1 Tr 60 w /F 12 Tf 30 200 Td (${TAG}) Tj ET`,
  ],
];

describe('refused for', () => {
  test.each(sampleOf(REFUSED, 11))('%s', async (_, why, content, more) => {
    const pdf = tagPdf({ pages: [content], ...more });
    const texts = await bracedIn(pdf);
    expect(texts.length).toBeGreaterThan(0);
    expect(await removeBraced(pdf, texts)).toMatchObject({ ok: false, reason: 'not_removable', why });
  });

  test('encryption', async () => {
    const document = await PDFDocument.load(tagPdf({ pages: [TEXT] }));
    document.encrypt({ userPassword: '', ownerPassword: 'owner' });
    const pdf = Buffer.from(await document.save());
    expect(await removeBraced(pdf, await bracedIn(pdf))).toMatchObject({ why: 'encrypted' });
  });

  test('a text that says something else than was read', async () => {
    const pdf = tagPdf({ pages: [TEXT] });
    const answer = await removeBraced(pdf, [{ page: 0, index: 0, text: '{{initials, r1}}' }]);
    expect(answer).toMatchObject({ why: 'glyphs', page: 0, text: '{{initials, r1}}' });
  });

  test('a text that is not there', async () => {
    const pdf = tagPdf({ pages: [TEXT, line('two')] });
    expect(await removeBraced(pdf, [{ page: 1, index: 0, text: TAG }])).toMatchObject({
      why: 'glyphs',
      page: 1,
    });
  });

  test('the page and the text are named', async () => {
    const pdf = tagPdf({ pages: [line('one'), `BT 3 Tr /F 12 Tf 30 200 Td (a ${TAG} b) Tj ET`] });
    expect(await removeBraced(pdf, await bracedIn(pdf))).toEqual({
      ...{ ok: false, reason: 'not_removable', why: 'hidden' },
      ...{ page: 1, text: TAG },
    });
  });
});
