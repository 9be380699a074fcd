import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'open the signing address in the browser',
  details:
    'The address of whoever is asked to sign now. It is always printed; a browser is opened for a person at a terminal only.',
  arguments: [{ name: 'id', optional: true, summary: 'id of the transaction', completes: 'transaction' }],
  options: {},
  json: '{id, url, recipient: {name, email}, opened: false}',
  examples: [
    { line: 'esign tx open ID', about: 'open it in the browser' },
    { line: 'esign tx open ID --select url', about: 'the address alone, for a script' },
  ],
  async run(context, { args }) {
    const { openTransaction } = await import('../../transactions/open.ts');
    const { whichTransaction } = await import('../../transactions/which-transaction.ts');
    return openTransaction(context, await whichTransaction(context, args.id));
  },
});
