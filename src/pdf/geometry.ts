// Converts positions on a page between three coordinate systems: the page as a reader displays it, the page's own coordinates, and
// a picture of the page. All code that places, draws or reads content uses it.

export const POINTS_PER_INCH = 72;

export type Size = { width: number; height: number };

/**
 * It is in points from the top left corner of a page as a reader displays it (assumed: A18), y downwards, after /Rotate, /CropBox and
 * UserUnit. Positions of fields are of this kind.
 */
export type Box = Size & { x: number; y: number };

export type Point = { x: number; y: number };

/** Coordinates are the page's own (user space, ISO 32000-1, 8.3.2.3): y upwards, in units of the page. */
export type Rect = { left: number; bottom: number; right: number; top: number };

/** It stands for x' = a·x + c·y + e, y' = b·x + d·y + f, as in PDF. */
export type Matrix = readonly [number, number, number, number, number, number];

/** They define the geometry of a page, inherited values included (ISO 32000-1, table 30). */
type PageEntries = {
  /** It has two opposite corners, in any order. */
  mediaBox: readonly number[];
  cropBox?: readonly number[] | undefined;
  /** It counts clockwise, in degrees. */
  rotate?: number | undefined;
  userUnit?: number | undefined;
};

/** Coordinates are converted with these properties of a page. */
export type PageGeometry = { visible: Rect; rotation: PageBox['rotation']; unit: number };

const QUARTER_TURNS = [0, 90, 180, 270] as const;

/** Returns undefined when nothing of the page would be visible. */
export function geometryOf({
  mediaBox,
  cropBox,
  rotate = 0,
  userUnit = 1,
}: PageEntries): PageGeometry | undefined {
  const media = rectOf(mediaBox);
  const crop = cropBox && rectOf(cropBox);
  const visible = crop && !isEmpty(crop) ? intersection(media, crop) : media;
  if (isEmpty(visible)) return undefined;
  return { visible, rotation: rotationOf(Math.trunc(rotate / 90)), unit: userUnit > 0 ? userUnit : 1 };
}

/** Returns the rotation after this many quarter turns clockwise; negative ones go the other way. */
export const rotationOf = (quarters: number): PageBox['rotation'] =>
  QUARTER_TURNS[((quarters % 4) + 4) % 4] ?? 0;

const rectOf = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): Rect => ({
  left: Math.min(x1, x2),
  bottom: Math.min(y1, y2),
  right: Math.max(x1, x2),
  top: Math.max(y1, y2),
});

const isEmpty = ({ left, bottom, right, top }: Rect): boolean => !(left < right && bottom < top);

