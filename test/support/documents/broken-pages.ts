// Pages that are broken in ways that viewers treat differently: content that cannot be decompressed or violates the syntax, pictures
// without a size, drawings that contain themselves. Each is a whole file with one page of 300 × 400 points and a blue square.
import { deflateSync } from 'node:zlib';
import { pdfOf } from './pdf.ts';

const SQUARE = '0 0 1 rg 20 20 60 60 re f';
const LINES = Array.from({ length: 400 }, (_, n) => `${n % 97} ${n % 89} m ${n % 71} ${n % 53} l S`).join(
  ' ',
);

const stream = (entries: string, data: string, length = data.length): string =>
  `<</Length ${length}${entries}>>\nstream\n${data}\nendstream`;

type Page = { content: string[]; resources?: string; objects?: string[]; entries?: string };

/** Content streams are numbered from 4, other objects behind them. */
const pageOf = ({ content, resources = '', objects = [], entries = '' }: Page): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 300 400]>>',
    `<</Type/Page/Parent 2 0 R${entries}/Resources<<${resources}>>/Contents[${content.map((_, n) => `${n + 4} 0 R`).join(' ')}]>>`,
    ...content,
    ...objects,
  ]);

/** `text` between two squares. */
const withText = (text: string): Buffer => pageOf({ content: [stream('', `${SQUARE} ${text} ${SQUARE}`)] });
const endingIn = (text: string): Buffer => pageOf({ content: [stream('', `${SQUARE} ${text}`)] });
const packedAs = (entries: string, data: string): Buffer => pageOf({ content: [stream(entries, data)] });

const packed = deflateSync(Buffer.from(`${SQUARE} ${LINES}`));
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const changed = (from: number, to: number, change: (byte: number) => number): string =>
  latin1(packed.map((byte, at) => (at >= from && at < to ? change(byte) : byte)));
const CORRUPT = changed(packed.length >> 1, (packed.length >> 1) + 40, (byte) => byte ^ 0x5a);
const FLATE = '/Filter/FlateDecode';

const inlineImage = (entries: string, rest: string): Buffer => endingIn(`BI ${entries} ID ${rest}`);
const PIXELS = '/W 10/H 10/BPC 8';

const image = (entries: string, data: string): Buffer =>
  pageOf({
    content: [stream('', `${SQUARE} q 100 0 0 100 50 50 cm /I Do Q`)],
    resources: '/XObject<</I 5 0 R>>',
    objects: [stream(`/Type/XObject/Subtype/Image${entries}`, data)],
  });

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 300 400]';
const drawing = (entries: string, content: string): Buffer =>
  pageOf({
    content: [stream('', `${SQUARE} /X Do`)],
    resources: '/XObject<</X 5 0 R>>',
    objects: [stream(`${FORM}${entries}`, content)],
  });

const TYPE3 =
  '<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 97/LastChar 97/Widths[9]/Encoding<</Differences[97/a]>>/CharProcs<</a 6 0 R>>/Resources<</Font<</F 5 0 R>>>>>>';
const PATTERN = '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 10/YStep 10';

/** Pages that viewers draw alike: the content does not change, only open constructs are closed. */
export const OPEN_PAGES: [string, Buffer][] = [
  ['states that are not saved', endingIn('Q Q Q')],
  ['states that are not restored', endingIn('q q 0.1 0 0 0.1 0 0 cm')],
  ['a string without end', endingIn('(abc')],
  ['a hexadecimal string without end', endingIn('<abc')],
  ['arrays without end', endingIn('[1 2 [3 [')],
  ['dictionaries without end', endingIn('/A <</B <<')],
  ['a comment without end', endingIn('% comment')],
  ['text without end', endingIn('BT')],
  ['a clip without end', endingIn('0 0 1 1 re W n')],
  ['a path without end', endingIn('0 0 300 400 re')],
  ['some unknown operators', withText('foo 1 2 bar')],
  ['packed content that is cut off', packedAs(FLATE, latin1(packed.subarray(0, packed.length >> 1)))],
  [
    'packed content with a wrong checksum',
    packedAs(
      FLATE,
      changed(packed.length - 4, packed.length, () => 0),
    ),
  ],
  ['a wrong length', pageOf({ content: [stream('', `${SQUARE} ${LINES}`, 10)] })],
  ['a whole inline picture', inlineImage('/W 2/H 2/BPC 8/CS/G', 'abcd EI')],
];

