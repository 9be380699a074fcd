import { defineCommand } from '../../command/command.ts';
import type { Prompts } from '../../terminal/prompts.ts';

/** A draft may do without a name: nobody is refused for it. */
async function nameFrom(prompts: Prompts): Promise<string | undefined> {
  if (!prompts.canAsk) return undefined;
  return (await prompts.ask('Name (may be left empty)', '--name TEXT', { mayBeEmpty: true })) || undefined;
}

export const command = defineCommand({
  summary: 'create an empty draft',
  arguments: [],
  options: {
    name: { value: 'TEXT', summary: 'name of the transaction' },
    notify: {
      value: 'URL',
      summary: 'notification_endpoint of the transaction; the sandbox stores it, but sends nothing to it',
    },
  },
  json: '{id, status, outcome, profile}',
  examples: [
    { line: 'esign tx create --name "Maintenance agreement"', about: 'a draft to be filled step by step' },
  ],
  async run(context, { options }) {
    const { transactionOperations } = await import('../../../api/contract/transactions.ts');
    const { checked } = await import('../../input/checked.ts');
    const name = options.name ?? (await nameFrom(context.prompts));
    const body = {
      ...(name !== undefined && { name }),
      ...(options.notify !== undefined && { notification_endpoint: options.notify }),
    };
    checked(transactionOperations['transaction.create'].body, body, {
      name: '--name',
      notification_endpoint: '--notify',
    });
    const { client, profile } = await context.connections.connect();
    const { id } = await client['transaction.create']({ body });
    return {
      kind: 'record',
      headline: 'Draft created.',
      json: { id, status: 'draft', outcome: 'draft', profile },
      entries: [
        { key: 'id', label: 'Transaction', value: id },
        { key: 'status', value: 'draft' },
        { key: 'outcome', label: 'Status', value: 'draft' },
        { key: 'profile', value: profile },
      ],
    };
  },
});
