// Finds an empty place for each of several boxes on a page, in the picture of it: what is not as bright as its paper is
// drawn on, text and scans alike. Smaller boxes are tried before it gives up.
import type { Size } from '../geometry.ts';
import { SPACE_LIMITS } from '../limits.ts';
import {
  type FreeBoxes,
  findFreeBoxes,
  occupiedSquares,
  type Squares,
  type WantedBoxes,
  type WantedPlace,
} from './free-boxes.ts';
import { type Pixels, pixelsOfPage } from './render.ts';

/** A scan is noisy: what differs less in brightness there may be its paper. */
const FAINTEST = [12, 48];
const SCALES = [1, 0.8, 0.65];

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findFreePlace(
  bytes: Uint8Array,
  pageIndex: number,
  wanted: WantedPlace,
): Promise<FreeBoxes> {
  const { dpi, pixels: maxPixels } = SPACE_LIMITS;
  const drawn = await pixelsOfPage(bytes, pageIndex, { dpi, maxPixels });
  if (!drawn.ok) return drawn;
  for (const faintest of FAINTEST) {
    const squares = squaresOf(drawn.pixels, wanted.page, faintest);
    const occupied = occupiedSquares(squares, wanted.obstacles);
    for (const scale of SCALES) {
      const boxes = findFreeBoxes(occupied, scaled(wanted, scale));
      if (boxes) return { ok: true, boxes };
    }
  }
  return { ok: true, boxes: null };
}

const scaled = (wanted: WantedBoxes, scale: number): WantedBoxes => ({
  ...wanted,
  width: wanted.width * scale,
  height: wanted.height * scale,
});

function squaresOf({ rgbx, width, height }: Pixels, page: Size, faintest: number): Squares {
  const isDrawn = new Uint8Array(width * height);
  const [red = 0, green = 0, blue = 0] = paperOf(rgbx);
  for (let at = 0; at < isDrawn.length; at += 1) {
    const from = at * 4;
    const differs =
      Math.abs(rgbx[from]! - red) > faintest ||
      Math.abs(rgbx[from + 1]! - green) > faintest ||
      Math.abs(rgbx[from + 2]! - blue) > faintest;
    isDrawn[at] = differs ? 1 : 0;
  }
  return { page, columns: width, rows: height, isDrawn };
}

/** Print covers little of a page, so the most frequent brightness of each color is that of the paper. */
function paperOf(rgbx: Uint8Array): number[] {
  return [0, 1, 2].map((sample) => {
    const counts = new Uint32Array(256);
    for (let at = sample; at < rgbx.length; at += 4) counts[rgbx[at]!]! += 1;
    return counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0));
  });
}
