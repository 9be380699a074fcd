import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'List the transactions that this machine has seen',
  details:
    'The service has no operation that lists transactions. This command lists the transactions that ' +
    'commands on this machine have created, changed or shown with the active profile, most recent first, ' +
    'in the sandbox with their current status, otherwise with the status last seen. With --refresh, the ' +
    'current status is requested for each. Transactions that are found to be gone are removed from the list.',
  arguments: [],
  options: {
    status: {
      value: 'STATUS',
      repeat: true,
      summary: 'Status of the transactions to list (default: every status)',
      choices: ['draft', 'started', 'completed', 'rejected', 'expired', 'cancelled'],
    },
    refresh: { summary: 'Request the current status of each transaction' },
    limit: { value: 'N', summary: 'Maximum number of transactions', default: '50' },
  },
  json: '{items: [{id, name, status, outcome, profile, url?, recipient?: {name, email}, reason?, rejected_by?: {name, email}, documents?: […], recipients: [{name, email}], pending, pending_name, updated_at, seen_at}], meta: {profile, service, total, refreshed}}; url, documents and the other properties of recipients only with the current status',
  examples: [
    { line: 'esign tx list', about: 'List recent transactions' },
    {
      line: 'esign tx list --refresh --status started',
      about: 'List the transactions that are still waiting for a signature',
    },
  ],
  async run(context, { options }) {
    const { listTransactions } = await import('./list-transactions.ts');
    return listTransactions(context, options);
  },
});
