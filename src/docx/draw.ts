// Writes pages as a PDF: text with the faces that measured it, lines, pictures and links. The same pages give the same
// bytes. A character without a glyph leaves a visible box and a remark.
import { deflateSync } from 'node:zlib';
import {
  type PDFDocument,
  type PDFFont,
  PDFName,
  type PDFPage,
  type PDFRef,
  PDFString,
} from '@cantoo/pdf-lib';
import {
  type EmbeddedFonts,
  embeddedFonts,
  fill,
  fontFor,
  n,
  newDocument,
  readAs,
  runShown,
  stroke,
} from '../pdf/fonts/embedding.ts';
import type { Face } from '../pdf/fonts/faces.ts';
import { createTypesetting, MISSING_WIDTH, type Typesetting } from '../pdf/fonts/typesetting.ts';
import { DOCUMENT_LIMITS } from '../pdf/limits.ts';
import type { PdfRemark } from '../pdf/remarks.ts';
import { lackingPart, type MissingText, missingTextRemarks } from '../pdf/render/missing-text.ts';
import { type DisplayItem, translated } from './display-items.ts';
import type { Crop, DocxPicture, Drawing, LostContent, LostKind, PlainShape } from './model.ts';
import { limitExceeded } from './not-usable.ts';
import type { LaidOutPage } from './pages.ts';

/** It gives a picture as a PDF of one page; undefined where it cannot be drawn. */
export type PictureReader = (
  part: string,
) => Promise<{ pdf: Uint8Array; width: number; height: number } | undefined>;

export type DrawnDocument = { pdf: Uint8Array; remarks: PdfRemark[] };

type Form = { ref: PDFRef; width: number; height: number };
type Canvas = {
  document: PDFDocument;
  typesetting: Typesetting;
  fonts: EmbeddedFonts;
  forms: Map<string, Form | undefined>;
  readPicture: PictureReader;
  picturesDrawn: number;
  /** It holds what has been reported as missing already: content that a header repeats is reported once. */
  reported: Set<LostContent | string>;
};

/** Enough to see what is wrong. */
const MOST_REMARKS = 20;

export async function drawPages(
  pages: readonly LaidOutPage[],
  readPicture: PictureReader,
): Promise<DrawnDocument> {
  const document = await newDocument();
  const canvas: Canvas = {
    document,
    typesetting: createTypesetting(),
    fonts: embeddedFonts(document),
    forms: new Map(),
    readPicture,
    picturesDrawn: 0,
    reported: new Set(),
  };
  const remarks: PdfRemark[] = [];
  const lacking: MissingText[] = [];
  for (const [index, page] of pages.entries()) {
    const { lines, missing, lost } = await drawPage(page, canvas);
    for (const kind of lost)
      if (remarks.length < MOST_REMARKS) remarks.push({ code: 'content_not_shown', page: index, what: kind });
    if (missing.characters.size === 0) continue;
    const quotes = lines.map(({ text }) =>
      lackingPart(text, (codePoint) => missing.characters.has(codePoint)),
    );
    lacking.push({ page: index, fonts: missing.fonts, lines: quotes, hasMore: false });
  }
  remarks.push(...missingTextRemarks(lacking, true));
  return { pdf: await document.save({ useObjectStreams: false, updateFieldAppearances: false }), remarks };
}

type DrawContext = {
  canvas: Canvas;
  page: PDFPage;
  height: number;
  operators: string[];
  fontNames: Map<PDFFont, PDFName>;
  formNames: Map<Form, PDFName>;
  /** `end` is the position where a line ends. */
  lines: { text: string; y: number; end: number }[];
  /** `fonts` are those that the document names for the characters. */
  missing: { characters: Set<number>; fonts: Set<string> };
  lost: LostKind[];
};

async function drawPage(
  { width, height, marks, behind, watermarks }: LaidOutPage,
  canvas: Canvas,
): Promise<Pick<DrawContext, 'lines' | 'missing' | 'lost'>> {
  const page = canvas.document.addPage([width, height]);
  const sheet: DrawContext = {
    canvas,
    page,
    height,
    operators: [],
    fontNames: new Map(),
    formNames: new Map(),
    lines: [],
    missing: { characters: new Set(), fonts: new Set() },
    lost: [],
  };
  for (const text of watermarks) await drawWatermark(text, sheet);
  for (const mark of behind) await drawMark(mark, sheet);
  for (const mark of marks) await drawMark(mark, sheet);
  const { context } = canvas.document;
  const content = deflateSync(sheet.operators.join('\n'));
  page.node.set(PDFName.of('Contents'), context.register(context.stream(content, { Filter: 'FlateDecode' })));
  return sheet;
}

async function drawMark(mark: DisplayItem, sheet: DrawContext): Promise<void> {
  if (mark.kind === 'text') await drawText(mark, sheet);
  else if (mark.kind === 'bar') drawBar(mark, sheet);
  else if (mark.kind === 'picture') await drawDrawing(mark.drawing, mark, sheet);
  else addLink(mark, sheet);
}

