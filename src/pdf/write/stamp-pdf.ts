// Draws values into a document and rewrites it, with its form flattened and active content removed. The same document and plan give
// the same bytes. `inspectPdf` has accepted the document. It must never show anything else than PDFium showed to the recipients.
import { deflateSync, inflateSync } from 'node:zlib';
import * as lib from '@cantoo/pdf-lib';
import { ParseSpeeds, PDFDict, PDFDocument, PDFName, PDFStream } from '@cantoo/pdf-lib';
import { type EmbeddedFonts, embeddedFonts } from '../fonts/embedding.ts';
import { createTypesetting, type Typesetting } from '../fonts/typesetting.ts';
import { displayedPage, geometryOf, type PageGeometry, uprightIn } from '../geometry.ts';
import { STAMP_LIMITS, type TooComplex } from '../limits.ts';
import { leavesOf, type PageLeaf } from '../read/repair.ts';
import { type Copying, soundCopy } from '../read/sound-copy.ts';
import { pixelsOfPage } from '../render/render.ts';
import { addAttachment, keepAttachments } from './attachments.ts';
import { EVIDENCE_FILE } from './certificate/evidence-file.ts';
import { clean, newTally } from './clean.ts';
import { flattenPage, keepPdfiumAppearances, lacksAppearances, showsAnnotations } from './flatten.ts';
import {
  buildFormXObject,
  codePointNames,
  drawCircle,
  drawStroke,
  drawText,
  type FormXObjectBuilder,
  fillCircle,
  newFormXObject,
  showDrawing,
  underline,
} from './form-x-object.ts';
import { embedInk, type InkPicture, isInk } from './ink-picture.ts';
import { type FieldShape, layOutField } from './lay-out-field.ts';
import { dictIn, numberArrayIn, numberIn } from './look-up.ts';
import { missingFor } from './missing.ts';
import { drawBehind, drawInstead, type PlacedForm, readSoundPage } from './page-content.ts';
import type { NotSealable, PageToCompare, StampField, StampPlan, StampRemark, StampResult } from './plan.ts';
import { writePdf } from './write-pdf.ts';

export async function stampPdf(
  bytes: Uint8Array,
  { fields, emptied = [], keepOriginal }: StampPlan,
): Promise<StampResult> {
  const refused = fields.map(notDrawable).find((refusal) => refusal !== undefined);
  if (refused) return refused;
  const opened = await open(bytes);
  if (!opened.ok) return opened;
  const { document, leaves, isExact } = opened;
  const { catalog, context } = document;
  const tally = newTally();
  const pagesToCompare: PageToCompare[] = [];
  const hasLayers = catalog.has(lib.PDFName.of('OCProperties'));
  const { isArchive } = keepArchive(catalog);
  const pen = await createDrawContext(document, fields, isArchive);
  if ('ok' in pen) return pen;
  for (const [index, leaf] of leaves.entries()) {
    const geometry = geometryOfLeaf(leaf);
    const hasAnnotations = showsAnnotations(leaf);
    const onPage = fields.filter(({ page }) => page === index);
    const drawings = flattenPage(leaf, {
      ...{ geometry, covered: onPage, tally },
      ...{ fonts: pen.fonts, isArchive },
      emptied: new Set(emptied.filter(({ page }) => page === index).map(({ annotation }) => annotation)),
    });
    const hasFlattened = drawings.length > 0;
    if (onPage.length > 0) drawings.push(await drawFields(onPage, geometry, pen));
    const state = drawings.length > 0 ? readSoundPage(leaf) : undefined;
    const isRedrawn = drawings.length > 0 && !state;
    if (!isExact || hasLayers || hasAnnotations || hasFlattened || isRedrawn)
      pagesToCompare.push({ page: index, size: displayedPage(geometry), isRedrawn });
    if (drawings.length === 0) continue;
    if (state) drawBehind(leaf, drawings, state);
    else {
      const { fonts } = pen;
      const picture = await redrawPage({ document, fonts, isArchive, bytes, pageIndex: index, geometry });
      if ('ok' in picture) return picture;
      drawInstead(leaf, [picture, ...drawings]);
      tally.count('pages_redrawn', `${index + 1}`);
    }
  }
  const stray = fields.find(({ page }) => !leaves[page]);
  if (stray) return notSealable('page', stray);
  // Ghostscript does not open a file whose catalog says that it is something else.
  catalog.set(lib.PDFName.of('Type'), lib.PDFName.of('Catalog'));
  clean(context, catalog, tally);
  for (const name of keepAttachments(catalog, EVIDENCE_FILE)) tally.count('embedded_files_kept', name);
  if (keepOriginal) addAttachment(catalog, originalOf(bytes, keepOriginal.name));
  await document.flush();
  return {
    ok: true,
    pdf: writePdf(context, bytes),
    removed: tally.all(),
    remarks: pen.remarks,
    pagesToCompare,
  };
}

