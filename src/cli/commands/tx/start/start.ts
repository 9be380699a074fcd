import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Start a draft',
  details: 'Asks the first recipient to sign. A started transaction can no longer be edited.',
  arguments: [{ name: 'id', optional: true, summary: 'ID of the transaction', completes: 'transaction' }],
  options: { open: { summary: "Open the first recipient's signing page; see `esign tx open`" } },
  json: '{id, name, status, outcome, profile, url?, recipient?: {name, email}, documents: […], recipients: […]}',
  examples: [{ line: 'esign tx start @', about: 'Start a draft and ask the first recipient to sign' }],
  async run(context, { args, options }) {
    const { startTransactionDraft } = await import('./start-draft.ts');
    const { chooseTransaction: whichTransaction } = await import(
      '../../../transactions/which-transaction.ts'
    );
    const id = await whichTransaction(context, args.id, ['draft']);
    return startTransactionDraft(context, id, options.open);
  },
});
