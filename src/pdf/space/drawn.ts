// Tells where something is drawn on a page of a sound file, without PDFium, which takes longer to load than all of this. It
// may say too much, and must never leave out what a reader shows: a page that it cannot follow is answered with nothing.
import { type Box, boxOfRect, geometryOf, type PageGeometry, type Rect } from '../geometry.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { type SoundPage, soundFile } from '../syntax/sound-pages.ts';
import type { Dict, Value } from '../syntax/values.ts';
import { followContent } from './content.ts';
import { IDENTITY, numbersIn, rectAround } from './matrices.ts';

export type DrawnBox = Box & { isText: boolean };

/** The boxes of a page, or undefined where only PDFium can tell. */
export function drawnBoxes(bytes: Uint8Array, pageIndex: number): DrawnBox[] | undefined {
  const sound = soundFile(bytes);
  const page = sound?.pages[pageIndex];
  const view = sound?.file.latest;
  const geometry = page && view && geometryOfPage(view, page);
  if (!geometry) return undefined;
  const boxes: DrawnBox[] = [];
  const add = (rect: Rect, isText: boolean) => void boxes.push({ ...boxOfRect(geometry, rect), isText });
  const content = contentOf(view, page.dict.get('Contents'));
  if (!content || !addAnnotations(view, page.dict, add)) return undefined;
  const resources = view.dict(page.entries.Resources);
  const isFollowed = followContent({ view, content, resources, matrix: IDENTITY, depth: 0 }, add);
  return isFollowed && !sound.file.isExhausted() ? boxes : undefined;
}

function geometryOfPage(view: PdfView, { entries, box }: SoundPage): PageGeometry | undefined {
  const mediaBox = numbersIn(view, entries.MediaBox);
  const cropBox = numbersIn(view, entries.CropBox);
  return mediaBox && geometryOf({ mediaBox, cropBox, rotate: box.rotation });
}

function contentOf(view: PdfView, value: Value | undefined): Buffer | undefined {
  if (view.resolve(value) === null) return Buffer.alloc(0);
  const parts = (view.array(value) ?? [value ?? null]).map((one) => view.data(one));
  return parts.every((part) => part !== undefined)
    ? Buffer.concat(parts.flatMap((part) => [part, LINE]))
    : undefined;
}

const LINE = Buffer.from('\n');

/** Notes, stamps and form fields, empty ones as well; a link is where text is, and a popup is not shown. */
function addAnnotations(view: PdfView, page: Dict, add: (rect: Rect, isText: boolean) => void): boolean {
  if (view.resolve(page.get('Annots')) === null) return true;
  for (const value of view.array(page.get('Annots')) ?? [null]) {
    const annotation = view.dict(value);
    const [x1, y1, x2, y2] = numbersIn(view, annotation?.get('Rect')) ?? [];
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return false;
    if (view.resolve(annotation?.get('Subtype')) === 'Popup') continue;
    add(
      rectAround([
        { x: x1, y: y1 },
        { x: x2, y: y2 },
      ]),
      false,
    );
  }
  return true;
}
