// Judges the pages of a document: there must be the same ones, and whatever is drawn on them must be what it was. Only
// the list of annotations may grow, and that is judged by what was added.
import { DOCUMENT_LIMITS } from '../../../limits.ts';
import type { PdfView } from '../../../syntax/read-pdf.ts';
import { type Dict, isSame, PdfStream, type Value } from '../../../syntax/values.ts';
import { additions, type Comparison, comesToLife, inherited, keysOf, objectNumberOf } from './comparison.ts';

/** What leads away from a page, and is not drawn on it. */
const ASIDE = new Set(['Parent', 'B', 'AA', 'Trans', 'StructParents', 'Tabs']);

export function comparePages(
  comparison: Comparison,
  before: Value | undefined,
  after: Value | undefined,
): undefined {
  const { old, latest, fail, mark, keep, isTouched } = comparison;
  const seen = new Set<number>();
  let pages = 0;
  const compareNode = (value: Value, above: readonly Dict[]): undefined => {
    const number = objectNumberOf(value);
    const [was, is] = [old.dict(value), latest.dict(value)];
    // A page that is not looked at could show anything.
    if (number === undefined || above.length > DOCUMENT_LIMITS.pageTreeDepth)
      return fail('changed_content', number, { part: 'Kids', page: String(pages + 1) });
    if (seen.has(number)) return;
    seen.add(number);
    if (!was && !is) return;
    // A node that is a stream as well could have other data.
    const isStream = [old, latest].some((view) => view.resolve(value) instanceof PdfStream);
    if (!was || !is || isStream) return fail('changed_content', number);
    mark(value);
    const kids = old.array(was.get('Kids'));
    if (!kids) {
      pages += 1;
      return comparePage(comparison, number, pages, asWritten(old, was, is, above), is);
    }
    const facts = { part: 'Kids', page: String(pages + 1) };
    if (!isSame(was.get('Kids'), is.get('Kids')) || isTouched(was.get('Kids')))
      return fail('changed_content', number, facts);
    for (const key of keysOf(was, is))
      if (key !== 'Kids')
        keep(was.get(key), is.get(key), key !== 'Parent', {
          code: 'changed_content',
          object: number,
          facts: { part: key },
        });
    for (const kid of kids) compareNode(kid, [...above, was]);
  };
  if (before === undefined || !isSame(before, after))
    fail('changed_content', objectNumberOf(after), { part: 'Pages' });
  else compareNode(before, []);
}

/** What a page has from the nodes above it, unless it has its own (ISO 32000-1, table 30). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** Less than any reader draws. */
const ROUNDED = 0.001;

const isRounded = (before: Value | undefined, after: Value | undefined): boolean =>
  Array.isArray(before) &&
  Array.isArray(after) &&
  before.length === after.length &&
  before.every((one, index) => {
    const other = after[index];
    return typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) < ROUNDED;
  });

/**
 * The earlier page with its boxes and resources as the later one may write them: iText and poppler write what a page inherits into it, and poppler rounds
 * numbers. Readers that climb and readers that descend have to find the same.
 */
function asWritten(old: PdfView, was: Dict, is: Dict, above: readonly Dict[]): Dict {
  const page = new Map(was);
  for (const key of ['MediaBox', 'CropBox'])
    if (isRounded(was.get(key), is.get(key))) page.set(key, is.get(key)!);
  for (const key of INHERITED) {
    if (was.has(key) || !is.has(key)) continue;
    const [nearest] = above.filter((node) => node.has(key)).slice(-1);
    const descended = nearest?.get(key);
    if (descended !== undefined && isSame(descended, inherited(old, was, key))) page.set(key, descended);
  }
  return page;
}

function comparePage(comparison: Comparison, number: number, page: number, was: Dict, is: Dict): undefined {
  for (const key of keysOf(was, is)) {
    if (key === 'Annots' || (key === 'Tabs' && typeof is.get(key) === 'string')) continue;
    comparison.keep(was.get(key), is.get(key), !ASIDE.has(key), {
      code: 'changed_content',
      object: number,
      facts: { page: String(page), part: key },
    });
  }
  compareAnnotations(comparison, number, page, was.get('Annots'), is.get('Annots'));
}

