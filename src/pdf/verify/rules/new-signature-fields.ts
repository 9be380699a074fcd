// A later save may bring a field with a signature, or one to be signed later. Where the document is certified, what is seen was there before: a signature must not be
// drawn over it. The known attacks draw over the text with the box of a new field, or give a box another kind that readers draw.
import type { PdfView } from '../../read/read-pdf.ts';
import type { Dict, Value } from '../../read/values.ts';
import { hasPlace, isMisplaced, isPlainDefault, isRectangle, isVisible } from '../changes/appearance.ts';
import { changedObjectsIn, type DiffContext, isNewObject, objectNumberOf } from '../changes/diff-context.ts';
import { endsMarkedContent } from '../changes/marked-content.ts';
import { fieldsNamed } from '../fields.ts';
import {
  type AddedField,
  fieldDetails,
  formDifferences,
  isTimestampOf,
  type NewSignatureField,
} from './field-tree.ts';
import { defineRule, type Finding, objection } from './rule.ts';

export const newSignatureFields = defineRule({
  name: 'new-signature-fields',
  allows:
    'A signature or timestamp may bring a field of its own, with a name and boxes of its own. It shows something only after an approval signature, and a timestamp never does.',
  source: 'ISO 32000-2, 12.8.2.2, table 257, and 12.8.5; ETSI EN 319 142-1, 5.4.3',
  codes: ['changed_form', 'changed_signatures', 'overlay'],
  *judge(context) {
    for (const { item, name, signatureField } of formDifferences(context).added)
      if (signatureField) yield* judgeField(context, name, signatureField);
      else yield objection('changed_form', objectNumberOf(item), fieldDetails(name));
  },
});

type Code = 'changed_form' | 'changed_signatures' | 'overlay';

function* judgeField(
  context: DiffContext,
  name: AddedField['name'],
  { number, widgets, signature }: NewSignatureField,
): Generator<Finding<Code>> {
  const { old, latest, permission } = context;
  const isTimestamp = signature !== undefined && isTimestampOf(latest, signature);
  const kind = isTimestamp ? 'timestamp' : signature ? 'signature' : 'signature_field';
  const objects = widgets.flatMap((widget) => changedObjectsIn(context, undefined, widget));
  yield { explained: objects };
  yield { change: { kind, field: name, objects } };
  const refuse = (code: Code) => objection(code, number, fieldDetails(name));
  const isOld = signature !== undefined && !isNewObject(old, latest.dict(widgets[0])?.get('V'));
  if (isOld || (permission === 'nothing' && !isTimestamp)) {
    yield refuse('changed_signatures');
    return;
  }
  const isActing = widgets.some((widget) => ['A', 'AA'].some((key) => latest.dict(widget)?.has(key)));
  if (isActing || !areOwnBoxes(context, name, widgets)) {
    yield refuse('changed_form');
    return;
  }
  const boxes = widgets.map((widget) => latest.dict(widget));
  // MuPDF writes in the box of a field that waits for a signature.
  const isMarked = !signature && permission !== 'approval';
  const isSeen = boxes.some((box) => isVisible(latest, box) || (isMarked && hasPlace(latest, box)));
  const isAside = boxes.some((box) => isMisplaced(latest, box) || isEverywhere(latest, box));
  const isHiding = !boxes.every((box) => endsMarkedContent(latest, box?.get('AP')));
  if (isHiding || isAside || (isSeen && (permission !== 'approval' || kind !== 'signature')))
    yield refuse('overlay');
}

/** Tells whether all boxes came with the field, and no other field has its name. */
function areOwnBoxes(context: DiffContext, name: string, widgets: readonly Value[]): boolean {
  const numbers = widgets.map(objectNumberOf);
  return (
    widgets.every((widget, index) => isOwnBox(context, widget, index > 0)) &&
    fieldsNamed(context.latest, name).every(({ number }) => numbers.includes(number))
  );
}

/**
 * Tells whether a box came with its field and is nothing else: readers draw a square, a line or a text that is said to be a field by what
 * kind of annotation it is, without an appearance. A kid that has a name is a field of its own.
 */
function isOwnBox({ old, latest, changed }: DiffContext, item: Value, isKid: boolean): boolean {
  const number = objectNumberOf(item);
  const box = latest.dict(item);
  const subtype = latest.resolve(box?.get('Subtype'));
  if (!box || number === undefined || old.object(number) !== undefined || !changed.has(number)) return false;
  if (box.has('Rect') && !isRectangle(latest, box.get('Rect'))) return false;
  if (!isPlainDefault(latest, box.get('DA'))) return false;
  return subtype === 'Widget' ? !(isKid && box.has('T')) : !isKid && !box.has('Subtype');
}

/** Tells whether MuPDF draws a box that waits for a signature over the whole page: it has no rectangle. */
const isEverywhere = (view: PdfView, box: Dict | undefined): boolean =>
  view.resolve(box?.get('Subtype')) === 'Widget' && !isRectangle(view, box?.get('Rect'));
