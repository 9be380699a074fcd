import { sandboxOperations } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import { object, prints, text } from '../../command/json-output.ts';
import { showRecord } from '../../command/record.ts';
import { checkValue } from '../../input/check-value.ts';

export const commands = {
  save: defineCommand({
    summary: 'Save a transaction as a template',
    arguments: [{ name: 'id', completes: 'transaction', summary: 'ID of the transaction' }],
    options: {
      name: { value: 'TEXT', short: 'n', summary: 'Name of the template (default: that of the transaction)' },
      description: { value: 'TEXT', summary: 'Description of the template' },
    },
    json: prints(object({ id: text, name: text })),
    examples: [
      {
        line: 'esign sandbox template save @ --name "Maintenance agreement"',
        about: 'Save a transaction for use with --template',
      },
    ],
    async run(context, { args, options }) {
      const { client } = await context.connections.sandbox();
      const params = { transactionId: args.id };
      const value = options.name ?? (await client['transaction.detail']({ params })).template?.name ?? '';
      const { description } = options;
      const body = { name: value, ...(description !== undefined && { description }) };
      checkValue(sandboxOperations['sandbox.save_template'].body, body, {
        name: '--name',
        description: '--description',
      });
      const { id } = await client['sandbox.save_template']({ params, body });
      return showRecord(
        { id, name: value },
        { id: 'Template', name: 'Name' },
        { headline: 'Saved the template.' },
      );
    },
  }),
};