const notSealable = (why: NotSealable['why'], field?: StampField): NotSealable => ({
  ok: false,
  reason: 'not_sealable',
  why,
  ...(field && { label: field.label }),
});

const originalOf = (bytes: Uint8Array, name: string) => ({
  name,
  mediaType: 'application/pdf',
  bytes,
  relationship: 'Source' as const,
  description: 'The document as it was sent',
});

// ── opening ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** `isExact` says that nothing of the file had to be guessed or left out. */
type Opened = { ok: true; document: PDFDocument; leaves: PageLeaf[]; isExact: boolean };
type NotOpened = Extract<StampResult, { ok: false }>;

/** Only some files need a second try: appearances for fields that show nothing yet, or a tree of pages that can be walked. */
async function open(bytes: Uint8Array): Promise<Opened | NotOpened> {
  const first = await read(bytes, {});
  if (!first.ok) return first.reason === 'not_sealable' ? read(bytes, { pagesAlone: true }) : first;
  const form = dictIn(first.document.catalog, 'AcroForm');
  if (!lacksAppearances(form, first.leaves)) return first;
  const second = await read(bytes, { withAppearances: true });
  if (second.ok) keepPdfiumAppearances(second.leaves);
  return second;
}

async function read(bytes: Uint8Array, copying: Copying): Promise<Opened | NotOpened> {
  const copy = await soundCopy(bytes, copying);
  if (!copy.ok) return copy;
  // At once: this process has nothing else to do meanwhile.
  const options = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest };
  const document = await PDFDocument.load(copy.pdf, options).catch(() => undefined);
  const leaves = document?.catalog instanceof PDFDict ? leavesOf({ lib, document }) : undefined;
  if (!document || leaves?.length !== copy.pageCount || !hasRoot(document, leaves))
    return notSealable('unreadable');
  return { ok: true, document, leaves, isExact: copy.isExact };
}

/** Tells whether there is a node above the pages: a page that stands in its place is shown by some readers, and gets no neighbours. */
const hasRoot = ({ catalog, context }: PDFDocument, leaves: readonly PageLeaf[]): boolean => {
  const root = context.lookup(catalog.get(lib.PDFName.of('Pages')));
  return leaves.every(({ dict }) => dict !== root);
};

/** PDFium takes a letter where a page says nothing of use. */
const LETTER = [0, 0, 612, 792];

function geometryOfLeaf({ dict, inherited }: PageLeaf): PageGeometry {
  const all = dict.context.obj({});
  for (const [key, value] of inherited) all.set(lib.PDFName.of(key), value);
  const entries = {
    cropBox: numberArrayIn(all, 'CropBox'),
    rotate: numberIn(all, 'Rotate'),
    userUnit: numberIn(dict, 'UserUnit'),
  };
  const geometry = geometryOf({ mediaBox: numberArrayIn(all, 'MediaBox') ?? LETTER, ...entries });
  return geometry ?? (geometryOf({ mediaBox: LETTER, rotate: entries.rotate }) as PageGeometry);
}

// ── drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────

type DrawContext = {
  document: PDFDocument;
  fonts: ReturnType<typeof embeddedFonts>;
  typesetting: ReturnType<typeof createTypesetting>;
  inks: ReadonlyMap<string, InkPicture>;
  isArchive: boolean;
  remarks: StampRemark[];
};

/** Embeds each picture once, or returns the refusal of the first that cannot be read. */
async function createDrawContext(
  document: PDFDocument,
  fields: readonly StampField[],
  isArchive: boolean,
): Promise<DrawContext | NotSealable> {
  const inks = new Map<string, InkPicture>();
  for (const field of fields) {
    if (!isInk(field) || inks.has(field.value)) continue;
    const ink = await embedInk(field.value, document.context);
    if (!ink) return notSealable('picture', field);
    inks.set(field.value, ink);
  }
  const [fonts, typesetting] = [embeddedFonts(document), createTypesetting()];
  return { document, fonts, typesetting, inks, isArchive, remarks: [] };
}

async function drawFields(
  fields: readonly StampField[],
  geometry: PageGeometry,
  pen: DrawContext,
): Promise<PlacedForm> {
  const size = displayedPage(geometry);
  const sheet = newFormXObject(pen.fonts, size, { isCalibrated: pen.isArchive });
  for (const field of fields) {
    const { isSmall } = await drawField(
      sheet,
      field,
      isInk(field) ? pen.inks.get(field.value) : undefined,
      pen.typesetting,
    );
    if (isSmall) pen.remarks.push({ code: 'value_small', page: field.page, label: field.label });
  }
  const matrix = uprightIn(geometry, { x: 0, y: 0, ...size });
  return { form: buildFormXObject(sheet, pen.document.context), matrix };
}

