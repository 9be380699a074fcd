// Whatever a page draws is what it was: contents, resources, fonts, boxes, with all that they lead to. The known attacks replace the content, a font or a
// drawing, or make an object appear that the page named and that did not exist.
import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, isSame, type Value } from '../../read/values.ts';
import { comparedObject, differenceIn, inherited, keysOf } from '../changes/diff-context.ts';
import { type PageDifference, pageTreeDifferences } from './page-tree.ts';
import { defineRule, objection } from './rule.ts';
import { hasNoTags } from './structure-tree.ts';

export const pageContent = defineRule({
  name: 'page-content',
  allows:
    'A page may be written again with the box and the resources that it inherits. Everything that it draws stays.',
  source: 'ISO 32000-2, 7.7.3.3 and 12.8.2.2',
  codes: ['changed_content'],
  *judge(context) {
    for (const difference of pageTreeDifferences(context).pages) {
      const { number, page, value, is } = difference;
      yield { explained: comparedObject(context, value) };
      const was = asWritten(context.old, difference);
      for (const key of keysOf(was, is)) {
        // Annotations are judged by rules of their own.
        if (key === 'Annots' || (key === 'Tabs' && typeof is.get(key) === 'string')) continue;
        if (key === 'StructParents' && !was.has(key) && hasNoTags(context, is.get(key))) continue;
        const changed = differenceIn(context, was.get(key), is.get(key), !ASIDE.has(key));
        if (changed)
          yield objection('changed_content', changed.object ?? number, { page: String(page), part: key });
      }
    }
  },
});

/** These entries lead away from a page, and are not drawn on it. */
const ASIDE = new Set(['Parent', 'B', 'AA', 'Trans', 'StructParents', 'Tabs']);

/** A page has these entries from the nodes above it, unless it has its own (ISO 32000-1, table 30). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];

/** No reader draws a smaller difference, in points. */
const ROUNDED = 0.001;

const isRounded = (before: Value | undefined, after: Value | undefined): boolean =>
  Array.isArray(before) &&
  Array.isArray(after) &&
  before.length === after.length &&
  before.every((number, index) => {
    const other = after[index];
    return typeof number === 'number' && typeof other === 'number' && Math.abs(number - other) < ROUNDED;
  });

/**
 * Writes the earlier page with its boxes and resources as the later one may write them: iText and poppler write what a page inherits into
 * it, and poppler rounds numbers. Readers that climb and readers that descend have to find the same.
 */
function asWritten(old: PdfView, { was, is, above }: PageDifference): Dict {
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
