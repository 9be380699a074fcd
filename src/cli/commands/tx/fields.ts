import { defineCommand, type Input } from '../../command.ts';

const ARGUMENTS = [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }] as const;

const OPTIONS = {
  field: {
    value: 'SPEC',
    repeat: true,
    summary: 'what is filled in where: TYPE@PAGE:X,Y,WxH[=RECIPIENT][;…]',
  },
  from: { value: 'FILE', completes: 'file', summary: 'fields as JSON; - is standard input' },
  add: { summary: 'keep the fields that are there (the default)' },
  replace: { summary: 'remove the fields that are there' },
} as const;

export type FieldsInput = Input<typeof ARGUMENTS, typeof OPTIONS>;

export const command = defineCommand({
  summary: 'show or set what recipients fill in',
  details: 'Without options it shows the fields. See `esign help fields` for the form of SPEC.',
  arguments: ARGUMENTS,
  options: OPTIONS,
  json: '{items: [field as the service answered]}',
  examples: [
    { line: 'esign tx fields ID', about: 'show them' },
    {
      line: 'esign tx fields ID --field "text@1:72pt,120pt,200x24=ada@example.com;label=City"',
      about: 'one more, for Ada',
    },
  ],
  async run(app, input) {
    const { showOrSetFields } = await import('../../flows/fields.ts');
    return showOrSetFields(app, input);
  },
});