const PART = /(pdfaid:part(?:>|\s*=\s*["']))([12])(?=[<"'])/g;
const LEVEL = /(pdfaid:conformance(?:>|\s*=\s*["']))A(?=[<"'])/g;

/** Adapts the claim. Colors that are drawn into an archive need a definition of their own. */
export function keepArchive(catalog: PDFDict): { isArchive: boolean } {
  const metadata = catalog.lookup(PDFName.of('Metadata'));
  if (!(metadata instanceof PDFStream)) return { isArchive: false };
  const text = textOf(metadata);
  if (!text?.includes('pdfaid:part')) return { isArchive: false };
  const changed = text.replace(PART, '$13').replace(LEVEL, '$1U');
  if (changed === text) return { isArchive: true };
  const { context } = catalog;
  const bytes = Buffer.from(changed, 'latin1');
  const stream = context.stream(bytes, { Type: 'Metadata', Subtype: 'XML' });
  catalog.set(PDFName.of('Metadata'), context.register(stream));
  return { isArchive: true };
}

/** Reads it byte for byte. Metadata of an archive are not packed, but may be. */
function textOf(metadata: PDFStream): string | undefined {
  const bytes = Buffer.from(metadata.getContents());
  const filter = metadata.dict.get(PDFName.of('Filter'));
  if (filter === undefined) return bytes.toString('latin1');
  try {
    return filter === PDFName.of('FlateDecode')
      ? inflateSync(bytes, { maxOutputLength: MOST_BYTES }).toString('latin1')
      : undefined;
  } catch {
    return undefined;
  }
}

const MOST_BYTES = 4 * 1024 * 1024;

type Redrawing = {
  document: PDFDocument;
  fonts: EmbeddedFonts;
  isArchive: boolean;
  /** People saw the file with these bytes. */
  bytes: Uint8Array;
  pageIndex: number;
  geometry: PageGeometry;
};

/** Draws the page without notes and fields, which stay or are drawn on their own. */
async function redrawPage(redrawing: Redrawing): Promise<PlacedForm | TooComplex> {
  const { document, fonts, isArchive, bytes, pageIndex, geometry } = redrawing;
  const { redrawnDpi: dpi, redrawnPixels: maxPixels } = STAMP_LIMITS;
  const drawn = await pixelsOfPage(bytes, pageIndex, { dpi, maxPixels, isContentAlone: true });
  if (!drawn.ok) return drawn;
  const { rgbx, width, height } = drawn.pixels;
  const { context } = document;
  const image = context.stream(deflateSync(samplesOf(rgbx)), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: width,
    Height: height,
    BitsPerComponent: 8,
    ColorSpace: 'DeviceRGB',
    Filter: 'FlateDecode',
  });
  const size = displayedPage(geometry);
  const sheet = newFormXObject(fonts, size, { isCalibrated: isArchive });
  showDrawing(sheet, context.register(image), [size.width, 0, 0, size.height, 0, 0]);
  return { form: buildFormXObject(sheet, context), matrix: uprightIn(geometry, { x: 0, y: 0, ...size }) };
}

/** Takes three bytes of each four. */
function samplesOf(rgbx: Uint8Array): Uint8Array {
  const samples = new Uint8Array((rgbx.length / 4) * 3);
  for (let from = 0, to = 0; from < rgbx.length; from += 4, to += 3) {
    samples[to] = rgbx[from]!;
    samples[to + 1] = rgbx[from + 1]!;
    samples[to + 2] = rgbx[from + 2]!;
  }
  return samples;
}

// ── fields ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Refuses a value with characters that no font has. All fields are checked before the first is drawn. */
function notDrawable(field: StampField): NotSealable | undefined {
  const missing = missingFor(field.value, field);
  if (missing.length === 0) return undefined;
  const characters = codePointNames(missing.slice(0, STAMP_LIMITS.named).join(''));
  return { ok: false, reason: 'not_sealable', why: 'characters', label: field.label, characters };
}

/** @returns whether it had to be set smaller than can be read */
async function drawField(
  sheet: FormXObjectBuilder,
  field: StampField,
  ink: InkPicture | undefined,
  typesetting: Typesetting,
): Promise<{ isSmall: boolean }> {
  const { shapes, isSmall } = layOutField(field, ink, typesetting);
  for (const shape of shapes) await drawShape(sheet, shape, ink);
  return { isSmall };
}

async function drawShape(
  sheet: FormXObjectBuilder,
  shape: FieldShape,
  ink: InkPicture | undefined,
): Promise<void> {
  switch (shape.kind) {
    case 'text':
      await drawText(sheet, shape.line, shape);
      if (shape.isUnderlined) underline(sheet, shape.line, shape);
      return;
    case 'stroke':
      return drawStroke(sheet, shape.points, shape.pen);
    case 'ring':
      return drawCircle(sheet, shape.circle, shape.pen);
    case 'disc':
      return fillCircle(sheet, shape.circle, shape.color);
    case 'ink': {
      const { x, y, width, height } = shape.box;
      if (ink) showDrawing(sheet, ink.ref, [width, 0, 0, height, x, sheet.size.height - y - height]);
    }
  }
}
