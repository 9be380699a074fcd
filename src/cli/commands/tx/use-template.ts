import { defineCommand } from '../../command/command.ts';
import { prints } from '../../command/json-output.ts';
import { transaction } from '../../command/transaction-json.ts';
import { summaryOutcome } from '../../sending/view.ts';

export const command = defineCommand({
  summary: 'Add the content of templates to a draft',
  details: 'Documents, recipients and fields are appended in the order in which the templates are given.',
  arguments: [
    { name: 'id', completes: 'transaction', summary: 'ID of the transaction' },
    { name: 'template', repeat: true, completes: 'template', summary: 'ID of a template' },
  ],
  options: {},
  json: prints(transaction({})),
  examples: [{ line: 'esign tx use-template @ TEMPLATE', about: 'Add a template to a draft' }],
  async run(context, { args }) {
    const connection = await context.connections.connect();
    const transaction = await connection.client['transaction.use_templates']({
      params: { transactionId: args.id },
      body: { templates: args.template.map((id) => ({ id })) },
    });
    return summaryOutcome(transaction, connection, { headline: 'Added the templates.' });
  },
});
