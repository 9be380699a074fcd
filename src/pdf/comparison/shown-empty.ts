// Tells whether a field showed nothing before it was filled in or signed, by how PDFium draws the page with its fields and without them. The
// structure of its look is judged elsewhere (`verify/rules`): this is the second opinion on looks that hide something from that.
import type { Box } from '../geometry.ts';
import { pixelsOfBox } from '../geometry.ts';
import { type Picture, pixelRowsIn } from './page-picture.ts';

/** Of the shorter side: a border may be wide, and look raised. */
const BORDER = 0.2;
const LEAST_BORDER_PIXELS = 4;

/**
 * Whether the field shows at most a background and straight lines from side to side inside its border, such as those between the cells of
 * single characters.
 * @param was the page with its fields
 * @param bare the page without them
 */
export function isShownEmpty({ was, bare }: { was: Picture; bare: Picture }, box: Box): boolean {
  const rows = pixelRowsIn(was, withoutBorder(pixelsOfBox(box, was.page, was)));
  const isOfPage = rows.every(
    ([start, end]) => was.pixels.compare(bare.pixels, start, end, start, end) === 0,
  );
  if (isOfPage) return true;
  const [first] = rows;
  const isLikeFirst = ([start, end]: readonly [number, number]) =>
    first !== undefined && was.pixels.compare(was.pixels, start, end, first[0], first[1]) === 0;
  return rows.every(isLikeFirst) || rows.every(([start, end]) => isOneColor(was.pixels, start, end));
}

function isOneColor(pixels: Buffer, start: number, end: number): boolean {
  for (let at = start + 4; at < end; at += 4)
    if (pixels.compare(pixels, start, start + 4, at, at + 4) !== 0) return false;
  return true;
}

/** Whole pixels inside the border; none of a field that is all border. */
function withoutBorder({ x, y, width, height }: Box): Box {
  const border = Math.max(LEAST_BORDER_PIXELS, Math.ceil(Math.min(width, height) * BORDER));
  const [left, top] = [Math.ceil(x) + border, Math.ceil(y) + border];
  return {
    x: left,
    y: top,
    width: Math.floor(x + width) - border - left,
    height: Math.floor(y + height) - border - top,
  };
}
