// Small files whose pages would be drawn for hours, or into gigabytes.
import { onePage, pdfOf, stream } from './parts.mjs';

/** A pattern whose cells lie a hundredth of a point apart, on the whole page: 650 bytes, 5,000,000,000 cells. */
export const tinyTiles = () =>
  onePage('/Pattern cs /P scn 0 0 595 842 re f', '/Pattern<</P 5 0 R>>', [
    stream(
      '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.01/YStep 0.01/Resources<<>>',
      '0 0 1 1 re f',
    ),
  ]);

/** The same with normal steps, made tiny by the matrix of the pattern. */
export const tinyTilesByMatrix = () =>
  onePage('/Pattern cs /P scn 0 0 595 842 re f', '/Pattern<</P 5 0 R>>', [
    stream(
      '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 10/YStep 10/Matrix[.001 0 0 .001 0 0]/Resources<<>>',
      '0 0 1 1 re f',
    ),
  ]);

const boxed = (box, more = '') =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[${box}]${more}/Contents 4 0 R/Resources<<>>>>`,
    stream('', '0 0 99999 99999 re f'),
  ]);

/** A page of 700 kilometres. */
export const hugeBox = () => boxed('0 0 2000000000 2000000000');

/** Numbers that no float holds. */
export const endlessBox = () =>
  boxed(`-${'9'.repeat(60)} -${'9'.repeat(60)} ${'9'.repeat(60)} ${'9'.repeat(60)}`);

/** A small box in a unit that makes it huge. */
export const hugeUnit = () => boxed('0 0 1000 1000', '/UserUnit 99999999');
