import { defineCommand } from '../../../command/command.ts';
import { ARGUMENTS, OPTIONS } from './options.ts';

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
  async run(context, input) {
    const { showOrSetFields } = await import('./show-or-set-fields.ts');
    return showOrSetFields(context, input);
  },
});