/** Pages that viewers draw differently: some draw nothing of the fault, or nothing that follows it. */
export const BROKEN_PAGES: [string, Buffer][] = [
  ['packed content that is damaged', packedAs(FLATE, CORRUPT)],
  ['content that is not packed and says it is', packedAs(FLATE, 'hello')],
  ['damaged content before more content', pageOf({ content: [stream(FLATE, CORRUPT), stream('', SQUARE)] })],
  ['an unknown filter', packedAs('/Filter/FooDecode', SQUARE)],
  ['damaged ASCII85', packedAs('/Filter/ASCII85Decode', 'zzzz\x80\x81{{{{~>')],
  ['damaged LZW', packedAs('/Filter/LZWDecode', '\xff\xff\xff\xff\xff')],
  ['run lengths that are cut off', packedAs('/Filter/RunLengthDecode', '\x7fab')],
  ['an unknown predictor', packedAs(`${FLATE}/DecodeParms<</Predictor 99/Columns 5>>`, latin1(packed))],
  ['an inline picture without end', inlineImage(`${PIXELS}/CS/G`, 'abcdefgh')],
  ['an inline picture without data', endingIn(`BI ${PIXELS}/CS/G`)],
  ['an inline picture that is too short', inlineImage(`${PIXELS}/CS/G`, 'abc EI 0 0 9 9 re f')],
  ['a giant inline picture', inlineImage('/W 100000/H 100000/BPC 8/CS/RGB', 'abc EI')],
  ['an inline picture with an unknown filter', inlineImage(`${PIXELS}/CS/G/F/Foo`, 'abc EI')],
  ['an inline picture with unknown colours', inlineImage(`${PIXELS}/CS/Foo`, 'abc EI 0 0 9 9 re f')],
  ['many unknown operators', withText('foo '.repeat(500))],
  ['brackets that nothing opened', withText('{ } ) > ] >> '.repeat(100))],
  ['thousands of operands', withText('1 '.repeat(5000))],
  ['an operator without its operands', withText('MP DP')],
  ['a number with an exponent', withText('1e2 0 0 1 0 0 cm')],
  ['a giant number', withText('1e38 0 0 1 0 0 cm'.replace('1e38', '9'.repeat(38)))],
  ['arrays in thousands of arrays', endingIn('['.repeat(5000))],
  ['a JPEG 2000 that is none', image('/Width 50/Height 50/Filter/JPXDecode', 'garbage')],
  ['a picture without a size', image('/BitsPerComponent 8/ColorSpace/DeviceRGB', 'garbage')],
  ['a picture of odd depth', image('/Width 5/Height 5/BitsPerComponent 77/ColorSpace/DeviceRGB', 'x')],
  ['a drawing that draws itself', drawing('/Resources<</XObject<</X 5 0 R>>>>', `${SQUARE} /X Do`)],
  ['a drawing whose content is damaged', drawing(FLATE, CORRUPT)],
  [
    'a glyph that sets itself',
    pageOf({
      content: [stream('', `${SQUARE} BT /F 12 Tf 10 10 Td (a) Tj ET`)],
      resources: '/Font<</F 5 0 R>>',
      objects: [TYPE3, stream('', '9 0 d0 BT /F 1 Tf (a) Tj ET')],
    }),
  ],
  [
    'a pattern that is filled with itself',
    pageOf({
      content: [stream('', `/Pattern cs /P scn 0 0 200 200 re f ${SQUARE}`)],
      resources: '/Pattern<</P 5 0 R>>',
      objects: [stream(`${PATTERN}/Resources<</Pattern<</P 5 0 R>>>>`, '/Pattern cs /P scn 0 0 5 5 re f')],
    }),
  ],
];
