// A later save may bring annotations. The standard allows any of them under P 3: the known attacks on certified documents cover the text with one, or draw
// text that is said to be a comment. What is allowed here draws nothing of its own.
import type { PdfView } from '../../read/read-pdf.ts';
import type { Dict, Value } from '../../read/values.ts';
import { changedObjectsIn, type DiffContext, objectNumberOf } from '../changes/diff-context.ts';
import { annotationDifferences } from './annotations.ts';
import { formDifferences } from './field-tree.ts';
import { defineRule, type Finding, objection } from './rule.ts';

export const notes = defineRule({
  name: 'notes',
  allows:
    'After a certification that allows comments, small notes may be added that draw nothing of their own.',
  source: 'ISO 32000-2, 12.5.6.4 and 12.8.2.2, table 257 (P 3)',
  codes: ['changed_annotations', 'overlay'],
  *judge(context) {
    for (const { page, added } of annotationDifferences(context))
      for (const item of added ?? []) yield* judgeNote(context, item, page.page);
  },
});

function* judgeNote(
  context: DiffContext,
  item: Value,
  page: number,
): Generator<Finding<'changed_annotations' | 'overlay'>> {
  const { latest, changed, permission } = context;
  const number = objectNumberOf(item);
  // The box of a signature is judged with its field.
  if (number !== undefined && formDifferences(context).newBoxes.has(number)) return;
  const dict = latest.dict(item);
  const subtype = latest.resolve(dict?.get('Subtype'));
  const type = typeof subtype === 'string' ? subtype : '?';
  const details = { page: String(page), type };
  const objects = changedObjectsIn(context, undefined, item);
  yield { explained: objects };
  yield { change: { kind: 'annotation', page, objects } };
  // An object that was there, and shown nowhere, was put there to be shown now.
  const isNew = number !== undefined && changed.has(number);
  if (permission !== 'notes') yield objection('changed_annotations', number, details);
  else if (!isNew || !isQuiet(latest, dict, type)) yield objection('overlay', number, details);
}

/** Notes draw nothing by themselves: a reader shows a sign for them. Marks of text, such as a line through it, change what it says. */
const NOTES = new Set(['Text', 'Popup']);

const isQuiet = (view: PdfView, dict: Dict | undefined, type: string): boolean =>
  dict !== undefined &&
  NOTES.has(type) &&
  // Ghostscript draws the window of an open note.
  (type === 'Popup' ? !dict.has('Open') || dict.get('Open') === false : isSmall(view, dict)) &&
  !['AP', 'A', 'AA'].some((key) => dict.has(key));

/** Readers that stretch the sign cover no more than this, in points. */
const MOST_OF_NOTE = 40;

function isSmall(view: PdfView, dict: Dict): boolean {
  const corners = view.array(dict.get('Rect'))?.map((value) => view.resolve(value)) ?? [];
  const [x1, y1, x2, y2] = corners;
  const isLong = (from: Value | undefined, to: Value | undefined) =>
    typeof from !== 'number' || typeof to !== 'number' || Math.abs(to - from) > MOST_OF_NOTE;
  return corners.length === 4 && !isLong(x1, x2) && !isLong(y1, y2);
}
