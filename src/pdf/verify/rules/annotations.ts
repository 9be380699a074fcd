// Annotations that were there stay as they were, with their appearances. The known attacks hide one, replace its appearance, or hang a box on a field that does not
// know it: readers that show the value of a field in all boxes which name it show it there.
import type { Value } from '../../read/values.ts';
import {
  additions,
  comesToLife,
  comparedObject,
  type DiffContext,
  differenceIn,
  objectNumberOf,
  oncePerComparison,
} from '../changes/diff-context.ts';
import { formDifferences } from './field-tree.ts';
import { type PageDifference, pageTreeDifferences } from './page-tree.ts';
import { defineRule, type Finding, objection } from './rule.ts';

export const annotations = defineRule({
  name: 'annotations',
  allows:
    'Every annotation that was there stays, in its order and as it looked. Fields are judged by the rules about fields.',
  source: 'ISO 32000-2, 12.5.2 and 12.8.2.2',
  codes: ['changed_annotations'],
  *judge(context) {
    for (const { page, lists, were, added } of annotationDifferences(context)) {
      yield { explained: lists.flatMap((list) => comparedObject(context, list)) };
      const details = { page: String(page.page) };
      if (!added) yield objection('changed_annotations', page.number, details);
      else for (const item of were) yield* judgeAnnotation(context, item, details);
    }
  },
});

/** These entries point to something else and draw nothing. */
const POINTERS = new Set(['P', 'Parent', 'Popup', 'IRT', 'A', 'AA', 'PA', 'Dest', 'StructParent']);

function* judgeAnnotation(
  context: DiffContext,
  item: Value,
  details: { page: string },
): Generator<Finding<'changed_annotations'>> {
  const { old, latest, changed } = context;
  const { fields } = formDifferences(context);
  const number = objectNumberOf(item);
  if (number !== undefined && fields.has(number)) return;
  const was = old.dict(item);
  const parent = objectNumberOf(was?.get('Parent'));
  const isBoxOfChangedField = parent !== undefined && fields.has(parent) && changed.has(parent);
  // A reference to nothing was put there to show something later.
  const isOther = was ? number !== undefined && changed.has(number) : latest.dict(item) !== undefined;
  if (isBoxOfChangedField || isOther) {
    yield objection('changed_annotations', number, details);
    return;
  }
  if (!was) return;
  const is = number === undefined ? was : latest.dict(item);
  for (const [key, value] of was) {
    const difference = differenceIn(context, value, is?.get(key), !POINTERS.has(key));
    if (difference) yield objection('changed_annotations', difference.object ?? number, details);
  }
}

type AnnotationDifferences = {
  page: PageDifference;
  /** The lists themselves may be objects. */
  lists: readonly (Value | undefined)[];
  were: readonly Value[];
  /** Nothing counts as added where an annotation is gone, or the order is another. */
  added: readonly Value[] | undefined;
};

export const annotationDifferences = oncePerComparison((context: DiffContext): AnnotationDifferences[] =>
  pageTreeDifferences(context).pages.map((page) => compareLists(context, page)),
);

function compareLists(context: DiffContext, page: PageDifference): AnnotationDifferences {
  const [before, after] = [page.was.get('Annots'), page.is.get('Annots')];
  const were = context.old.array(before) ?? [];
  const added = comesToLife(context, before) ? undefined : additions(were, context.latest.array(after) ?? []);
  return { page, lists: [before, after], were, added };
}
