// PDF pages rotated, cropped, scaled and with inherited boxes, in every combination, for tests that compare positions with pixels.
import { type Box, geometryOf, type PageGeometry } from '../../../src/pdf/geometry.ts';
import { SLOW } from '../tier.ts';
import { pdfOf } from './pdf.ts';
import type { Picture } from './pixels.ts';

export type TurnedPage = { name: string; pdf: Buffer; geometry: PageGeometry };

const ROTATIONS = [0, 90, 180, 270, -90, 450];
const UNITS = [1, 2, 0.5];
const BOXES: { name: string; mediaBox: number[]; cropBox?: number[] }[] = [
  { name: 'no CropBox', mediaBox: [0, 0, 120, 90] },
  { name: 'CropBox inside', mediaBox: [0, 0, 120, 90], cropBox: [10, 15, 105, 82] },
  { name: 'CropBox beyond MediaBox', mediaBox: [0, 0, 120, 90], cropBox: [-20, 10, 300, 200] },
  { name: 'odd origin', mediaBox: [-30.5, 40.25, 89.5, 130.25], cropBox: [-20, 50, 85.5, 127] },
  { name: 'corners the other way round', mediaBox: [120, 90, 0, 0], cropBox: [110, 85, 5, 5] },
];

/**
 * Returns every combination in the slow tier; otherwise every seventh, which include each rotation, crop and unit.
 * @param content of each page, for its geometry
 */
export const turnedPages = (content: (geometry: PageGeometry) => string = () => ''): TurnedPage[] =>
  everyPage(content).filter((_, index) => SLOW || index % 7 === 0);

const everyPage = (content: (geometry: PageGeometry) => string): TurnedPage[] =>
  BOXES.flatMap(({ name, mediaBox, cropBox }) =>
    ROTATIONS.flatMap((rotate) =>
      UNITS.flatMap((userUnit) => {
        const geometry = geometryOf({ mediaBox, cropBox, rotate, userUnit }) as PageGeometry;
        const boxes = `/MediaBox[${mediaBox.join(' ')}]${cropBox ? `/CropBox[${cropBox.join(' ')}]` : ''}/Rotate ${rotate}`;
        // A unit is not inherited (ISO 32000-1, table 30).
        const own = userUnit === 1 ? '' : `/UserUnit ${userUnit}`;
        const make = (onPage: string, above: string) => filePdf(content(geometry), onPage, above);
        const what = `${name}, turned by ${rotate}, unit ${userUnit}`;
        return [
          { name: `${what}, own boxes`, pdf: make(`${boxes}${own}`, ''), geometry },
          { name: `${what}, inherited boxes`, pdf: make(own, boxes), geometry },
        ];
      }),
    ),
  );

const FONT = '/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>';

const filePdf = (content: string, onPage: string, above: string): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count 1/Kids[3 0 R]${above}>>`,
    `<</Type/Page/Parent 2 0 R${onPage}${FONT}/Contents 4 0 R>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);

export type IsWanted = (red: number, green: number, blue: number) => boolean;

/** The smallest box around all wanted pixels, in pixels. */
export function boundsOf({ width, height, rgba }: Picture, isWanted: IsWanted): Box | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      if (!isWanted(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      bottom = y;
    }
  return right < 0 ? undefined : { x: left, y: top, width: right + 1 - left, height: bottom + 1 - top };
}

/** The largest difference between the sides of two boxes, in pixels. */
export function farthest(one: Box | undefined, other: Box): number {
  if (!one) return Number.POSITIVE_INFINITY;
  return Math.max(
    Math.abs(one.x - other.x),
    Math.abs(one.y - other.y),
    Math.abs(one.x + one.width - other.x - other.width),
    Math.abs(one.y + one.height - other.y - other.height),
  );
}