function drawBar(
  { x, y, width, height, color }: Extract<DisplayItem, { kind: 'bar' }>,
  { operators, height: top }: DrawContext,
): void {
  operators.push(fill(color), `${n(x)} ${n(top - y - height)} ${n(width)} ${n(height)} re f`);
}

type TextMark = Extract<DisplayItem, { kind: 'text' }>;

async function drawText(mark: TextMark, sheet: DrawContext): Promise<void> {
  let { x } = mark;
  for (const { text, face, width } of mark.runs) {
    if (face) await drawRun(text, face, { ...mark, x }, sheet);
    else drawMissing(text, { ...mark, x }, sheet);
    x += width * mark.size + mark.spacing * text.length;
  }
  addToLine(mark, x, sheet);
}

/** Records the text of the page line by line, so that remarks can quote missing characters with the words around them. */
function addToLine(
  { runs, x, y, size, family }: TextMark,
  end: number,
  { lines, missing }: DrawContext,
): void {
  const text = runs.map((run) => run.text).join('');
  const before = lines.at(-1);
  if (before?.y === y) {
    before.text += x - before.end > WORD_GAP * size ? ` ${text}` : text;
    before.end = end;
  } else lines.push({ text, y, end });
  const lacking = runs.filter((run) => !run.face && run.text.trim() !== '');
  if (lacking.length > 0) missing.fonts.add(family);
  for (const character of lacking.map((run) => run.text).join(''))
    if (character.trim() !== '') missing.characters.add(character.codePointAt(0)!);
}

async function drawRun(
  text: string,
  face: Face,
  { x, y, size, color, spacing }: TextMark,
  sheet: DrawContext,
): Promise<void> {
  const font = await fontFor(face, sheet.canvas.fonts);
  const name = sheet.fontNames.get(font) ?? sheet.page.node.newFontDictionary('F', font.ref);
  sheet.fontNames.set(font, name);
  const at = (dx: number, dy: number) => `1 0 0 1 ${n(x + dx)} ${n(sheet.height - y + dy)} Tm`;
  const shown = runShown(text, { face, font, name: name.toString(), size }, at);
  const tracking = spacing === 0 ? '' : ` ${n(spacing)} Tc`;
  const run = `BT${tracking} ${shown}${spacing === 0 ? '' : ' 0 Tc'} ET`;
  sheet.operators.push(fill(color), readAs(text, run));
}

const BOX_HEIGHT = 0.7;
const BOX_LINE = 0.05;
/** Words are at least this far apart, in sizes of the text. */
const WORD_GAP = 0.15;

/** Draws a box for each missing character, because an empty space would be overlooked. */
function drawMissing(text: string, { x, y, size }: TextMark, { operators, height }: DrawContext): void {
  for (const [index, character] of [...text].entries()) {
    if (character.trim() === '') continue;
    const left = x + (index * MISSING_WIDTH + 0.05) * size;
    const box = `${n(left)} ${n(height - y)} ${n((MISSING_WIDTH - 0.1) * size)} ${n(BOX_HEIGHT * size)} re S`;
    operators.push(`q 0 0 0 RG ${n(BOX_LINE * size)} w ${box} Q`);
  }
}

const GREY = 'C8C8C8';
const DIAGONAL = Math.SQRT1_2;

async function drawWatermark(text: string, sheet: DrawContext): Promise<void> {
  const measured = sheet.canvas.typesetting.measure(text, { family: 'sans', isBold: true });
  const { width } = sheet.page.getSize();
  const size = Math.min(120, (Math.min(width, sheet.height) * 0.9) / Math.max(0.1, measured.width));
  const half = (measured.width * size) / 2;
  const turn = `${n(DIAGONAL)} ${n(DIAGONAL)} ${n(-DIAGONAL)} ${n(DIAGONAL)}`;
  sheet.operators.push(`q ${turn} ${n(width / 2)} ${n(sheet.height / 2)} cm`);
  const mark: TextMark = {
    kind: 'text',
    x: -half,
    y: sheet.height + size / 3,
    runs: measured.runs,
    size,
    color: GREY,
    spacing: 0,
    family: 'Arial',
  };
  await drawText(mark, sheet);
  sheet.operators.push('Q');
}

type Bounds = { x: number; y: number; width: number; height: number };

/** Reports missing content, on the first page that lacks it. */
function reportLost(
  content: LostContent | string,
  kind: LostKind,
  { lost, canvas: { reported } }: DrawContext,
): void {
  if (!reported.has(content)) lost.push(kind);
  reported.add(content);
}

async function drawDrawing(drawing: Drawing, place: Bounds, sheet: DrawContext): Promise<void> {
  const { pictures, words, shapes = [] } = drawing;
  for (const shape of shapes) drawShape(shape, place, sheet);
  for (const lost of drawing.lost) reportLost(lost, lost.kind, sheet);
  const lost: string[] = [...words];
  for (const picture of pictures) {
    const form = await formOf(picture.part, sheet.canvas);
    if (form) drawForm(form, picture, place, sheet);
    else {
      lost.push(picture.part.split('/').at(-1) ?? picture.part);
      reportLost(picture.part, 'image', sheet);
    }
  }
  if (lost.length > 0) await drawWords(lost, place, sheet);
}

