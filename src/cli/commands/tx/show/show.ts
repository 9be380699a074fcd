import { defineCommand } from '../../../command/command.ts';
import { usageError } from '../../../command/errors.ts';

export const command = defineCommand({
  summary: 'show a transaction',
  details:
    'Who is asked now, who has opened their signing page and when, who has signed, what is signed and what is remarked of it. At a terminal without ID it offers those that this ' +
    'machine has seen lately. With --watch it stays, and shows every change, until the transaction has ended.',
  arguments: [{ name: 'id', optional: true, summary: 'id of the transaction', completes: 'transaction' }],
  options: {
    watch: { summary: 'stay, and show every change; in a pipe a line, with --json an object for each' },
    evidence: {
      summary: 'show what happened as the sealed documents tell it: each step, who, from where',
    },
    web: { summary: 'open the signing page of whoever is asked now, or the dashboard, in the browser' },
  },
  json: '{id, status, template: {…}, expiration_days, created_at, updated_at, …} as the service answered; with --web {id, url, page, opened}; with --evidence {format, version, transaction, documents, people, fields, entries, head} as the documents carry it',
  examples: [
    { line: 'esign tx show ID', about: 'who has signed, who is asked now' },
    { line: 'esign tx show ID --watch', about: 'look on while they sign' },
    { line: 'esign tx show ID --select status,template.recipients.email', about: 'some of it, for a script' },
  ],
  async run(context, { args, options }) {
    const [one, other] = (['watch', 'evidence', 'web'] as const).filter((name) => options[name]);
    if (other)
      throw usageError(
        'options_conflict',
        `--${one} and --${other} do not go together.`,
        'Leave one of them out.',
      );
    const { whichTransaction } = await import('../../../transactions/which-transaction.ts');
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
    return transactionPage(transaction, connection.appUrl);
  },
});
