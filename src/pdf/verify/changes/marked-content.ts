// Tells whether the appearances of a box keep to themselves what they begin. Poppler and Ghostscript carry marked content that an appearance does not
// end into what is drawn after it: with a hidden layer, all later boxes of the page disappear. pdf.js restores with an appearance that has more Q
// than q what was before the appearance, and draws the rest of it over the whole page.
import { type Operation, readOperators } from '../../content/interpreter.ts';
import { DOCUMENT_LIMITS, VERIFY_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, PdfStream, Ref, type Value } from '../../read/values.ts';
import { isRectangle } from './appearance.ts';
import { oncePerStream } from './diff-context.ts';

/**
 * Tells whether each of the appearances (/AP), and each drawing, pattern and glyph that they use, ends what it begins and belongs to no
 * layer in parts.
 */
export function endsMarkedContent(view: PdfView, appearances: Value | undefined): boolean {
  const visited = new Set<number>();
  const open: (Value | undefined)[] = [...(view.dict(appearances)?.values() ?? [])];
  for (let remaining: number = VERIFY_LIMITS.appearanceObjects; open.length > 0; remaining -= 1) {
    if (remaining === 0) return false;
    const next = open.pop();
    if (next instanceof Ref) {
      if (visited.has(next.number)) continue;
      visited.add(next.number);
    }
    const content = view.resolve(next);
    if (content instanceof PdfStream && !isPlain(view, content)) return false;
    // A box may have an appearance for each state.
    if (content instanceof Map) for (const state of content.values()) open.push(state);
    else if (content instanceof PdfStream)
      for (const used of usedBy(view, content.dict.get('Resources'))) open.push(used);
  }
  return true;
}

/** Yields the content that resources lead to (ISO 32000-2, 7.8.3), and the resources of Type 3 fonts as content without any. */
function* usedBy(view: PdfView, value: Value | undefined, depth = 0): Generator<Value> {
  const resources = view.dict(value);
  const named = (category: string): Value[] => [...(view.dict(resources?.get(category))?.values() ?? [])];
  for (const drawing of named('XObject')) if (!isPicture(view, drawing)) yield drawing;
  for (const pattern of named('Pattern')) yield asContent(view, pattern);
  const states = named('ExtGState').map((state) => view.dict(state));
  const fonts = states.map((state) => view.array(state?.get('Font'))?.[0] ?? null);
  for (const state of states) yield view.dict(state?.get('SMask'))?.get('G') ?? null;
  for (const font of [...named('Font'), ...fonts]) {
    const dict = view.dict(font);
    if (!dict?.has('CharProcs')) continue;
    yield* view.dict(dict.get('CharProcs'))?.values() ?? [];
    if (depth < DOCUMENT_LIMITS.formDepth) yield* usedBy(view, dict.get('Resources'), depth + 1);
  }
}

const isPicture = (view: PdfView, drawing: Value): boolean =>
  view.resolve(view.dict(drawing)?.get('Subtype')) === 'Image';

/** A shading pattern is a dictionary, whose values are no content. */
const asContent = (view: PdfView, pattern: Value): Value =>
  view.resolve(pattern) instanceof PdfStream ? pattern : null;

const MARKS = /MC|BDC/;
const RESTORES = /Q/;
const NAMED = /\/([^\s()<>[\]{}/%]+)\s+(?:[-+.\d]+\s+)?(Tf|Do|gs|sh|scn|SCN)(?=[\s%/[(<]|$)/g;
const CATEGORIES: Record<string, string> = {
  Tf: 'Font',
  Do: 'XObject',
  gs: 'ExtGState',
  sh: 'Shading',
  scn: 'Pattern',
  SCN: 'Pattern',
};
/** Data of other kinds is decrypted by some readers and not by others. */
const TYPES = new Set<Value>([null, 'XObject', 'Pattern']);

/** Content that names what is not in its own resources draws what the page has: that could be marked as well. */
const isPlain = oncePerStream(isPlainContent);

function isPlainContent(view: PdfView, stream: PdfStream): boolean {
  const content = view.data(stream);
  if (!content || !TYPES.has(view.resolve(stream.dict.get('Type')))) return false;
  const text = content.toString('latin1');
  // Ghostscript draws a form that does not say that it is one.
  const isForm =
    view.resolve(stream.dict.get('Subtype')) === 'Form' ||
    (stream.dict.has('BBox') && !stream.dict.has('PatternType'));
  if (isForm && !hasAllNamed(view, stream.dict.get('Resources'), text)) return false;
  if (isForm && !hasPlainPlace(view, stream.dict)) return false;
  return !(MARKS.test(text) || RESTORES.test(text)) || areMarksEnded(content);
}

/** Readers take other boxes and matrices for different ones, or for none. */
const hasPlainPlace = (view: PdfView, dict: Dict): boolean =>
  isRectangle(view, dict.get('BBox')) &&
  (view.array(dict.get('Matrix')) ?? IDENTITY).map((item) => view.resolve(item)).filter(isNumber).length ===
    IDENTITY.length &&
  (view.array(dict.get('Matrix')) ?? IDENTITY).length === IDENTITY.length;

const IDENTITY: readonly Value[] = [1, 0, 0, 1, 0, 0];
const isNumber = (value: Value): boolean => typeof value === 'number';

function hasAllNamed(view: PdfView, value: Value | undefined, text: string): boolean {
  const resources = view.dict(value);
  for (const [, name, operator] of text.matchAll(NAMED))
    if (!view.dict(resources?.get(CATEGORIES[operator!]!))?.has(name!)) return false;
  return true;
}

/** Tells whether each BMC and BDC has its EMC, and each Q its q, in order, and none stands for a layer. Readers find different ends of inline images. */
function areMarksEnded(content: Buffer): boolean {
  let [depth, saved] = [0, 0];
  const mayFollow = ({ operator, operands }: Operation): boolean => {
    if (operator === 'BMC' || operator === 'BDC') depth += 1;
    else if (operator === 'EMC') depth -= 1;
    else if (operator === 'q') saved += 1;
    else if (operator === 'Q') saved -= 1;
    else if (operator === 'BI' || MARKS.test(operator)) return false;
    const isLayer = operator === 'BDC' && operands.includes('OC');
    return saved >= 0 && depth >= 0 && depth <= DOCUMENT_LIMITS.formDepth && !isLayer;
  };
  return readOperators(content, mayFollow, { isUnambiguous: true }) && depth === 0;
}