function drawShape(
  { form, frame, width, color, isRising }: PlainShape,
  place: Bounds,
  { operators, height }: DrawContext,
): void {
  const left = place.x + frame.x * place.width;
  const right = left + frame.width * place.width;
  const top = height - place.y - frame.y * place.height;
  const bottom = top - frame.height * place.height;
  const path =
    form === 'box'
      ? `${n(left)} ${n(bottom)} ${n(right - left)} ${n(top - bottom)} re`
      : `${n(left)} ${n(isRising ? bottom : top)} m ${n(right)} ${n(isRising ? top : bottom)} l`;
  operators.push(`q ${stroke(color)} ${n(width)} w ${path} S Q`);
}

async function formOf(part: string, canvas: Canvas): Promise<Form | undefined> {
  canvas.picturesDrawn += 1;
  if (canvas.picturesDrawn > DOCUMENT_LIMITS.docxPictures) throw limitExceeded('pictures');
  if (canvas.forms.has(part)) return canvas.forms.get(part);
  const read = await canvas.readPicture(part);
  const [page] = read ? await canvas.document.embedPdf(read.pdf) : [];
  const form = read && page && { ref: page.ref, width: read.width, height: read.height };
  canvas.forms.set(part, form);
  return form;
}

function drawForm(
  form: Form,
  { frame, crop }: DocxPicture,
  place: Bounds,
  { page, operators, formNames, height }: DrawContext,
): void {
  const name = formNames.get(form) ?? page.node.newXObject('P', form.ref);
  formNames.set(form, name);
  const box = {
    x: place.x + frame.x * place.width,
    y: place.y + frame.y * place.height,
    width: frame.width * place.width,
    height: frame.height * place.height,
  };
  const clip = `${n(box.x)} ${n(height - box.y - box.height)} ${n(box.width)} ${n(box.height)} re W n`;
  operators.push(`q ${clip} ${matrixOf(form, crop, box, height)} cm ${name.toString()} Do Q`);
}

/** The matrix makes the cropped picture fill the box. */
function matrixOf(form: Form, { left, right, top, bottom }: Crop, box: Bounds, height: number): string {
  const width = box.width / (1 - left - right);
  const tall = box.height / (1 - top - bottom);
  const x = box.x - left * width;
  const y = height - box.y - box.height - bottom * tall;
  return [width / form.width, 0, 0, tall / form.height, x, y]
    .map((value) => `${Math.round(value * 1e5) / 1e5}`)
    .join(' ');
}

const WORDS_SIZE = 8;
const WORDS_GREY = '606060';

/** Draws a frame with words in the place of what cannot be drawn. Words that do not fit continue below it. */
async function drawWords(words: readonly string[], place: Bounds, sheet: DrawContext): Promise<void> {
  const { operators, height, canvas } = sheet;
  operators.push(
    `q 0.5 0.5 0.5 RG 0.5 w ${n(place.x)} ${n(height - place.y - place.height)} ${n(place.width)} ${n(place.height)} re S Q`,
  );
  const size = Math.min(
    WORDS_SIZE,
    Math.max(1, Math.sqrt((place.width * place.height) / (words.join(' ').length + 1))),
  );
  let [x, y] = [2, size + 1];
  for (const word of words.flatMap((word) => word.split(/\s+/))) {
    const measured = canvas.typesetting.measure(`${word} `, { family: 'sans' });
    if (x + measured.width * size > place.width && x > 2) [x, y] = [2, y + size * 1.2];
    const mark: TextMark = {
      kind: 'text',
      x,
      y,
      runs: measured.runs,
      size,
      color: WORDS_GREY,
      spacing: 0,
      family: '',
    };
    await drawText(translated(mark, place.x, place.y) as TextMark, sheet);
    x += measured.width * size;
  }
}

/** Readers take an address to be no longer than this. */
const LONGEST_ADDRESS = 2000;

function addLink(
  { x, y, width, height, address }: Extract<DisplayItem, { kind: 'link' }>,
  { page, canvas, height: top }: DrawContext,
): void {
  if (address.length > LONGEST_ADDRESS) return;
  const { context } = canvas.document;
  const uri = PDFString.of(
    encodeURI(address)
      .replace(/%25/g, '%')
      .replace(/[()\\]/g, (character) => `\\${character}`),
  );
  const annotation = context.obj({
    Type: 'Annot',
    Subtype: 'Link',
    Rect: [x, top - y - height, x + width, top - y].map((value) => Math.round(value * 100) / 100),
    Border: [0, 0, 0],
    A: { Type: 'Action', S: 'URI', URI: uri },
  });
  page.node.addAnnot(context.register(annotation));
}
