import { defineCommand } from '../../../command/command.ts';
import { cliError } from '../../../command/errors.ts';

export const command = defineCommand({
  summary: 'Show a transaction',
  details:
    'Shows who has opened, signed or rejected, whose turn it is, and the documents with their warnings. ' +
    'At a terminal without an ID, you choose from the transactions recently used on this machine.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: {
    watch: { summary: 'Stay and show every change until the transaction ends' },
    evidence: {
      summary: 'Show the evidence record of the sealed documents: each step, who did it and from where',
    },
    web: { summary: "Open the current recipient's signing page, or the dashboard, in the browser" },
  },
  json: '{id, name, status, outcome, profile, url?, recipient?: {name, email}, reason?, rejected_by?: {name, email}, documents: […], recipients: […], template: {…}, expiration_days, created_at, updated_at, …}, as in the other commands, with all properties of the response of the service; with --web {id, url, page, opened}; with --evidence {format, version, transaction, documents, people, fields, entries, head} as embedded in the documents',
  examples: [
    { line: 'esign tx show @', about: 'Show who has signed and whose turn it is' },
    { line: 'esign tx show @ --watch', about: 'Watch a transaction until it ends' },
    {
      line: 'esign tx show @ --select status,template.recipients.email',
      about: 'Print some properties for a script',
    },
  ],
  async run(context, { args, options }) {
    const [one, other] = (['watch', 'evidence', 'web'] as const).filter((name) => options[name]);
    if (other) throw cliError('options_conflict', { option: `--${one}`, conflictsWith: `--${other}` });
    const { chooseTransaction: whichTransaction } = await import(
      '../../../transactions/which-transaction.ts'
    );
    const id = await whichTransaction(context, args.id);
    const connection = await context.connections.connect();
    if (options.watch) {
      const { watchTransaction } = await import('./watch.ts');
      return watchTransaction(context, connection, id);
    }
    const transaction = await connection.client['transaction.detail']({ params: { transactionId: id } });
    if (options.web) {
      const { openInWeb } = await import('../../../transactions/open.ts');
      return openInWeb(context, connection, transaction);
    }
    if (options.evidence) {
      const { showEvidence } = await import('./show-evidence.ts');
      return showEvidence(context, connection, transaction);
    }
    const { transactionPage } = await import('./transaction-page.ts');
    const { withSigningPages } = await import('../../../transactions/signing-pages.ts');
    return transactionPage(transaction, await withSigningPages(connection, transaction));
  },
});
