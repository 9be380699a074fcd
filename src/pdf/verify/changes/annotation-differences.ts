// Finds the annotations of each page that were there, and those that a later save added. Nothing here is judged: the rules about annotations are.
import type { Value } from '../../syntax/values.ts';
import { additions, comesToLife, type DiffContext, oncePerComparison } from './diff-context.ts';
import { type PageDifference, pageTreeDifferences } from './page-differences.ts';

export type AnnotationDifferences = {
  page: PageDifference;
  /** The lists themselves, which may be objects. */
  lists: readonly (Value | undefined)[];
  were: readonly Value[];
  /** Undefined where an annotation is gone, or they stand in another order. */
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
