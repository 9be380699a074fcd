import { transactionOperations } from '../../../api/contract/transactions.ts';
import { defineCommand } from '../../command/command.ts';
import { object, prints, text } from '../../command/json-output.ts';
import { PARTS } from '../../command/transaction-json.ts';
import { checkValue } from '../../input/check-value.ts';
import { transactionJson } from '../../sending/view.ts';
import type { Prompts } from '../../terminal/prompts.ts';

const CREATE = transactionOperations['transaction.create'].body;

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
  json: prints(object({ id: text, 'name?': text, status: text, outcome: text, profile: text, ...PARTS })),
  examples: [
    {
      line: 'esign tx create --name "Maintenance agreement"',
      about: 'Create a draft to complete step by step',
    },
  ],
  async run(context, { options }) {
    const name = options.name ?? (await askForName(context.prompts));
    const body = {
      ...(name !== undefined && { name }),
      ...(options.notify !== undefined && { notification_endpoint: options.notify }),
    };
    checkValue(CREATE, body, { name: '--name', notification_endpoint: '--notify' });
    const connection = await context.connections.connect();
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
        { key: 'profile', value: connection.profile },
      ],
    };
  },
});

/** Asks at a terminal. A draft may have no name, so a script need not give one. */
async function askForName(prompts: Prompts): Promise<string | undefined> {
  if (!prompts.canAsk) return undefined;
  const accept = (text: string) => checkValue(CREATE, { name: text }, { name: 'This' });
  return (await prompts.ask('Name (optional)', '--name TEXT', { mayBeEmpty: true, accept })) || undefined;
}
