// The form itself says how fields without an appearance are drawn: /DA, /DR, /Q, /NeedAppearances. Readers draw fields with them, and Ghostscript runs a default
// appearance as content on the page, outside of any box. The known attack brings a font whose letters are drawings, or content instead of a font.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, PdfStream, type Value } from '../../read/values.ts';
import {
  CHOICE_COMBO,
  isFlagged,
  isLettered,
  isPlainDefault,
  shownAppearance,
} from '../changes/appearance.ts';
import {
  changedObjectsIn,
  comparedObject,
  type DiffContext,
  differenceIn,
  inherited,
  isKept,
  keysOf,
  objectNumberOf,
} from '../changes/diff-context.ts';
import { formDifferences } from './field-tree.ts';
import { defineRule, objection } from './rule.ts';

export const formDefaults = defineRule({
  name: 'form-defaults',
  allows:
    'The form may get fonts and a plain default appearance, as long as no field and no text on a page takes its look from them. After a certification that allows no changes they come with a timestamp.',
  source: 'ISO 32000-2, 12.7.3 and 12.7.4.3',
  codes: ['changed_form'],
  *judge(context) {
    const { old, latest, catalogs } = context;
    const [before, after] = [catalogs.before.get('AcroForm'), catalogs.after.get('AcroForm')];
    const form = latest.dict(after);
    if (!form) {
      if (before !== undefined) yield objection('changed_form', objectNumberOf(before));
      return;
    }
    yield { explained: comparedObject(context, after) };
    const was: Dict = old.dict(before) ?? new Map();
    for (const key of keysOf(was, form)) {
      const [value, later] = [was.get(key), form.get(key)];
      // The fields are judged by other rules.
      if (key === 'Fields' || (key === 'SigFlags' && typeof later === 'number')) continue;
      // A writer brings fonts for the appearance of its signature, and names its drawing there.
      const isDefault = key === 'DR' || (key === 'DA' && isPlainDefault(latest, later));
      const mayDiffer = () =>
        isKept(context, value, later, true) || (mayComeAlong(context) && !usesForm(context, was));
      if (isDefault && later !== undefined && mayDiffer()) {
        yield { explained: changedObjectsIn(context, value, later) };
        continue;
      }
      const difference = differenceIn(context, value, later, true);
      if (difference)
        yield objection('changed_form', difference.object ?? objectNumberOf(after), { part: key });
    }
  },
});

/** Tells whether what the save is for may bring fonts. After a certification that allows no changes, that is a timestamp alone. */
const mayComeAlong = (context: DiffContext): boolean =>
  context.permission !== 'nothing' || formDifferences(context).isTimestamped;

/** Tells whether a field that was there, or text on a page, is drawn with what the form has. */
const usesForm = (context: DiffContext, form: Dict): boolean =>
  context.old.resolve(form.get('NeedAppearances')) === true ||
  // Content that is drawn with it may name what the form does not have yet.
  !isPlainDefault(context.old, form.get('DA')) ||
  usesFormAppearance(context.old, form.get('Fields')) ||
  usesFormOnPages(context);

/**
 * Tells whether a field that was there takes its appearance from the form: it has none and a value or a default appearance that draws, or
 * one without resources of its own.
 */
function usesFormAppearance(view: PdfView, items: Value | undefined, depth = 0): boolean {
  if (depth > DOCUMENT_LIMITS.formDepth) return true;
  return (view.array(items) ?? []).some((item) => {
    const field = view.dict(item);
    if (!field) return false;
    return isDrawnByForm(view, field) || usesFormAppearance(view, field.get('Kids'), depth + 1);
  });
}

/**
 * Text that stands on a page may use it as well, and so may boxes that belong to no field of the form: some readers draw these with its
 * fonts too.
 */
const usesFormOnPages = ({ old, nodes }: DiffContext): boolean =>
  [...nodes].some((number) => {
    const page = old.object(number)?.value;
    const annotations = page instanceof Map ? (old.array(page.get('Annots')) ?? []) : [];
    return annotations.some((item) => {
      const annotation = old.dict(item);
      return annotation !== undefined && isLettered(old, annotation) && isDrawnByForm(old, annotation);
    });
  });

function isDrawnByForm(view: PdfView, box: Dict): boolean {
  const normal = view.resolve(view.dict(box.get('AP'))?.get('N'));
  const isWithoutLook = view.resolve(box.get('Subtype')) !== null && shownAppearance(view, box) === undefined;
  const isWritten = () => hasLetters(view, box) || !isPlainDefault(view, inherited(view, box, 'DA'));
  return (isWithoutLook && isWritten()) || !isStandAlone(view, normal);
}

const PUSH_BUTTON = 1 << 16;

/** Tells whether readers that make an appearance have something to write: a value, options to choose from, a mark or a caption. */
function hasLetters(view: PdfView, box: Dict): boolean {
  const entry = (key: string) => view.resolve(inherited(view, box, key));
  const hasAny = (keys: string[]) => keys.some((key) => entry(key) !== null);
  if (view.resolve(box.get('Subtype')) === 'FreeText') return true;
  if (entry('FT') === 'Sig') return false;
  if (entry('FT') === 'Ch') return hasAny(['V', 'DV', 'I']) || !isFlagged(entry('Ff'), CHOICE_COMBO);
  if (entry('FT') !== 'Btn') return hasAny(['V', 'RV']);
  if (isFlagged(entry('Ff'), PUSH_BUTTON)) return view.dict(box.get('MK'))?.has('CA') === true;
  return [entry('V'), view.resolve(box.get('AS'))].some((state) => state !== null && state !== 'Off');
}

/** An appearance, or one for each state, stands alone if it is empty or has its own resources. */
function isStandAlone(view: PdfView, appearance: Value): boolean {
  if (appearance instanceof Map)
    return [...appearance.values()].every((state) => isStandAlone(view, view.resolve(state)));
  if (!(appearance instanceof PdfStream)) return true;
  return (
    view.dict(appearance.dict.get('Resources')) !== undefined ||
    view.data(appearance)?.toString('latin1').trim() === ''
  );
}
