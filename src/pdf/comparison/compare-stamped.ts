// Compares the pages of a stamped document with the pictures of them that its signers saw, outside of the boxes that were filled in.
import { type Box, pixelsOfBox } from '../geometry.ts';
import { COMPARE_LIMITS } from '../limits.ts';
import { type Pixels, pixelsOfPage } from '../render/render.ts';
import type { StampField, StampPlan, StampResult } from '../stamp/plan.ts';
import type { TooComplex } from '../too-complex.ts';
import { showsOther } from './pixel-difference.ts';

/** Finds the first page that shows something else than its signers saw, of those that stamping may have changed. */
export async function compareStamped(
  original: Uint8Array,
  stamped: Extract<StampResult, { ok: true }>,
  { fields }: StampPlan,
): Promise<{ ok: true; differingPage?: number } | TooComplex> {
  const { shownDpi: dpi, shownPixels: maxPixels } = COMPARE_LIMITS;
  for (const { page, size, isRedrawn } of stamped.pagesToCompare) {
    // Drawn again, because a picture that other fonts or an earlier version of PDFium drew differs from both at every letter.
    const before = await pixelsOfPage(original, page, { dpi, maxPixels });
    if (!before.ok) return before;
    const after = await pixelsOfPage(stamped.pdf, page, { dpi, maxPixels });
    if (!after.ok) return after;
    const filled = fields.filter((field) => field.page === page && field.value !== '');
    for (const picture of [before.pixels, after.pixels])
      for (const field of filled) whiten(picture, pixelsOfBox(reachOf(field), size, picture));
    if (showsOther(before.pixels, after.pixels, { isRedrawn })) return { ok: true, differingPage: page };
  }
  return { ok: true };
}

/** Letters with long strokes, such as those of a typed signature, reach beyond their box. */
function reachOf({ x, y, width, height }: StampField): Box {
  const beyond = Math.max(height, LEAST_REACH) / 2;
  return { x: x - beyond, y: y - beyond, width: width + 2 * beyond, height: height + 2 * beyond };
}

const LEAST_REACH = 8;

function whiten({ rgbx, width, height }: Pixels, box: Box): void {
  const [left, top] = [box.x, box.y].map((side) => Math.max(0, Math.floor(side))) as [number, number];
  const right = Math.min(width, Math.ceil(box.x + box.width));
  const bottom = Math.min(height, Math.ceil(box.y + box.height));
  for (let row = top; row < bottom && left < right; row += 1)
    rgbx.fill(0xff, (row * width + left) * 4, (row * width + right) * 4);
}
