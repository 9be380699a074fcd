import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'add the content of templates to a draft',
  details: 'Documents, recipients and fields are appended in the order in which the templates are given.',
  arguments: [
    { name: 'id', completes: 'transaction', summary: 'id of the transaction' },
    { name: 'template', repeat: true, completes: 'template', summary: 'id of a template' },
  ],
  options: {},
  json: '{id, name, status, outcome, profile, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx use-template ID TEMPLATE', about: 'fill a draft from a template' }],
  async run(context, { args }) {
    const connection = await context.connections.connect();
    const { summaryOutcome } = await import('../../transactions/view.ts');
    const transaction = await connection.client['transaction.use_templates']({
      params: { transactionId: args.id },
      body: { templates: args.template.map((id) => ({ id })) },
    });
    return summaryOutcome(transaction, connection, { headline: 'The templates were added.' });
  },
});
