// The pages of a document are the same, in the same order. The known attacks add a page, take one away, or let a reference to nothing become a page.

import { DOCUMENT_LIMITS } from '../../limits.ts';
import { type Dict, isSame, PdfStream, type Value } from '../../read/values.ts';
import {
  type DiffContext,
  differenceIn,
  isTouched,
  keysOf,
  objectNumberOf,
  oncePerComparison,
} from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

export const pageTree = defineRule({
  name: 'page-tree',
  allows: 'There are the pages that there were, in the same order, below the same nodes.',
  source: 'ISO 32000-2, 7.7.3.2 and 12.8.2.2',
  codes: ['changed_content'],
  *judge(context) {
    const { nodes, misfits } = pageTreeDifferences(context);
    for (const { object, ...details } of misfits)
      yield objection('changed_content', object, Object.keys(details).length > 0 ? details : undefined);
    for (const { number, was, is } of nodes)
      for (const key of keysOf(was, is)) {
        if (key === 'Kids') continue;
        const difference = differenceIn(context, was.get(key), is.get(key), key !== 'Parent');
        if (difference) yield objection('changed_content', difference.object ?? number, { part: key });
      }
  },
});

export type PageDifference = {
  number: number;
  /** Pages are counted from 1. */
  page: number;
  value: Value;
  was: Dict;
  is: Dict;
  /** The nodes above the page come from the top, as in the earlier version. */
  above: readonly Dict[];
};

type NodeDifference = Pick<PageDifference, 'number' | 'was' | 'is'>;

type PageTreeDifferences = {
  pages: readonly PageDifference[];
  nodes: readonly NodeDifference[];
  /** Each names a place at which another page may stand now. */
  misfits: readonly { object: number | undefined; part?: string; page?: string }[];
};

export const pageTreeDifferences = oncePerComparison(comparePageTrees);

function comparePageTrees(context: DiffContext): PageTreeDifferences {
  const { old, latest, catalogs } = context;
  const pages: PageDifference[] = [];
  const nodes: NodeDifference[] = [];
  const misfits: PageTreeDifferences['misfits'][number][] = [];
  const visited = new Set<number>();
  const kidsAt = (number: number | undefined) =>
    misfits.push({ object: number, part: 'Kids', page: String(pages.length + 1) });
  const compareNode = (value: Value, above: readonly Dict[]) => {
    const number = objectNumberOf(value);
    const [was, is] = [old.dict(value), latest.dict(value)];
    // A page that is not read could show anything.
    if (number === undefined || above.length > DOCUMENT_LIMITS.pageTreeDepth) return kidsAt(number);
    if (visited.has(number)) return;
    visited.add(number);
    if (!was && !is) return;
    // A node that is a stream as well could have other data.
    const isStream = [old, latest].some((view) => view.resolve(value) instanceof PdfStream);
    if (!was || !is || isStream) return misfits.push({ object: number });
    const kids = old.array(was.get('Kids'));
    if (!kids) return pages.push({ number, page: pages.length + 1, value, was, is, above });
    if (!isSame(was.get('Kids'), is.get('Kids')) || isTouched(context, was.get('Kids')))
      return kidsAt(number);
    nodes.push({ number, was, is });
    for (const kid of kids) compareNode(kid, [...above, was]);
  };
  const [before, after] = [catalogs.before.get('Pages'), catalogs.after.get('Pages')];
  if (before === undefined || !isSame(before, after))
    misfits.push({ object: objectNumberOf(after), part: 'Pages' });
  else compareNode(before, []);
  return { pages, nodes, misfits };
}
