// The fields of a form stay where they are, with the names that they get from the fields above them: what a later save adds stands in addition. The known
// attacks take a field away, move a box to another field, or let a reference to nothing become a field.
import { comparedObject, differenceIn } from '../changes/diff-context.ts';
import { fieldFacts, formDifferences } from '../changes/form-differences.ts';
import { defineRule, objection } from './rule.ts';

export const fieldTree = defineRule({
  name: 'field-tree',
  allows: 'The lists of fields may grow. Each field that was there stays, in its order.',
  source: 'ISO 32000-2, 12.7.4.1 and 12.8.2.2',
  codes: ['changed_form'],
  *judge(context) {
    const { latest, catalogs } = context;
    const { changed, misfits, direct } = formDifferences(context);
    const fields = latest.dict(catalogs.after.get('AcroForm'))?.get('Fields');
    yield { explained: comparedObject(context, fields) };
    for (const { item, was } of changed)
      yield { explained: [item, was.get('Kids')].flatMap((value) => comparedObject(context, value)) };
    for (const { object, field } of misfits) yield objection('changed_form', object, fieldFacts(field));
    for (const item of direct) {
      const difference = differenceIn(context, item, item, true);
      if (difference) yield objection('changed_form', difference.object);
    }
  },
});
