// The catalog names all parts of a document. Those with rules of their own are judged there; of everything else that it names nothing may change:
// layers, actions, names, outlines, forms of Acrobat (XFA), the page that is shown first.

import { DOCUMENT_LIMITS } from '../../limits.ts';
import { isSame, PdfStream, Ref, type Value } from '../../read/values.ts';
import {
  changedObjectsIn,
  comparedObject,
  type DiffContext,
  differenceIn,
  keysOf,
} from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

export const catalog = defineRule({
  name: 'catalog',
  allows:
    'The version and the extensions of the format may be stated anew. All else that the catalog names stays.',
  source: 'ISO 32000-2, 7.7.2 and 7.12',
  codes: ['changed_structure'],
  *judge(context) {
    const { latest, catalogs } = context;
    const { before, after } = catalogs;
    if (!hasPlainCatalogs(context)) {
      const missing = objection('changed_structure', latest.root?.number, { part: 'Root' });
      yield { ...missing, isFinal: true };
      return;
    }
    yield { explained: comparedObject(context, latest.root) };
    for (const key of keysOf(before, after)) {
      const [value, later] = [before.get(key), after.get(key)];
      if (JUDGED_ELSEWHERE.has(key) || (key === 'Version' && isVersion(later))) continue;
      const mayDiffer =
        key === 'Extensions' ? later !== undefined : isWrittenApart(context, key, value, later);
      if (mayDiffer) {
        yield { explained: changedObjectsIn(context, value, later) };
        continue;
      }
      const difference = differenceIn(context, value, later, key === LAYERS);
      if (difference)
        yield objection('changed_structure', difference.object ?? latest.root?.number, { part: key });
    }
  },
});

const JUDGED_ELSEWHERE = new Set(['AcroForm', 'Pages', 'Metadata', 'DSS', 'StructTreeRoot']);
/** Layers decide what is drawn. */
const LAYERS = 'OCProperties';

const isVersion = (value: Value | undefined): boolean =>
  typeof value === 'string' && /^[12]\.\d$/.test(value);

/** A catalog that is a stream as well could have other data, which a page draws. */
const hasPlainCatalogs = ({ old, latest }: DiffContext): boolean =>
  isSame(old.root, latest.root) &&
  [old, latest].every(
    (view) => view.dict(view.root) !== undefined && !(view.resolve(view.root) instanceof PdfStream),
  );

/** Tells whether an entry is only written as objects of its own now. */
const isWrittenApart = (
  context: DiffContext,
  key: string,
  before: Value | undefined,
  after: Value | undefined,
): boolean => key !== LAYERS && !isSame(before, after) && isMovedApart(context, before, after);

/** Tells whether the two say the same, where the later one names new objects for parts that stood in the earlier one itself. */
function isMovedApart(
  { old, latest, changedBehind }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
): boolean {
  const isEqual = (was: Value | undefined, is: Value | undefined, depth: number): boolean => {
    if (was === undefined || is === undefined || depth > DOCUMENT_LIMITS.pageTreeDepth) return false;
    if (is instanceof Ref && !(was instanceof Ref)) {
      const isNew = old.place(is.number) === undefined;
      const moved = latest.object(is.number);
      return isNew && moved?.generation === is.generation && isEqual(was, moved.value, depth + 1);
    }
    if (Array.isArray(was) && Array.isArray(is))
      return was.length === is.length && was.every((item, index) => isEqual(item, is[index], depth + 1));
    if (was instanceof Map && is instanceof Map)
      return was.size === is.size && [...was].every(([key, item]) => isEqual(item, is.get(key), depth + 1));
    return !(is instanceof PdfStream) && isSame(was, is) && changedBehind(was, false) === undefined;
  };
  return isEqual(before, after, 0);
}
