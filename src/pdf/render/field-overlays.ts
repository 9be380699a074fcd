// Draws labelled boxes of fields, and a grid of the coordinates that a field is placed with, over the picture of a page. It must never
// touch the document: both are drawn on a page of their own, which is laid over the picture, so that no content hides them.
import type { Box, Size } from '../geometry.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { Pdfium } from '../read/pdfium.ts';
import { type LabelText, withLabelFont } from './label-font.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** The box is in displayed points (see `geometry.ts`). `title` is who, `subtitle` what; both may be anything. */
export type FieldOverlay = Box & { color: Rgb; title: string; subtitle: string; isRequired: boolean };

/** `picture` is the size of the bitmap, which shows the whole page; `flags` are those it was drawn with. */
type PageOverlay = {
  page: Size;
  picture: Size;
  marks: readonly FieldOverlay[];
  /** A picture is drawn below the boxes. */
  grid?: PageGrid | undefined;
  flags: number;
};

export function drawFieldOverlays(
  pdfium: Pdfium,
  bitmap: number,
  { page, picture, marks, grid, flags }: PageOverlay,
): void {
  const document = pdfium.FPDF_CreateNewDocument();
  try {
    const sheet = pdfium.FPDFPage_New(document, 0, page.width, page.height);
    try {
      withLabelFont(pdfium, document, (label) => {
        const pen = { pdfium, sheet, label, pageWidth: page.width, pageHeight: page.height };
        if (grid) drawGrid(pen, grid);
        for (const mark of marks.slice(0, DOCUMENT_LIMITS.marks)) drawFieldOverlay(pen, mark);
        pdfium.FPDF_RenderPageBitmap(bitmap, sheet, 0, 0, picture.width, picture.height, 0, flags);
      });
    } finally {
      pdfium.FPDF_ClosePage(sheet);
    }
  } finally {
    pdfium.FPDF_CloseDocument(document);
  }
}

const WHITE: Rgb = [255, 255, 255];
const OPAQUE = 255;
/** Text below a box is read through the tint. */
const TINT = 40;
const PLATE = 215;

// Points.
const EDGE = 1;
const DASH = 3;
const PADDING = 2;
const TEXT = { largest: 8, smallest: 4 };
const LINE = 1.3;

// fpdf_edit.h.
const FILL_WINDING = 2;
const NO_FILL = 0;

/** The sheet is a page as large as that of the document. */
type DrawContext = { pdfium: Pdfium; sheet: number; label: LabelText; pageWidth: number; pageHeight: number };

function drawFieldOverlay(pen: DrawContext, mark: FieldOverlay): void {
  fillBox(pen, mark, mark.color, TINT);
  drawLabels(pen, mark);
  drawEdge(pen, mark);
}

/** Draws title and subtitle on two lines, or on one where the box is low; each is truncated at the edge of the box. */
function drawLabels(pen: DrawContext, mark: FieldOverlay): void {
  const { title, subtitle, color, x, y, width, height } = mark;
  const inner = { x: x + EDGE, y: y + EDGE, width: width - 2 * EDGE, height: height - 2 * EDGE };
  const isLow = inner.height < 2 * TEXT.smallest * LINE;
  const lines = isLow ? [`${title} · ${subtitle}`] : [title, subtitle];
  const size = Math.min(TEXT.largest, inner.height / lines.length / LINE);
  for (const [index, text] of lines.entries()) {
    const line = { ...inner, y: inner.y + index * size * LINE, height: size * LINE };
    const isFirst = index === 0;
    const room = inner.width - 2 * PADDING;
    const cut = pen.label.cut(text.slice(0, DOCUMENT_LIMITS.markTextCharacters), size, room);
    const plate = { ...line, width: Math.min(inner.width, cut.width + 2 * PADDING) };
    if (cut.width <= 0 || plate.width <= 0) continue;
    fillBox(pen, plate, isFirst ? color : WHITE, isFirst ? OPAQUE : PLATE);
    const baseline = { x: line.x + PADDING, y: pen.pageHeight - line.y - size };
    for (const object of pen.label.objects(cut, size, baseline, isFirst ? WHITE : color))
      pen.pdfium.FPDFPage_InsertObject(pen.sheet, object);
  }
}

/** Draws the edge inside the box, so that its outer side is the edge of the field. It is dashed for optional fields. */
function drawEdge(
  { pdfium, sheet, pageHeight }: DrawContext,
  { x, y, width, height, color, isRequired }: FieldOverlay,
): void {
  const inset = Math.min(EDGE, width, height) / 2;
  const edge = pdfium.FPDFPageObj_CreateNewRect(
    x + inset,
    pageHeight - y - height + inset,
    width - 2 * inset,
    height - 2 * inset,
  );
  pdfium.FPDFPageObj_SetStrokeColor(edge, ...color, OPAQUE);
  pdfium.FPDFPageObj_SetStrokeWidth(edge, 2 * inset);
  if (!isRequired) setDash(pdfium, edge);
  pdfium.FPDFPath_SetDrawMode(edge, NO_FILL, true);
  pdfium.FPDFPage_InsertObject(sheet, edge);
}

