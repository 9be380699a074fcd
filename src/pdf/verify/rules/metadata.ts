// Title, author and times are shown beside a document, never in it. A writer states them anew with each save.
import type { PdfFile, PdfView } from '../../syntax/read-pdf.ts';
import { isSame, PdfStream, type Value } from '../../syntax/values.ts';
import { changedObjectsIn, isTouched, objectNumberOf } from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

/** Where a version has its title and author: many readers take them from an earlier save where the last one names none. */
export const informationOf = ({ sections }: PdfFile, { index }: PdfView): Value | undefined =>
  sections
    .slice(0, index + 1)
    .findLast(({ trailer }) => trailer.has('Info'))
    ?.trailer.get('Info');

export const metadata = defineRule({
  name: 'metadata',
  allows: 'Title, author and times may change, but not after a certification that allows no changes.',
  source: 'ISO 32000-2, 14.3 and 12.8.2.2',
  codes: ['changed_structure'],
  *judge(context) {
    const { file, old, latest, catalogs, permission } = context;
    const objects: number[] = [];
    const [before, after] = [informationOf(file, old), informationOf(file, latest)];
    // An object that was there may be named instead, so that none differs.
    const isAnother = !isSame(before, after);
    if (isAnother || isTouched(context, after)) objects.push(...changedObjectsIn(context, before, after));
    const [was, is] = [catalogs.before.get('Metadata'), catalogs.after.get('Metadata')];
    if (!isSame(was, is) || isTouched(context, is)) {
      const stream = latest.resolve(is);
      // A page could draw another stream.
      if (!(stream instanceof PdfStream) || stream.dict.get('Subtype') !== 'XML') {
        yield objection('changed_structure', objectNumberOf(is), { part: 'Metadata' });
        return;
      }
      objects.push(...changedObjectsIn(context, was, is));
    }
    if (objects.length === 0 && !isAnother) return;
    yield { explained: objects };
    yield { change: { kind: 'metadata', objects } };
    if (permission === 'nothing') yield objection('changed_structure', objects[0], { part: 'Metadata' });
  },
});
