// Compares the pages of a stamped document with the pictures of them that its signers saw, outside of the boxes that were filled in.
import { type Box, pixelsOfBox } from '../geometry.ts';
import { COMPARE_LIMITS, DOCUMENT_LIMITS, type TooComplex } from '../limits.ts';
import { type PdfView, readPdf } from '../read/read-pdf.ts';
import type { Value } from '../read/values.ts';
import { type Pixels, pixelsOfPage } from '../render/render.ts';
import type { StampField, StampPlan, StampResult } from './plan.ts';

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

/** Each pixel is the sum of the nine around it: smoothing moves color to neighbors, and their sum stays. */
const SUMMED = 9;
// Of 255. On 105 pages of real forms whose pictures are not equal, edges differ by 31 at most; a black line as thin as a pixel makes 85, and 43 where it lies half a pixel further.
const STRONG = 48 * SUMMED;
// Every letter of a picture that is drawn at another size is smoothed otherwise.
const STRONG_OF_PICTURE = 2 * STRONG;
// Paler than that, such as a background: it counts where it is larger than what is between letters, in pixels.
const PALE = 24 * SUMMED;
const PALE_SIDE = 8;
/** The picture of a page ends a part of a pixel earlier at its edge; this is half a millimetre. */
const EDGE = 2;

/**
 * Tells whether pictures show something else. The fourth byte of a pixel is not compared. `isRedrawn` says that the later one is of a page
 * that became a picture.
 */
export function showsOther(before: Pixels, after: Pixels, { isRedrawn = false } = {}): boolean {
  const { width, height } = before;
  if (width !== after.width || height !== after.height) return true;
  const strong = isRedrawn ? STRONG_OF_PICTURE : STRONG;
  const rows = differingRows(before, after);
  if (!rows) return false;
  const [from, to] = [Math.max(EDGE, rows.first - 2), Math.min(height - EDGE, rows.last + 3)];
  if (from >= to) return false;
  const [earlier, other] = [summed(before, from, to), summed(after, from, to)];
  // How many pale rows, one above the other, end at each column with `PALE_SIDE` pixels.
  const pale = new Uint8Array(width);
  for (let y = 0; y < to - from; y += 1)
    for (let x = EDGE, run = 0; x < width - EDGE; x += 1) {
      const apart = Math.max(distanceTo(earlier, other, x, y), distanceTo(other, earlier, x, y));
      if (apart > strong) return true;
      run = apart > PALE ? run + 1 : 0;
      pale[x] = run >= PALE_SIDE ? pale[x]! + 1 : 0;
      if (pale[x]! >= PALE_SIDE) return true;
    }
  return false;
}

/** Finds the first and the last row with a pixel of another color. */
function differingRows(before: Pixels, after: Pixels): { first: number; last: number } | undefined {
  const length = before.width * 4;
  const [a, b] = [before, after].map(({ rgbx }) =>
    Buffer.from(rgbx.buffer, rgbx.byteOffset, rgbx.length),
  ) as [Buffer, Buffer];
  const isOther = (y: number) =>
    a.compare(b, y * length, (y + 1) * length, y * length, (y + 1) * length) !== 0;
  let first = 0;
  while (first < before.height && !isOther(first)) first += 1;
  if (first === before.height) return undefined;
  let last = before.height - 1;
  while (!isOther(last)) last -= 1;
  return { first, last };
}

/** Red, green and blue around each pixel of some rows are summed up. What would lie beyond the edge is as the pixel at the edge. */
type Sums = { width: number; height: number; sums: Uint16Array };

function summed({ rgbx, width, height }: Pixels, from: number, to: number): Sums {
  const within = (value: number, most: number) => Math.min(most - 1, Math.max(0, value));
  const sums = new Uint16Array((to - from) * width * 3);
  for (let y = from; y < to; y += 1) {
    const above = [-1, 0, 1].map((step) => within(y + step, height) * width * 4) as [number, number, number];
    for (let x = 0; x < width; x += 1) {
      const [left, here, right] = [within(x - 1, width) * 4, x * 4, within(x + 1, width) * 4];
      const out = ((y - from) * width + x) * 3;
      for (let color = 0; color < 3; color += 1) {
        let sum = 0;
        for (const row of above)
          sum += rgbx[row + left + color]! + rgbx[row + here + color]! + rgbx[row + right + color]!;
        sums[out + color] = sum;
      }
    }
  }
  return { width, height: to - from, sums };
}

/**
 * Measures how far a pixel is from the nearest color at the same place of the other picture, or a pixel beside it: lines may lie a part of
 * a pixel further.
 */
function distanceTo(picture: Sums, other: Sums, x: number, y: number): number {
  const { width, height } = picture;
  const at = (y * width + x) * 3;
  let least = distance(picture, at, other, at);
  if (least <= PALE) return least;
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1)
      least = Math.min(least, distance(picture, at, other, (row * width + column) * 3));
  return least;
}

const distance = ({ sums }: Sums, at: number, other: Sums, from: number): number =>
  Math.max(
    Math.abs(sums[at]! - other.sums[from]!),
    Math.abs(sums[at + 1]! - other.sums[from + 1]!),
    Math.abs(sums[at + 2]! - other.sums[from + 2]!),
  );

/** These entries may be drawn otherwise in a copy. */
const OF_CATALOG = ['AcroForm', 'OCProperties'];

export function isCopiedAsShown(bytes: Uint8Array): boolean {
  const file = readPdf(bytes);
  if (!file.ok || file.isEncrypted) return false;
  const { latest } = file;
  const catalog = latest.dict(latest.root);
  if (!catalog || OF_CATALOG.some((key) => catalog.has(key))) return false;
  const waiting: (Value | undefined)[] = [catalog.get('Pages')];
  for (let nodes = 0; waiting.length > 0; nodes += 1) {
    const node = latest.dict(waiting.pop());
    if (!node || nodes > DOCUMENT_LIMITS.pageTreeNodes) return false;
    const kids = latest.array(node.get('Kids'));
    if (kids) for (const kid of kids) waiting.push(kid);
    else if (!hasOnlyLinks(latest, node.get('Annots'))) return false;
  }
  return !file.isExhausted();
}

function hasOnlyLinks(view: PdfView, annotations: Value | undefined): boolean {
  if (annotations === undefined) return true;
  const list = view.array(annotations);
  return (
    list?.every((annotation) => `${view.resolve(view.dict(annotation)?.get('Subtype'))}` === 'Link') ?? false
  );
}
