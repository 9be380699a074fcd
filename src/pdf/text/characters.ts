// Reads the characters of a page as PDFium returns them, each with its place on the page as a reader displays it.
import {
  type Box,
  boxOfRect,
  displayedPage,
  fromUserSpace,
  isTouching,
  type Point,
  transformed,
} from '../geometry.ts';
import type { OpenPage } from '../read/open-page.ts';
import type { Pdfium } from '../read/pdfium.ts';

/** A box is measured along the line of its character: `from` to `to` along it, `top` to `bottom` across it. */
export type CharacterBox = { angle: number; from: number; to: number; top: number; bottom: number };

/** `place` is absent for what PDFium put in between, such as the space between two words that are far apart. */
export type Character = { text: string; place?: CharacterBox };

/** `characterReader` needs these bytes at its pointer. */
export const MEMORY_BYTES = 32;
const FULL_TURN = 360;

/** Makes a function that reads one character of a page. A character that is not on the page is `hidden`. */
export function characterReader(pdfium: Pdfium, text: number, { geometry }: OpenPage, pointer: number) {
  const matrix = fromUserSpace(geometry);
  const page = displayedPage(geometry);
  const float = (index: number) => pdfium.pdfium.HEAPF32[(pointer >> 2) + index]!;
  const double = (index: number) => pdfium.pdfium.HEAPF64[(pointer >> 3) + index]!;
  return (index: number): Character | 'hidden' => {
    const letter = letterOf(pdfium, text, index);
    if (letter === '\n' || pdfium.FPDFText_IsGenerated(text, index) === 1) return { text: letter };
    if (!pdfium.FPDFText_GetLooseCharBox(text, index, pointer)) return { text: letter };
    // FS_RECTF: left, top, right, bottom.
    const box = boxOfRect(geometry, { left: float(0), top: float(1), right: float(2), bottom: float(3) });
    if (!isTouching(box, page)) return 'hidden';
    pdfium.FPDFText_GetCharOrigin(text, index, pointer, pointer + 8);
    const origin = transformed(matrix, { x: double(0), y: double(1) });
    // FS_MATRIX: a, b, c, d, e, f. FPDFText_GetCharAngle takes c for b: slanted letters would be turned.
    const hasMatrix = pdfium.FPDFText_GetMatrix(text, index, pointer);
    const [a, b, c, d] = hasMatrix ? [float(0), float(1), float(2), float(3)] : [1, 0, 0, 1];
    const turned = (Math.atan2(-b, a) * 180) / Math.PI + FULL_TURN + page.rotation;
    const slant = a * d === b * c ? 0 : (a * c + b * d) / (a * d - b * c);
    const place = placeOf(box, origin, (Math.round(turned * 10) / 10) % FULL_TURN, slant);
    return place ? { text: letter, place } : { text: letter };
  };
}

const UNSPEAKABLE = /[\p{Cc}\p{Cs}\p{Co}\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;

/** PDFium gives a hyphen that breaks a word this code, and no other. */
const HYPHEN_CODE = 0x02;

/** A character reads as nothing where it cannot be shown, or would reorder what is read. */
export function letterOf(pdfium: Pdfium, text: number, index: number): string {
  const code = pdfium.FPDFText_GetUnicode(text, index);
  if (code >= 0x20 && code < 0x7f) return String.fromCharCode(code);
  if (code === HYPHEN_CODE && pdfium.FPDFText_IsHyphen(text, index) === 1) return '-';
  if (code === 0x0a) return '\n';
  if (code === 0x09 || code === 0xa0) return ' ';
  if (code > 0x10ffff) return '';
  const letter = isHighHalf(code)
    ? String.fromCharCode(code, pdfium.FPDFText_GetUnicode(text, index + 1))
    : String.fromCodePoint(code);
  return UNSPEAKABLE.test(letter) ? '' : letter;
}

/** Emoji and rare scripts come as two characters; what the first does not take along of the second is dropped. */
const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * The upright box around a turned character tells its size: its width is twice the way from its origin to the middle, and its height
 * follows from the side of the box that tells more of it.
 * @param slant how far along what is above the base line is drawn, in times its height
 */
function placeOf(box: Box, origin: Point, angle: number, slant: number): CharacterBox | undefined {
  const { cos, sin } = turn(angle);
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const from = along(origin, angle);
  const above = across(origin, angle) - across(middle, angle);
  const to = 2 * (along(middle, angle) - slant * above) - from;
  const width = Math.abs(to - from);
  const height =
    Math.abs(cos) >= Math.abs(sin)
      ? (box.height - width * Math.abs(sin)) / Math.abs(cos)
      : (box.width - width * Math.abs(cos)) / Math.abs(sin);
  if (!(height > 0 && Number.isFinite(height) && Number.isFinite(width))) return undefined;
  const centre = across(middle, angle);
  return {
    angle,
    from: Math.min(from, to),
    to: Math.max(from, to),
    top: centre - height / 2,
    bottom: centre + height / 2,
  };
}

export const turn = (angle: number) => {
  const radians = (angle * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
};

/** Measures how far along, and how far across, a line through the corner of the page is that is turned by `angle`. */
const along = ({ x, y }: Point, angle: number): number => x * turn(angle).cos + y * turn(angle).sin;
const across = ({ x, y }: Point, angle: number): number => y * turn(angle).cos - x * turn(angle).sin;

/** Returns the upright box around a character or a line, which may be turned. */
export function boxAround({ angle, from, to, top, bottom }: CharacterBox): Box {
  const { cos, sin } = turn(angle);
  const corners = [from, to].flatMap((x) => [top, bottom].map((y) => [x * cos - y * sin, x * sin + y * cos]));
  const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export const lineHeightOf = ({ top, bottom }: CharacterBox): number => bottom - top;
