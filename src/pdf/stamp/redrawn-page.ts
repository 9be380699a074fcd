// Replaces content that viewers do not draw alike by a picture of the page as PDFium shows it, because the recipients saw such a
// picture. The text of the page can no longer be searched.
import { deflateSync } from 'node:zlib';
import type { PDFDocument } from '@cantoo/pdf-lib';
import type { EmbeddedFonts } from '../fonts/embedding.ts';
import { displayedPage, type PageGeometry, uprightIn } from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';
import { buildFormXObject, newFormXObject, showDrawing } from '../render/form-x-object.ts';
import { pixelsOfPage } from '../render/render.ts';
import type { TooComplex } from '../too-complex.ts';
import type { PlacedForm } from './page-content.ts';

export type Redrawing = {
  document: PDFDocument;
  fonts: EmbeddedFonts;
  isArchive: boolean;
  /** The file as people saw it. */
  bytes: Uint8Array;
  pageIndex: number;
  geometry: PageGeometry;
};

/** Without notes and fields, which stay or are drawn on their own. */
export async function redrawPage(redrawing: Redrawing): Promise<PlacedForm | TooComplex> {
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

/** Three bytes of each four. */
function samplesOf(rgbx: Uint8Array): Uint8Array {
  const samples = new Uint8Array((rgbx.length / 4) * 3);
  for (let from = 0, to = 0; from < rgbx.length; from += 4, to += 3) {
    samples[to] = rgbx[from]!;
    samples[to + 1] = rgbx[from + 1]!;
    samples[to + 2] = rgbx[from + 2]!;
  }
  return samples;
}