function setDash(pdfium: Pdfium, edge: number): void {
  const pointer = pdfium.pdfium.wasmExports.malloc(8);
  pdfium.pdfium.setValue(pointer, DASH, 'float');
  pdfium.pdfium.setValue(pointer + 4, DASH, 'float');
  pdfium.FPDFPageObj_SetDashArray(edge, pointer, 2, 0);
  pdfium.pdfium.wasmExports.free(pointer);
}

function fillBox(
  { pdfium, sheet, pageHeight }: DrawContext,
  { x, y, width, height }: Box,
  color: Rgb,
  alpha: number,
): void {
  if (!(width > 0 && height > 0)) return;
  const box = pdfium.FPDFPageObj_CreateNewRect(x, pageHeight - y - height, width, height);
  pdfium.FPDFPageObj_SetFillColor(box, ...color, alpha);
  pdfium.FPDFPath_SetDrawMode(box, FILL_WINDING, false);
  pdfium.FPDFPage_InsertObject(sheet, box);
}

/** `title` stands in the corner where both numbers are 0. */
export type PageGrid = { title: string };

const GRID_COLOR: Rgb = [0, 90, 190];

// Points.
const GRID_STEP = 50;
const LABEL_SIZE = 7;
const LABEL_PADDING = 1.5;
const GRID_LINES = [
  { every: 50, width: 0.5, alpha: 150 },
  { every: 10, width: 0.25, alpha: 60 },
];
/** On a poster lines at this distance would cover the page: at most this many are drawn in each direction. */
const MOST_LINES = 100;

function drawGrid(pen: DrawContext, { title }: PageGrid): void {
  const { pageWidth, pageHeight } = pen;
  const scale = Math.max(1, Math.ceil(Math.max(pageWidth, pageHeight) / GRID_STEP / MOST_LINES));
  for (const line of GRID_LINES) {
    const every = line.every * scale;
    for (let x = every; x < pageWidth; x += every) drawGridLine(pen, { x, y: 0 }, { x, y: pageHeight }, line);
    for (let y = every; y < pageHeight; y += every) drawGridLine(pen, { x: 0, y }, { x: pageWidth, y }, line);
  }
  drawGridLabel(pen, title, 0, 0);
  for (let x = GRID_STEP * scale; x < pageWidth; x += GRID_STEP * scale) drawGridLabel(pen, String(x), x, 0);
  for (let y = GRID_STEP * scale; y < pageHeight; y += GRID_STEP * scale) drawGridLabel(pen, String(y), 0, y);
}

type GridPoint = { x: number; y: number };

function drawGridLine(
  { pdfium, sheet, pageHeight }: DrawContext,
  from: GridPoint,
  to: GridPoint,
  { width, alpha }: { width: number; alpha: number },
): void {
  const line = pdfium.FPDFPageObj_CreateNewPath(from.x, pageHeight - from.y);
  pdfium.FPDFPath_LineTo(line, to.x, pageHeight - to.y);
  pdfium.FPDFPageObj_SetStrokeColor(line, ...GRID_COLOR, alpha);
  pdfium.FPDFPageObj_SetStrokeWidth(line, width);
  pdfium.FPDFPath_SetDrawMode(line, NO_FILL, true);
  pdfium.FPDFPage_InsertObject(sheet, line);
}

function drawGridLabel(
  { pdfium, sheet, label, pageHeight }: DrawContext,
  text: string,
  x: number,
  y: number,
): void {
  const cut = label.cut(text, LABEL_SIZE, Number.POSITIVE_INFINITY);
  const height = LABEL_SIZE + 2 * LABEL_PADDING;
  const plate = pdfium.FPDFPageObj_CreateNewRect(
    x,
    pageHeight - y - height,
    cut.width + 2 * LABEL_PADDING,
    height,
  );
  pdfium.FPDFPageObj_SetFillColor(plate, ...WHITE, 220);
  pdfium.FPDFPath_SetDrawMode(plate, FILL_WINDING, false);
  pdfium.FPDFPage_InsertObject(sheet, plate);
  const baseline = { x: x + LABEL_PADDING, y: pageHeight - y - LABEL_PADDING - LABEL_SIZE * 0.8 };
  for (const object of label.objects(cut, LABEL_SIZE, baseline, GRID_COLOR))
    pdfium.FPDFPage_InsertObject(sheet, object);
}
