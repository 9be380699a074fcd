// Extracts the ink of a signature from a picture: the pixels that are darker than the paper, on transparent ground. The result is
// encoded anew. It must never keep data of the original file.
import { DOCUMENT_LIMITS, type TooComplex } from '../limits.ts';
import { encodePng, type Pixels, pixelsOfPage } from '../render/render.ts';
import { type ImageType, imageToPdf } from './image-to-pdf.ts';
import type { NotRead } from './picture.ts';

/** A picture is `blank` where there is no ink on it. */
export type Ink = { ok: true; png: Uint8Array } | { ok: false; reason: 'blank' } | NotRead | TooComplex;

/** Returns the first picture of the file, trimmed to its ink, as a PNG whose paper is transparent. */
export async function extractInk(bytes: Uint8Array, type: ImageType): Promise<Ink> {
  const converted = await imageToPdf(bytes, type);
  if (!converted.ok) return converted;
  const { inkDpi, inkPixels, inkBytes } = DOCUMENT_LIMITS;
  for (let maxPixels: number = inkPixels; ; maxPixels = Math.ceil(maxPixels / 2)) {
    const drawn = await pixelsOfPage(converted.pdf, 0, { dpi: inkDpi, maxPixels });
    if (!drawn.ok) return drawn;
    const ink = trimmed(withoutPaper(drawn.pixels));
    if (!ink) return { ok: false, reason: 'blank' };
    const png = await encodePng(ink.rgbx, ink.width, ink.height, { hasAlpha: true });
    // A picture with much noise packs badly; a smaller one has less of it.
    if (png.length <= inkBytes) return { ok: true, png };
  }
}

/** Fainter marks are the grain of the paper, or the packing of a photograph. */
const FAINTEST = 32;
/** A picture as dark as this has no paper that could be told from the ink. */
const DARKEST_PAPER = 80;

/** Turns each pixel into ink of its color, the more opaque the darker it is than the paper around it. */
function withoutPaper(pixels: Pixels): Pixels {
  const { rgbx, width, height } = pixels;
  const paperAt = paperOf(pixels);
  const rgba = new Uint8Array(rgbx.length);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 4) {
      const scale = 255 / paperAt(x, y);
      const red = Math.min(255, rgbx[at]! * scale);
      const green = Math.min(255, rgbx[at + 1]! * scale);
      const blue = Math.min(255, rgbx[at + 2]! * scale);
      const alpha = Math.round(255 - Math.min(red, green, blue));
      if (alpha < FAINTEST) continue;
      rgba[at] = inkOf(red, alpha);
      rgba[at + 1] = inkOf(green, alpha);
      rgba[at + 2] = inkOf(blue, alpha);
      rgba[at + 3] = alpha;
    }
  return { rgbx: rgba, width, height };
}

const inkOf = (sample: number, alpha: number): number =>
  Math.max(0, Math.round(255 - ((255 - sample) * 255) / alpha));

// ── the paper ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** The shorter side has as many tiles, because light falls off from one side of a photographed paper to the other. */
const TILES = 12;
/** A tile that has less of the brightness of the whole paper is ink or another object, not paper in the shade. */
const DEEPEST_SHADE = 0.5;
const PAPER_SHARE = 0.75;
const HALF = 0.5;

/** Gives the brightness of the paper at each pixel, between those of the tiles around it. */
function paperOf({ rgbx, width, height }: Pixels): (x: number, y: number) => number {
  // A signature covers little of the picture, so that most of it is paper.
  const whole = brightnessIn({ rgbx, width, height }, [0, 0, width, height], HALF);
  if (whole < DARKEST_PAPER) return () => 255;
  const size = Math.max(16, Math.ceil(Math.min(width, height) / TILES));
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const tiles = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const box = [column * size, row * size, (column + 1) * size, (row + 1) * size] as const;
      const level = brightnessIn({ rgbx, width, height }, box, PAPER_SHARE);
      return level < whole * DEEPEST_SHADE ? whole : level;
    }),
  );
  const tile = (column: number, row: number): number =>
    tiles[Math.max(0, Math.min(rows - 1, row))]![Math.max(0, Math.min(columns - 1, column))]!;
  return (x, y) => {
    const [across, down] = [x / size - HALF, y / size - HALF];
    const [column, row] = [Math.floor(across), Math.floor(down)];
    const [right, below] = [across - column, down - row];
    const above = tile(column, row) * (1 - right) + tile(column + 1, row) * right;
    const under = tile(column, row + 1) * (1 - right) + tile(column + 1, row + 1) * right;
    return above * (1 - below) + under * below;
  };
}

