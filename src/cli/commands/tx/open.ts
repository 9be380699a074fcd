import { defineCommand } from '../../command/command.ts';

export const command = defineCommand({
  summary: 'Open the signing page in the browser',
  details:
    'Opens the page on which the current recipient reads the documents, fills in fields, and signs or ' +
    'rejects. The URL is always printed; the browser opens only when you are at a terminal.\n\n' +
    'In the sandbox, signing pages need a server. If `esign sandbox serve` is not running, this command serves ' +
    'the page until the recipient has signed or rejected, or you press Ctrl-C. In a pipe, and with --json, ' +
    'it only prints the URL; start `esign sandbox serve` for it.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: {},
  json: '{id, url, recipient: {name, email}, opened: false}',
  examples: [
    { line: 'esign tx open @', about: 'Open the signing page in the browser' },
    { line: 'esign tx open @ --jq .url', about: 'Print only the signing URL, for a script' },
  ],
  async run(context, { args }) {
    const { openTransaction } = await import('../../transactions/open.ts');
    const { chooseTransaction: whichTransaction } = await import('../../transactions/which-transaction.ts');
    return openTransaction(context, await whichTransaction(context, args.id, ['started']));
  },
});
