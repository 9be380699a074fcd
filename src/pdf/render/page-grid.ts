// Draws a grid with numbers onto the picture of a page: the coordinates that a field is placed with, in points from the top
// left corner. It must never touch the document.

import type { Pdfium } from '../read/pdfium.ts';
import type { LabelText } from './label-font.ts';

/** `title` stands in the corner where both numbers are 0. */
export type PageGrid = { title: string };

/** What is drawn on: a page as large as that of the document. */
type DrawContext = { pdfium: Pdfium; sheet: number; label: LabelText; pageWidth: number; pageHeight: number };

type Color = readonly [red: number, green: number, blue: number];

const COLOR: Color = [0, 90, 190];
const WHITE: Color = [255, 255, 255];

// Points.
const STEP = 50;
const LABEL = 7;
const PADDING = 1.5;
const LINES = [
  { every: 50, width: 0.5, alpha: 150 },
  { every: 10, width: 0.25, alpha: 60 },
];
/** On a poster lines at this distance would cover the page: at most this many are drawn in each direction. */
const MOST_LINES = 100;

// fpdf_edit.h.
const FILL_WINDING = 2;
const NO_FILL = 0;

export function drawGrid(pen: DrawContext, { title }: PageGrid): void {
  const { pageWidth, pageHeight } = pen;
  const scale = Math.max(1, Math.ceil(Math.max(pageWidth, pageHeight) / STEP / MOST_LINES));
  for (const line of LINES) {
    const every = line.every * scale;
    for (let x = every; x < pageWidth; x += every) drawLine(pen, { x, y: 0 }, { x, y: pageHeight }, line);
    for (let y = every; y < pageHeight; y += every) drawLine(pen, { x: 0, y }, { x: pageWidth, y }, line);
  }
  drawLabel(pen, title, 0, 0);
  for (let x = STEP * scale; x < pageWidth; x += STEP * scale) drawLabel(pen, String(x), x, 0);
  for (let y = STEP * scale; y < pageHeight; y += STEP * scale) drawLabel(pen, String(y), 0, y);
}

type GridPoint = { x: number; y: number };

function drawLine(
  { pdfium, sheet, pageHeight }: DrawContext,
  from: GridPoint,
  to: GridPoint,
  { width, alpha }: { width: number; alpha: number },
): void {
  const line = pdfium.FPDFPageObj_CreateNewPath(from.x, pageHeight - from.y);
  pdfium.FPDFPath_LineTo(line, to.x, pageHeight - to.y);
  pdfium.FPDFPageObj_SetStrokeColor(line, ...COLOR, alpha);
  pdfium.FPDFPageObj_SetStrokeWidth(line, width);
  pdfium.FPDFPath_SetDrawMode(line, NO_FILL, true);
  pdfium.FPDFPage_InsertObject(sheet, line);
}

/** Draws a number with its top left corner at the crossing of two lines. */
function drawLabel(
  { pdfium, sheet, label, pageHeight }: DrawContext,
  text: string,
  x: number,
  y: number,
): void {
  const cut = label.cut(text, LABEL, Number.POSITIVE_INFINITY);
  const height = LABEL + 2 * PADDING;
  const plate = pdfium.FPDFPageObj_CreateNewRect(x, pageHeight - y - height, cut.width + 2 * PADDING, height);
  pdfium.FPDFPageObj_SetFillColor(plate, ...WHITE, 220);
  pdfium.FPDFPath_SetDrawMode(plate, FILL_WINDING, false);
  pdfium.FPDFPage_InsertObject(sheet, plate);
  const baseline = { x: x + PADDING, y: pageHeight - y - PADDING - LABEL * 0.8 };
  for (const object of label.objects(cut, LABEL, baseline, COLOR))
    pdfium.FPDFPage_InsertObject(sheet, object);
}
