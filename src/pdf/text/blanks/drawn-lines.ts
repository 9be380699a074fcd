// Reads the straight lines that a page draws, such as rules to write on and the borders of tables. Drawings inside of drawings count.

import { fromUserSpace, type Matrix, type Point, product, transformed } from '../../geometry.ts';
import { BLANK_LIMITS } from '../../limits.ts';
import type { OpenPage } from '../../read/open-page.ts';
import { type Pdfium, withMemory } from '../../read/pdfium.ts';

/** Lines are in displayed points. An `across` line is at `y` from `from` to `to`, an `upright` one at `x`. */
export type Across = { y: number; from: number; to: number };
type Upright = { x: number; from: number; to: number };
export type DrawnLines = { across: Across[]; upright: Upright[] };

// fpdf_edit.h
const PATH = 2;
const FORM = 5;
const BEZIER_TO = 1;
const MOVE_TO = 2;

/** A line may lean this much, and a filled box this thin is a line. */
const STRAIGHT = 1;
const THIN = 3;
const FAINTEST = 245;

/** PDFium writes a matrix, a point or a color here. */
const MEMORY_BYTES = 32;

export function readDrawnLines(pdfium: Pdfium, { page, geometry }: OpenPage): DrawnLines {
  const lines: DrawnLines = { across: [], upright: [] };
  const count = { objects: 0, segments: 0 };
  const toPage = fromUserSpace(geometry);
  withMemory(pdfium, MEMORY_BYTES, (pointer) => {
    const reader: Reader = { pdfium, pointer, lines, count };
    const objects = pdfium.FPDFPage_CountObjects(page);
    for (let index = 0; index < objects && hasRoom(count); index += 1)
      readObject(reader, pdfium.FPDFPage_GetObject(page, index), toPage, 0);
  });
  return lines;
}

type Count = { objects: number; segments: number };
type Reader = { pdfium: Pdfium; pointer: number; lines: DrawnLines; count: Count };

const hasRoom = ({ objects, segments }: Count): boolean =>
  objects < BLANK_LIMITS.objects && segments < BLANK_LIMITS.segments;

function readObject(reader: Reader, object: number, outer: Matrix, depth: number): void {
  const { pdfium, count } = reader;
  count.objects += 1;
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === PATH) readPath(reader, object, outer);
  if (type !== FORM || depth >= BLANK_LIMITS.depth) return;
  const matrix = product(matrixOf(reader, object), outer);
  const objects = pdfium.FPDFFormObj_CountObjects(object);
  for (let index = 0; index < objects && hasRoom(count); index += 1)
    readObject(reader, pdfium.FPDFFormObj_GetObject(object, index), matrix, depth + 1);
}

function matrixOf({ pdfium, pointer }: Reader, object: number): Matrix {
  if (!pdfium.FPDFPageObj_GetMatrix(object, pointer)) return [1, 0, 0, 1, 0, 0];
  const at = (index: number) => pdfium.pdfium.getValue(pointer + index * 4, 'float');
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

function readPath(reader: Reader, path: number, outer: Matrix): void {
  const { pdfium, lines } = reader;
  const { isFilled, isStroked } = drawModeOf(reader, path);
  if (!(isStroked && isVisible(reader, path, 'Stroke')) && !(isFilled && isVisible(reader, path, 'Fill')))
    return;
  const matrix = product(matrixOf(reader, path), outer);
  const segments = pdfium.FPDFPath_CountSegments(path);
  let points: Point[] = [];
  let isCurved = false;
  const end = (): void => {
    if (!isCurved) addLines(lines, points, isStroked);
    points = [];
    isCurved = false;
  };
  for (let index = 0; index < segments && hasRoom(reader.count); index += 1) {
    reader.count.segments += 1;
    const segment = pdfium.FPDFPath_GetPathSegment(path, index);
    const type = pdfium.FPDFPathSegment_GetType(segment);
    if (type === MOVE_TO) end();
    isCurved ||= type === BEZIER_TO;
    points.push(transformed(matrix, pointOf(reader, segment)));
    if (pdfium.FPDFPathSegment_GetClose(segment) && points[0]) points.push(points[0]);
  }
  end();
}

function drawModeOf({ pdfium, pointer }: Reader, path: number): { isFilled: boolean; isStroked: boolean } {
  if (!pdfium.FPDFPath_GetDrawMode(path, pointer, pointer + 4)) return { isFilled: false, isStroked: false };
  const at = (position: number) => pdfium.pdfium.getValue(pointer + position, 'i32') !== 0;
  return { isFilled: at(0), isStroked: at(4) };
}

/** A line in the color of paper is not seen. */
function isVisible({ pdfium, pointer }: Reader, path: number, paint: 'Fill' | 'Stroke'): boolean {
  const read = paint === 'Fill' ? pdfium.FPDFPageObj_GetFillColor : pdfium.FPDFPageObj_GetStrokeColor;
  if (!read(path, pointer, pointer + 4, pointer + 8, pointer + 12)) return true;
  const [red, green, blue, alpha] = [0, 4, 8, 12].map((at) => pdfium.pdfium.getValue(pointer + at, 'i32'));
  return alpha !== 0 && Math.min(red ?? 0, green ?? 0, blue ?? 0) < FAINTEST;
}

function pointOf({ pdfium, pointer }: Reader, segment: number): Point {
  pdfium.FPDFPathSegment_GetPoint(segment, pointer, pointer + 4);
  return { x: pdfium.pdfium.getValue(pointer, 'float'), y: pdfium.pdfium.getValue(pointer + 4, 'float') };
}

/** Only a thin filled path is a line; each side of a stroked path is. */
function addLines(lines: DrawnLines, points: readonly Point[], isStroked: boolean): void {
  if (points.length < 2) return;
  const [left, right] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const [top, bottom] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))];
  if (bottom - top <= THIN) lines.across.push({ y: (top + bottom) / 2, from: left, to: right });
  else if (right - left <= THIN) lines.upright.push({ x: (left + right) / 2, from: top, to: bottom });
  else if (isStroked)
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (!from) continue;
      const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
      if (height <= STRAIGHT && width > THIN)
        lines.across.push({
          y: (from.y + to.y) / 2,
          from: Math.min(from.x, to.x),
          to: Math.max(from.x, to.x),
        });
      else if (width <= STRAIGHT && height > THIN)
        lines.upright.push({
          x: (from.x + to.x) / 2,
          from: Math.min(from.y, to.y),
          to: Math.max(from.y, to.y),
        });
    }
}
