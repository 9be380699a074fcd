import { defineCommand } from '../../command.ts';

export const command = defineCommand({
  summary: 'show a transaction',
  arguments: [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }],
  options: {},
  json: 'the transaction as the service answered',
  examples: [
    { line: 'esign tx show ID', about: 'who has signed, who is asked now' },
    { line: 'esign tx show ID --select status,template.recipients.email', about: 'some of it, for a script' },
  ],
  async run(app, { args }) {
    const { client, appUrl } = await app.connect();
    const transaction = await client['transaction.detail']({ params: { transactionId: args.id } });
    const { transactionPage } = await import('../../views/transaction-page.ts');
    return transactionPage(transaction, appUrl);
  },
});
