// The catalog names all parts of a document. Those with rules of their own are judged there; of everything else that it names nothing may change:
// layers, actions, names, outlines, forms of Acrobat (XFA), the page that is shown first.
import { isSame, PdfStream, type Value } from '../../syntax/values.ts';
import {
  changedObjectsIn,
  comparedObject,
  type DiffContext,
  differenceIn,
  keysOf,
} from '../changes/diff-context.ts';
import { isMovedApart } from '../changes/moved-values.ts';
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

/** Whether an entry is only written as objects of its own now. */
const isWrittenApart = (
  context: DiffContext,
  key: string,
  before: Value | undefined,
  after: Value | undefined,
): boolean => key !== LAYERS && !isSame(before, after) && isMovedApart(context, before, after);
