// The pages of a document are the same, in the same order. The known attacks add a page, take one away, or let a reference to nothing become a page.
import { differenceIn, keysOf } from '../changes/diff-context.ts';
import { pageTreeDifferences } from '../changes/page-differences.ts';
import { defineRule, objection } from './rule.ts';

export const pageTree = defineRule({
  name: 'page-tree',
  allows: 'There are the pages that there were, in the same order, below the same nodes.',
  source: 'ISO 32000-2, 7.7.3.2 and 12.8.2.2',
  codes: ['changed_content'],
  *judge(context) {
    const { nodes, misfits } = pageTreeDifferences(context);
    for (const { object, ...facts } of misfits)
      yield objection('changed_content', object, Object.keys(facts).length > 0 ? facts : undefined);
    for (const { number, was, is } of nodes)
      for (const key of keysOf(was, is)) {
        if (key === 'Kids') continue;
        const difference = differenceIn(context, was.get(key), is.get(key), key !== 'Parent');
        if (difference) yield objection('changed_content', difference.object ?? number, { part: key });
      }
  },
});
