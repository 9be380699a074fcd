// Title, author and times are shown beside a document, never in it. A writer states them anew with each save.
import { isSame, PdfStream } from '../../../syntax/values.ts';
import { changedObjectsIn, isTouched, objectNumberOf } from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

export const metadata = defineRule({
  name: 'metadata',
  allows: 'Title, author and times may change, but not after a certification that allows no changes.',
  source: 'ISO 32000-2, 14.3 and 12.8.2.2',
  codes: ['changed_structure'],
  *judge(context) {
    const { old, latest, catalogs, permission } = context;
    const objects: number[] = [];
    const [before, information] = [old, latest].map(({ trailer }) => trailer.get('Info'));
    // An object that was there may be named instead, so that none differs.
    const isAnother = before !== undefined && information !== undefined && !isSame(before, information);
    if (!isSame(before, information) || isTouched(context, information))
      objects.push(...changedObjectsIn(context, information));
    const [was, is] = [catalogs.before.get('Metadata'), catalogs.after.get('Metadata')];
    if (!isSame(was, is) || isTouched(context, is)) {
      const stream = latest.resolve(is);
      // A page could draw another stream.
      if (!(stream instanceof PdfStream) || stream.dict.get('Subtype') !== 'XML') {
        yield objection('changed_structure', objectNumberOf(is), { part: 'Metadata' });
        return;
      }
      objects.push(...changedObjectsIn(context, is));
    }
    if (objects.length === 0 && !isAnother) return;
    yield { explained: objects };
    yield { change: { kind: 'metadata', objects } };
    if (permission === 'nothing') yield objection('changed_structure', objects[0], { part: 'Metadata' });
  },
});