// ── annotations ─────────────────────────────────────────────────────────────────────────────────────────────────

function compareAnnotations(
  comparison: Comparison,
  pageNumber: number,
  page: number,
  before: Value | undefined,
  after: Value | undefined,
): undefined {
  const { old, latest, fail, mark } = comparison;
  mark(before);
  mark(after);
  const was = old.array(before) ?? [];
  const added = comesToLife(comparison, before) ? undefined : additions(was, latest.array(after) ?? []);
  if (!added) return fail('changed_annotations', pageNumber, { page: String(page) });
  for (const item of was) compareAnnotation(comparison, item, page);
  for (const item of added) judgeAdded(comparison, item, page);
}

/** Where an annotation points to, which draws nothing. */
const POINTERS = new Set(['P', 'Parent', 'Popup', 'IRT', 'A', 'AA', 'PA', 'Dest', 'StructParent']);

function compareAnnotation(
  { old, latest, fields, changed, fail, keep }: Comparison,
  item: Value,
  page: number,
) {
  const number = objectNumberOf(item);
  const was = old.dict(item);
  // Fields are judged with the form.
  if (number !== undefined && fields.has(number)) return;
  // Readers that show the value of a field in all boxes which name it show it in those that the field does not have.
  const parent = objectNumberOf(was?.get('Parent'));
  if (parent !== undefined && fields.has(parent) && changed.has(parent))
    return fail('changed_annotations', number, { page: String(page) });
  const facts = { page: String(page) };
  // A reference to nothing was put there to show something later.
  if (!was) return latest.dict(item) && fail('changed_annotations', number, facts);
  if (number !== undefined && changed.has(number)) return fail('changed_annotations', number, facts);
  const is = number === undefined ? was : latest.dict(item);
  for (const [key, value] of was)
    keep(value, is?.get(key), !POINTERS.has(key), { code: 'changed_annotations', object: number, facts });
}

/** Draw nothing by themselves: a reader shows a sign for the note. Marks of text, such as a line through it, change what it says. */
const NOTES = new Set(['Text', 'Popup']);
/** Readers that stretch the sign cover no more than this, in points. */
const MOST_OF_NOTE = 40;

function isSmall(view: PdfView, dict: Dict): boolean {
  const corners = view.array(dict.get('Rect'))?.map((value) => view.resolve(value)) ?? [];
  const [x1, y1, x2, y2] = corners;
  const isLong = (from: Value | undefined, to: Value | undefined) =>
    typeof from !== 'number' || typeof to !== 'number' || Math.abs(to - from) > MOST_OF_NOTE;
  return corners.length === 4 && !isLong(x1, x2) && !isLong(y1, y2);
}

function judgeAdded(comparison: Comparison, item: Value, page: number): undefined {
  const { latest, changed, newFields, fail, explain, changes, rules } = comparison;
  const number = objectNumberOf(item);
  // The box of a signature is judged with its field.
  if (number !== undefined && newFields.has(number)) return;
  const dict = latest.dict(item);
  const subtype = latest.resolve(dict?.get('Subtype'));
  const type = typeof subtype === 'string' ? subtype : '?';
  const facts = { page: String(page), type };
  changes.push({ kind: 'annotation', page, objects: explain(item) });
  if (rules.permission !== 'notes') return fail('changed_annotations', number, facts);
  const isQuiet =
    dict !== undefined &&
    NOTES.has(type) &&
    // Ghostscript draws the window of an open note.
    (type === 'Popup' ? !dict.has('Open') || dict.get('Open') === false : isSmall(latest, dict)) &&
    !['AP', 'A', 'AA'].some((key) => dict.has(key));
  // An object that was there, and shown nowhere, was put there to be shown now.
  const isNew = number !== undefined && changed.has(number);
  if (!isQuiet || !isNew) fail('overlay', number, facts);
}
