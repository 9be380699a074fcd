import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'list the transactions this machine has touched',
  details:
    'The service has no list of transactions: these are the ones that commands on this machine created, changed or ' +
    'showed with this profile, last seen first, as they were then. With --refresh each is asked for; what is not there any more ' +
    'is dropped.',
  arguments: [],
  options: {
    status: {
      value: 'STATUS',
      repeat: true,
      summary: 'only those',
      choices: ['draft', 'started', 'completed', 'rejected', 'expired', 'cancelled'],
    },
    refresh: { summary: 'ask the service how each stands now' },
    limit: { value: 'N', summary: 'how many at most', default: '50' },
  },
  json: '{items: [{id, name, outcome, recipients: […], pending, seen_at}], meta: {profile, service, total, refreshed}}',
  examples: [
    { line: 'esign tx list', about: 'what was sent from here' },
    { line: 'esign tx list --refresh --status started', about: 'what is still waiting for somebody' },
  ],
  async run(context, { options }) {
    const { listTransactions } = await import('./list-transactions.ts');
    return listTransactions(context, options);
  },
});
