import { defineCommand } from '../../command/command.ts';
import type { Prompts } from '../../terminal/prompts.ts';

/** Asks for the name of the draft at a terminal. A draft may have no name, so a script need not give one. */
async function nameFrom(prompts: Prompts, accept: (text: string) => void): Promise<string | undefined> {
  if (!prompts.canAsk) return undefined;
  return (await prompts.ask('Name (optional)', '--name TEXT', { mayBeEmpty: true, accept })) || undefined;
}

export const command = defineCommand({
  summary: 'Create an empty draft',
  arguments: [],
  options: {
    name: { value: 'TEXT', short: 'n', summary: 'Name of the transaction' },
    notify: {
      value: 'URL',
      summary: 'Notification URL that receives every event of the transaction',
    },
  },
  json: '{id, name?, status, outcome, profile, documents: […], recipients: […]}',
  examples: [
    {
      line: 'esign tx create --name "Maintenance agreement"',
      about: 'Create a draft to complete step by step',
    },
  ],
  async run(context, { options }) {
    const { transactionOperations } = await import('../../../api/contract/transactions.ts');
    const { parseWith: checked } = await import('../../input/parse-input.ts');
    const { body: shape } = transactionOperations['transaction.create'];
    const name =
      options.name ??
      (await nameFrom(context.prompts, (text) => checked(shape, { name: text }, { name: 'This' })));
    const body = {
      ...(name !== undefined && { name }),
      ...(options.notify !== undefined && { notification_endpoint: options.notify }),
    };
    checked(shape, body, {
      name: '--name',
      notification_endpoint: '--notify',
    });
    const { transactionJson } = await import('../../transactions/view.ts');
    const connection = await context.connections.connect();
    const { profile } = connection;
    const { id } = await connection.client['transaction.create']({ body });
    return {
      kind: 'record',
      headline: 'Created the draft.',
      json: transactionJson(
        { id, status: 'draft', ...(name !== undefined && { template: { name } }) },
        connection,
      ),
      entries: [
        { key: 'id', label: 'Transaction', value: id },
        { key: 'status', value: 'draft' },
        { key: 'outcome', label: 'Status', value: 'draft' },
        { key: 'profile', value: profile },
      ],
    };
  },
});