const intersection = (a: Rect, b: Rect): Rect => ({
  left: Math.max(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.min(a.right, b.right),
  top: Math.min(a.top, b.top),
});

/** Returns the page as a reader displays it. */
export function displayedPage({ visible, rotation, unit }: PageGeometry): PageBox {
  const across = roundedPoints((visible.right - visible.left) * unit);
  const up = roundedPoints((visible.top - visible.bottom) * unit);
  return rotation % 180 === 0
    ? { width: across, height: up, rotation }
    : { width: up, height: across, rotation };
}

// ── displayed ↔ the page's own coordinates ──────────────────────────────────────────────────────────────────────

/** Leads from displayed points to the page's own coordinates. */
function toUserSpace({ visible, rotation, unit }: PageGeometry): Matrix {
  const { left, bottom, right, top } = visible;
  const scale = 1 / unit;
  if (rotation === 90) return [0, scale, scale, 0, left, bottom];
  if (rotation === 180) return [-scale, 0, 0, scale, right, bottom];
  if (rotation === 270) return [0, -scale, -scale, 0, right, top];
  return [scale, 0, 0, -scale, left, top];
}

/** Leads from the page's own coordinates to displayed points. */
export function fromUserSpace(geometry: PageGeometry): Matrix {
  const [a, b, c, d, e, f] = toUserSpace(geometry);
  const size = a * d - b * c;
  return [d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size];
}

export const transformed = ([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

export function rectOfBox(geometry: PageGeometry, { x, y, width, height }: Box): Rect {
  const matrix = toUserSpace(geometry);
  const corner = transformed(matrix, { x, y });
  const other = transformed(matrix, { x: x + width, y: y + height });
  return rectOf([corner.x, corner.y, other.x, other.y]);
}

export function boxOfRect(geometry: PageGeometry, { left, bottom, right, top }: Rect): Box {
  const matrix = fromUserSpace(geometry);
  const corner = transformed(matrix, { x: left, y: bottom });
  const other = transformed(matrix, { x: right, y: top });
  return {
    x: Math.min(corner.x, other.x),
    y: Math.min(corner.y, other.y),
    width: Math.abs(other.x - corner.x),
    height: Math.abs(other.y - corner.y),
  };
}

/**
 * Places a drawing upright in `box` on the displayed page. The drawing is in points, with its origin in its bottom left corner and y
 * upwards, as drawings in a PDF have.
 */
export function uprightIn(geometry: PageGeometry, { x, y, height }: Box): Matrix {
  const [a, b, c, d, e, f] = toUserSpace(geometry);
  const origin = transformed([a, b, c, d, e, f], { x, y: y + height });
  return [a, b, -c, -d, origin.x, origin.y];
}

// ── displayed ↔ a picture, and the screen ───────────────────────────────────────────────────────────────────────

/** Converts a box into pixels of a picture that shows the whole page; they are not rounded. */
export function pixelsOfBox({ x, y, width, height }: Box, page: Size, picture: Size): Box {
  const [across, down] = [picture.width / page.width, picture.height / page.height];
  return { x: x * across, y: y * down, width: width * across, height: height * down };
}

/**
 * Returns whole pixels of a picture of a page, at least one each way: at `dpi` pixels per inch, or less so that width × height stays within
 * `maxPixels`.
 */
export function pictureSize(page: Size, { dpi, maxPixels }: { dpi: number; maxPixels: number }): Size {
  const width = (page.width * dpi) / POINTS_PER_INCH;
  const height = (page.height * dpi) / POINTS_PER_INCH;
  const shrink = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  if (shrink === 1) {
    const rounded = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
    if (rounded.width * rounded.height <= maxPixels) return rounded;
  }
  const short = Math.max(1, Math.floor(Math.min(width, height) * shrink));
  const long = Math.max(
    1,
    Math.min(Math.floor(Math.max(width, height) * shrink), Math.floor(maxPixels / short)),
  );
  return width < height ? { width: short, height: long } : { width: long, height: short };
}

/** Converts a box into percent of the page, as style sheets place it over a picture of any size. */
export function percentOfBox({ x, y, width, height }: Box, page: Size): Box {
  return pixelsOfBox({ x, y, width, height }, page, { width: 100, height: 100 });
}

export const pointsOfPercent = (percent: number, side: number): number => (percent / 100) * side;

/** @param tolerance in points, for what was rounded on its way */
export const isInside = ({ x, y, width, height }: Box, page: Size, tolerance = 0): boolean =>
  width > 0 &&
  height > 0 &&
  x >= 0 &&
  y >= 0 &&
  x + width <= page.width + tolerance &&
  y + height <= page.height + tolerance;

/** Tells whether any part of the box is on the page. */
export const isTouching = ({ x, y, width, height }: Box, page: Size): boolean =>
  x < page.width && y < page.height && x + width > 0 && y + height > 0;

/** Tells whether the two have a part in common. */
export const isOverlapping = (box: Box, other: Box): boolean =>
  box.x < other.x + other.width &&
  other.x < box.x + box.width &&
  box.y < other.y + other.height &&
  other.y < box.y + box.height;

// A list spread into the arguments of `Math.min` may be longer than a call can have.

export const leastOf = (values: readonly number[]): number =>
  values.reduce((least, value) => Math.min(least, value), Infinity);

export const mostOf = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, value), -Infinity);

/**
 * `width` and `height` are in points (1/72 inch), rounded to thousandths, as a reader displays the page: after /Rotate, with /CropBox cut
 * to /MediaBox, inherited values taken over and UserUnit applied (assumed: A18). `rotation` is the clockwise turn in degrees that has
 * already been applied to them.
 */
export type PageBox = { width: number; height: number; rotation: 0 | 90 | 180 | 270 };

/** Removes the noise of 32-bit floats from a length in points: 595.2760009765625 is meant as 595.276. */
export function roundedPoints(points: number): number {
  return Math.round(points * 1000) / 1000;
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** Applies the first matrix, then the second. */
export const product = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + b * i,
  a * h + b * j,
  c * g + d * i,
  c * h + d * j,
  e * g + f * i + k,
  e * h + f * j + l,
];

/** A length becomes at most so many times longer. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d));

/** @param by how much further it reaches on each side */
export function rectAround(points: readonly Point[], by = 0): Rect {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return { left: left - by, bottom: bottom - by, right: right + by, top: top + by };
}
