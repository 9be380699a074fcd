// Lists the pages of a file that the syntax reader has opened, with what is needed to convert positions on them.
import { geometryOf, type PageGeometry } from '../geometry.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { numbersIn } from '../space/matrices.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import type { Dict, Value } from '../syntax/values.ts';

/** `geometry` is undefined for a page of which nothing would be visible. */
export type FormPage = { dict: Dict; geometry: PageGeometry | undefined };

type Inherited = { MediaBox?: Value; CropBox?: Value; Rotate?: Value };

/** As PDFium takes it where a page says nothing of use: a letter. */
const LETTER = [0, 0, 612, 792];

/** Lists the pages in reading order; undefined where the tree cannot be walked. */
export function formPages(view: PdfView): FormPage[] | undefined {
  const pages: FormPage[] = [];
  const seen = new Set<Dict>();
  const visit = (value: Value | undefined, above: Inherited, depth: number): boolean => {
    const dict = view.dict(value);
    if (!dict || seen.has(dict) || depth > DOCUMENT_LIMITS.repairDepth) return false;
    seen.add(dict);
    const own = withOwn(dict, above);
    const kids = view.array(dict.get('Kids'));
    if (kids) return kids.every((kid) => visit(kid, own, depth + 1));
    pages.push({ dict, geometry: geometryOfPage(view, dict, own) });
    return true;
  };
  const root = view.dict(view.dict(view.root)?.get('Pages'));
  return root && visit(view.dict(view.root)?.get('Pages'), {}, 0) ? pages : undefined;
}

function withOwn(dict: Dict, above: Inherited): Inherited {
  const own = { ...above };
  for (const key of ['MediaBox', 'CropBox', 'Rotate'] as const) {
    const value = dict.get(key);
    if (value !== undefined) own[key] = value;
  }
  return own;
}

function geometryOfPage(
  view: PdfView,
  dict: Dict,
  { MediaBox, CropBox, Rotate }: Inherited,
): PageGeometry | undefined {
  return geometryOf({
    mediaBox: readRectangle(view, MediaBox) ?? LETTER,
    cropBox: readRectangle(view, CropBox),
    rotate: readNumber(view, Rotate),
    userUnit: readNumber(view, dict.get('UserUnit')),
  });
}

export function readNumber(view: PdfView, value: Value | undefined): number | undefined {
  const found = view.resolve(value);
  return typeof found === 'number' ? found : undefined;
}

/** Four numbers; undefined for anything else. */
export function readRectangle(view: PdfView, value: Value | undefined): number[] | undefined {
  const numbers = numbersIn(view, value);
  return numbers?.length === 4 ? numbers : undefined;
}
