import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'open the signing page in the browser',
  details:
    'The page of whoever is asked to sign now: they read the documents, fill in the fields, and sign or reject. Its address is always ' +
    'printed; a browser is opened for a person at a terminal only. The page of the sandbox is there while `esign sandbox serve` runs.',
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