/** Returns the level below which this share of the pixels of a box is. */
function brightnessIn(
  { rgbx, width, height }: Pixels,
  [left, top, right, bottom]: readonly [number, number, number, number],
  share: number,
): number {
  const counts = new Uint32Array(256);
  let pixels = 0;
  for (let y = top; y < Math.min(height, bottom); y += 1)
    for (let x = left; x < Math.min(width, right); x += 1) {
      const at = (y * width + x) * 4;
      counts[Math.min(rgbx[at]!, rgbx[at + 1]!, rgbx[at + 2]!)]! += 1;
      pixels += 1;
    }
  for (let level = 0, below = 0; level < 256; level += 1) {
    below += counts[level]!;
    if (below >= pixels * share) return level;
  }
  return 255;
}

// ── the ink ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A region that has as much of all ink is a stroke, wherever it is. */
const LARGE_SHARE = 0.02;
/** A smaller mark is dust if it is farther from the strokes than this share of their longer side; the dot of an i is nearer. */
const REACH_SHARE = 0.25;
/** Strokes are thinner than this share of the shorter side. A thicker region that reaches the edge is the table beside the paper. */
const STROKE_SHARE = 0.03;

/** Crops the picture to its ink, without specks and without what lies beside the paper; undefined where it has none. */
function trimmed({ rgbx, width, height }: Pixels): Pixels | undefined {
  const all = regionsOf(rgbx, width, height);
  const thickest = Math.max(6, Math.min(width, height) * STROKE_SHARE);
  const isBesidePaper = ({ touchesEdge, pixels, edge }: Region): boolean =>
    touchesEdge && (2 * pixels) / edge > thickest;
  const strokes = all.filter((region) => !isBesidePaper(region));
  const regions = strokes.length > 0 ? strokes : all;
  const total = regions.reduce((sum, { pixels }) => sum + pixels, 0);
  const large = regions.filter(({ pixels }) => pixels >= total * LARGE_SHARE);
  if (total === 0) return undefined;
  if (strokes.length > 0) for (const region of all) if (isBesidePaper(region)) region.clear();
  const box = boxAround(large.length > 0 ? large : regions);
  const reach = REACH_SHARE * Math.max(box.right - box.left, box.bottom - box.top);
  const isNear = (region: Region): boolean =>
    region.right > box.left - reach &&
    region.left < box.right + reach &&
    region.bottom > box.top - reach &&
    region.top < box.bottom + reach;
  const { left, top, right, bottom } = boxAround([box, ...regions.filter(isNear)]);
  const size = { width: right - left + 1, height: bottom - top + 1 };
  const cut = new Uint8Array(size.width * size.height * 4);
  for (let y = 0; y < size.height; y += 1) {
    const from = ((top + y) * width + left) * 4;
    cut.set(rgbx.subarray(from, from + size.width * 4), y * size.width * 4);
  }
  return { rgbx: cut, ...size };
}

type Box = Pick<Region, 'left' | 'top' | 'right' | 'bottom'>;

const boxAround = (boxes: readonly Box[]): Box =>
  boxes.reduce((around, { left, top, right, bottom }) => ({
    left: Math.min(around.left, left),
    top: Math.min(around.top, top),
    right: Math.max(around.right, right),
    bottom: Math.max(around.bottom, bottom),
  }));

type Region = {
  left: number;
  top: number;
  right: number;
  bottom: number;
  pixels: number;
  /** They have a transparent neighbor. */
  edge: number;
  /** It reaches the edge of the picture. */
  touchesEdge: boolean;
  /** Makes its pixels transparent. */
  clear(): void;
};

/** @param rgba four bytes for each pixel, the last of which is 0 where it is transparent */
function regionsOf(rgba: Uint8Array, width: number, height: number): Region[] {
  const isSeen = new Uint8Array(width * height);
  const regions: Region[] = [];
  for (let start = 0; start < isSeen.length; start += 1)
    if (isSeen[start] === 0 && rgba[start * 4 + 3] !== 0)
      regions.push(regionFrom(start, { rgba, width, height, isSeen }));
  return regions;
}

type Picture = { rgba: Uint8Array; width: number; height: number; isSeen: Uint8Array };

function regionFrom(start: number, { rgba, width, height, isSeen }: Picture): Region {
  const members = [start];
  isSeen[start] = 1;
  let [left, top, right, bottom, edge] = [width, height, 0, 0, 0];
  for (let next = 0; next < members.length; next += 1) {
    const at = members[next]!;
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    let isEdge = false;
    for (let dy = -1; dy <= 1; dy += 1)
      for (let dx = -1; dx <= 1; dx += 1) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        const neighbor = at + dy * width + dx;
        if (rgba[neighbor * 4 + 3] === 0) isEdge = true;
        else if (isSeen[neighbor] === 0) {
          isSeen[neighbor] = 1;
          members.push(neighbor);
        }
      }
    if (isEdge) edge += 1;
  }
  return {
    ...{ left, top, right, bottom, edge: Math.max(1, edge), pixels: members.length },
    touchesEdge: left === 0 || top === 0 || right === width - 1 || bottom === height - 1,
    clear() {
      for (const at of members) rgba.fill(0, at * 4, at * 4 + 4);
    },
  };
}
