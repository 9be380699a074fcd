import { defineCommand } from '../../../command/command.ts';
import { cliError } from '../../../command/errors.ts';
import { FIELDS_ARGUMENTS, FIELDS_OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Show the fields of a transaction, or set those of a draft',
  details: 'Without options, shows the fields. `esign help fields` explains the syntax of SPEC.',
  arguments: FIELDS_ARGUMENTS,
  options: FIELDS_OPTIONS,
  json: '{items: [field]}, each field as in the response of the service; with --edit {id, url, sign_in_url?, opened}',
  examples: [
    { line: 'esign tx fields @', about: 'Show the fields of a transaction' },
    {
      line: 'esign tx fields @ --field "text@1:72pt,120pt,200x24=ada@example.com,label=City"',
      about: 'Add a text field for Ada',
    },
    {
      line: `esign tx fields @ --field 'date@"Place and date",match=last,at=above'`,
      about: 'Add a date field at words of the document',
    },
    { line: 'esign tx fields @ --edit', about: 'Place the fields in the browser' },
  ],
  async check(_, { options: { field } }) {
    field.forEach((await import('../../../input/field-spec.ts')).parseFieldSpec);
  },
  async run(context, input) {
    const { edit, tags, 'no-wait': noWait } = input.options;
    if (tags) throw cliError('tags_stored', { transaction: input.args.id });
    if (noWait && !edit) throw cliError('options_conflict', { option: '--no-wait', needs: '--edit' });
    const { showOrSetFields } = await import('./show-or-set-fields.ts');
    if (!edit) return showOrSetFields(context, input);
    const { editFields } = await import('./edit-fields.ts');
    return editFields(context, input);
  },
});
